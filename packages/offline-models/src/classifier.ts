import { sameAttribute } from "@agent-memory/text";
import { type Change, CLEAR, LIKELY, shortened, strongestChange, surest } from "./changes.ts";
import { giveWay } from "./give-way.ts";
import { loadGrammar } from "./grammar.ts";
import type { NamedCandidate, SupersessionClassifier } from "./models.ts";
import { saidBefore } from "./said-before.ts";
import { isAllIn, isSameSubject, readStatements, type Statement } from "./statements.ts";
import { toldChange } from "./told-changes.ts";
import { clausesTold, isBrief } from "./told-clauses.ts";
import { isSameValue } from "./value.ts";

const MODEL = "attribute-change-4";
/** Below this a candidate is not named at all. */
const MIN_NAMED_CONFIDENCE = 0.5;

/**
 * Reads subject, attribute and value out of both facts and applies what is known
 * of the attribute: one value at a time (home, employer, a deadline) or many
 * (likes, pets). Made for short English statements; what it cannot read replaces
 * nothing. `input.model` does not apply here.
 */
export function createLocalClassifier(): SupersessionClassifier {
  return {
    async classify({ fact, isRetraction, candidates }, { signal }) {
      const grammar = await loadGrammar();
      const told = fact.decision;
      const next = readStatements(told.replace(REASON, ""), grammar);
      const clauses = [
        told,
        ...clausesTold(told).flatMap((clause) => (clause.isUnsure ? [] : clause.text)),
      ];
      const superseded: NamedCandidate[] = [];
      for (const [index, candidate] of candidates.entries()) {
        await giveWay(signal);
        const other = isRetraction ? null : otherValue(clauses, candidate.decision);
        if (other !== null) {
          superseded.push({ index, ...other });
          continue;
        }
        const previous = readStatements(candidate.decision, grammar);
        const change = isRetraction
          ? saidBefore(fact.decision, next, candidate.decision, previous)
          : surest([
              isBrief(told) ? null : strongestChange(next, previous),
              saidAgain(next, previous),
              toldChange(told, candidate.decision),
            ]);
        if (change === null || change.confidence < MIN_NAMED_CONFIDENCE) continue;
        superseded.push({ index, ...change });
      }
      const reason = "No other candidate gives another value of what the fact states.";
      return { superseded, confidence: LIKELY, reason, model: MODEL };
    },
  };
}

/** Another value of the attribute that an older fact states, in the same words. */
function otherValue(clauses: readonly string[], older: string): Change | null {
  for (const clause of clauses) {
    const values = sameAttribute(older, clause);
    if (values === null) continue;
    return {
      confidence: CLEAR,
      reason: `"${shortened(values.newer)}" against "${shortened(values.older)}": the new fact gives another value of the same attribute.`,
    };
  }
  return null;
}

/** Why it is so, and what is not so besides. */
const REASON = /,? because (?:of )?[^,.;]+(?=$|[,.;])|, [^,.;]{2,20} (?:no|not)(?=$|[.!])/iu;

/** The same in other words: the same value, and nothing else on either side. */
function saidAgain(next: readonly Statement[], previous: readonly Statement[]): Change | null {
  const isSame = next.some((a) =>
    previous.some(
      (b) =>
        isSameSubject(a, b) &&
        a.attribute === b.attribute &&
        a.isNegated === b.isNegated &&
        !a.isTentative &&
        !b.isTentative &&
        a.isPast === b.isPast &&
        isSameValue(a.value, b.value) &&
        isAllIn(a.said, b.said) &&
        isAllIn(b.said, a.said),
    ),
  );
  return isSame ? { confidence: LIKELY, reason: "The new fact says the same again." } : null;
}
