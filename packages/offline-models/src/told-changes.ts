import { type Change, LIKELY } from "./changes.ts";
import { overInWords, tellsOfEnd } from "./former.ts";
import { hasOtherValue, tellsOfFrame } from "./frame-changes.ts";
import { clausesTold, isNoFact } from "./told-clauses.ts";

/**
 * The change that a new fact tells of, clause by clause, in what the older one states; null:
 * it tells of none, or the two are of different people.
 */
export function toldChange(newer: string, older: string): Change | null {
  const why = whyEnded(newer, older);
  return why === null ? null : { confidence: LIKELY, reason: `The new fact ${why}.` };
}

function whyEnded(newer: string, older: string): string | null {
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
