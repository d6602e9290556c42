import type { Classification } from "../../../domain/auto-supersession.ts";
import type { SupersessionClassifier } from "../../supersession-classifier.ts";
import { changeBetween } from "./change.ts";
import type { Statement } from "./statement.ts";
import { readStatements } from "./statements.ts";
import type { Change } from "./verdict.ts";

const MODEL = "attribute-change-1";

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
    async classify({ fact, candidates }, signal): Promise<Classification> {
      const next = readStatements(fact.decision);
      let best: { index: number; change: Change } | null = null;
      for (const [index, candidate] of candidates.entries()) {
        signal.throwIfAborted();
        const change = strongestChange(next, readStatements(candidate.decision));
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
      const { index, change } = best;
      return { supersededIndex: index, ...change, model: MODEL };
    },
  };
}

function strongestChange(
  next: readonly Statement[],
  previous: readonly Statement[],
): Change | null {
  let strongest: Change | null = null;
  for (const statement of next) {
    for (const other of previous) {
      const change = changeBetween(statement, other);
      if (change !== null && change.confidence > (strongest?.confidence ?? 0)) strongest = change;
    }
  }
  return strongest;
}
