import { changeOf, LIKELY, readNewFact } from "./changes.ts";
import { giveWay } from "./give-way.ts";
import type { NamedCandidate, SupersessionClassifier } from "./models.ts";
import { saidBefore } from "./said-before.ts";

const MODEL = "attribute-change-6";

/**
 * Compares facts word by word: another value of an attribute ends the older one (D23b), and so do
 * signs of newness. Made for short English statements; what it cannot read replaces nothing.
 */
export function createLocalClassifier(): SupersessionClassifier {
  return {
    async classify({ fact, isRetraction, candidates }, { signal }) {
      const told = readNewFact(fact.decision.replace(REASON, ""));
      const superseded: NamedCandidate[] = [];
      for (const [index, { decision }] of candidates.entries()) {
        await giveWay(signal);
        const change = isRetraction
          ? saidBefore(fact.decision, decision)
          : changeOf(told, decision);
        if (change === null) continue;
        superseded.push({ index, confidence: change.confidence, reason: change.reason });
      }
      const reason = "No other candidate gives another value of what the fact states.";
      return { superseded, confidence: LIKELY, reason, model: MODEL };
    },
  };
}

/** Why it is so, and what is not so besides. */
const REASON = /,? because (?:of )?[^,.;]+(?=$|[,.;])|, [^,.;]{2,20} (?:no|not)(?=$|[.!])/iu;
