import { setImmediate } from "node:timers/promises";
import type { SupersessionClassifier } from "../supersession-classifier.ts";
import { type Change, changeBetween } from "./changes.ts";
import { loadGrammar } from "./grammar.ts";
import { readStatements, type Statement } from "./statements.ts";

const MODEL = "attribute-change-3";
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
    async classify({ fact, candidates }, signal) {
      const grammar = await loadGrammar();
      const next = readStatements(fact.decision, grammar);
      let best: { index: number; change: Change } | null = null;
      for (const [index, candidate] of candidates.entries()) {
        await setImmediate();
        signal.throwIfAborted();
        const change = strongestChange(next, readStatements(candidate.decision, grammar));
        if (change === null || change.confidence < MIN_NAMED_CONFIDENCE) continue;
        if (best === null || change.confidence > best.change.confidence) best = { index, change };
      }
      if (best === null) {
        return {
          supersededIndex: null,
          confidence: 0.9,
          reason: "No candidate gives another value of what the fact states.",
          model: MODEL,
        };
      }
      return { supersededIndex: best.index, ...best.change, model: MODEL };
    },
  };
}

/** The surest change between any two statements; null: none. */
export function strongestChange(
  next: readonly Statement[],
  previous: readonly Statement[],
): Change | null {
  const changes = next.flatMap((statement) =>
    previous.flatMap((other) => changeBetween(statement, other) ?? []),
  );
  return changes.reduce<Change | null>(
    (best, change) => (change.confidence > (best?.confidence ?? 0) ? change : best),
    null,
  );
}
