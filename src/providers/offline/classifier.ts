import { giveWay } from "../../concurrency/give-way.ts";
import type { NamedCandidate } from "../../domain/auto-supersession.ts";
import type { SupersessionClassifier } from "../supersession-classifier.ts";
import { type Change, LIKELY, strongestChange, surest } from "./changes.ts";
import { changeInEnglish } from "./foreign-changes.ts";
import { loadGrammar } from "./grammar.ts";
import { withoutLeadIns } from "./openings.ts";
import { plainly } from "./plain-words.ts";
import { saidBefore } from "./said-before.ts";
import { isBrief } from "./slot-clauses.ts";
import { slotChange } from "./slots.ts";
import { isAllIn, isSameSubject, readStatements, type Statement } from "./statements.ts";
import { turningPoint } from "./turning-points.ts";
import { isSameValue } from "./value.ts";

const MODEL = "attribute-change-4";
/** A fact is short, and a longer text states many things. */
const MAX_CHARACTERS = 500;
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
      const told = changeInEnglish(fact.decision) ?? fact.decision;
      const next = readStatements(plainly(told), grammar);
      const superseded: NamedCandidate[] = [];
      for (const [index, candidate] of candidates.entries()) {
        await giveWay(signal);
        const previous = readStatements(candidate.decision, grammar);
        const change = isRetraction
          ? saidBefore(fact.decision, next, candidate.decision, previous)
          : surest([
              isBrief(told) ? null : strongestChange(next, previous),
              saidAgain(next, previous),
              eventBetween(told, candidate.decision),
              slotChange(told, candidate.decision),
            ]);
        if (change === null || change.confidence < MIN_NAMED_CONFIDENCE) continue;
        superseded.push({ index, ...change });
      }
      const reason = "No other candidate gives another value of what the fact states.";
      return { superseded, confidence: LIKELY, reason, model: MODEL };
    },
  };
}

/** What is told one after the other; where something is only supposed, all of it is. */
const NEXT =
  /[,;:–—!]+\s+(?:(?:and|but|so|because)\s+)?|\.\s+|\s+(?:and|but|so)\s+(?=(?:I|we|my|our|the|she|he|they|it)\b)/u;
const SUPPOSED = /\b(?:if|would|should|could|wish|imagine|maybe|unless|when)\b|'d\b|\?/iu;
const MAX_PARTS = 8;

/** An event that ends a state without naming it. */
function eventBetween(newer: string, older: string): Change | null {
  const text = newer.slice(0, MAX_CHARACTERS);
  const parts = SUPPOSED.test(text) ? [] : text.split(NEXT).slice(0, MAX_PARTS);
  for (const part of new Set([text, ...parts.map(withoutLeadIns)])) {
    const why = turningPoint(part, older);
    if (why !== null) return { confidence: LIKELY, reason: `The new fact ${why}.` };
  }
  return null;
}

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
