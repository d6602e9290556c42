import { overInWords, tellsOfEnd } from "./former.ts";
import { hasOtherValue, tellsOfFrame } from "./frame-changes.ts";
import { clausesTold, isNoFact } from "./told-clauses.ts";

/**
 * Why the older fact no longer holds, by the change that a new one tells of, clause by clause;
 * null: it tells of none, or the two are of different people.
 */
export function toldChange(newer: string, older: string): string | null {
  const states = clausesTold(older);
  for (const clause of clausesTold(newer)) {
    if (clause.isUnsure) continue;
    for (const state of states) {
      const over = overInWords(clause, state);
      if (over !== null) return over;
      if (isNoFact(state.text)) continue;
      if (hasOtherValue(clause, state)) return "gives another value of the same attribute";
    }
  }
  return null;
}

/** Whether a clause says that something of the user's is otherwise than it was. */
export function tellsOfChange(text: string): boolean {
  return clausesTold(text).some(
    (clause) =>
      !clause.isUnsure &&
      !/^somebody\b/u.test(clause.text) &&
      (tellsOfFrame(clause) || tellsOfEnd(clause)),
  );
}
