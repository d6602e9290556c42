import { type Change, LIKELY } from "./changes.ts";
import { isNamedIn } from "./content.ts";
import { isCorrected, isResumed, tellsOfCorrection } from "./events.ts";
import { hasOtherFigure, isCountedOtherwise, tellsOfFigure } from "./figures.ts";
import { overInWords, tellsOfEnd } from "./former.ts";
import { hasOtherValue, tellsOfFrame } from "./frame-changes.ts";
import { takesItsPlace, tellsOfKind } from "./kinds.ts";
import { isAtAnotherTime, tellsOfTime } from "./times.ts";
import { clausesTold, isNoFact, type ToldClause } from "./told-clauses.ts";
import { isSamePerson, whomOf } from "./whom.ts";

/** Ways in which a clause ends what an older one states, each said of the new fact. */
const ENDINGS: readonly (readonly [
  isEnded: (newer: ToldClause, older: ToldClause) => boolean,
  why: string,
])[] = [
  [hasOtherValue, "gives another value of the same attribute"],
  [isCorrected, "names what was wrong"],
  [isResumed, "says that it is done again"],
  [isCountedOtherwise, "counts another number"],
  [ofOne(isAtAnotherTime), "gives another time"],
  [ofOne(hasOtherFigure), "gives another number of the same"],
  [ofOne(takesItsPlace), "switched to another one of the same kind"],
];

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
      const ending = ENDINGS.find(([isEnded]) => isEnded(clause, state));
      if (ending !== undefined) return ending[1];
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
      (tellsOfFrame(clause) ||
        tellsOfKind(clause) ||
        tellsOfFigure(clause) ||
        tellsOfTime(clause) ||
        tellsOfCorrection(clause) ||
        tellsOfEnd(clause)),
  );
}

/** What tells of a thing may be said of whomever has it, but not of somebody else's. */
function ofOne(isEnded: (newer: ToldClause, older: ToldClause) => boolean) {
  return (newer: ToldClause, older: ToldClause) => {
    const [now, before] = [whomOf(newer.text), whomOf(older.text)];
    const isOne =
      now !== null && before !== null
        ? isSamePerson(now, before) || isThingIn(now.name, older) || isThingIn(before.name, newer)
        : [now ?? before].every(
            (whom) =>
              whom === null ||
              whom.role === "the user" ||
              isThingIn(whom.name, now === null ? newer : older),
          );
    return isOne && isEnded(newer, older);
  };
}

/** "Backend" in "Backend moved to Go" is what "the backend" is. */
function isThingIn(name: string | null, { text }: ToldClause): boolean {
  return name !== null && isNamedIn(name, text);
}
