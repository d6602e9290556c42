import type { LabelledBelief } from "./beliefs.ts";
import type { LabelledConversation, MixedConversation } from "./conversations.ts";
import type { EverydayChange } from "./everyday.ts";
import type { LabelledPair } from "./pairs.ts";
import type { LabelledQuestion } from "./questions.ts";
import { readLabels } from "./read-labels.ts";
import type { LabelledRelevance, LabelledTenant } from "./relevance.ts";
import type { LabelledRetraction } from "./retractions.ts";
import type { LabelledSensitive } from "./sensitive.ts";
import type { LabelledUpdate } from "./updates.ts";

/** What one part of the labelled set asks of the models. */
export interface LabelledSet {
  readonly conversations: readonly LabelledConversation[];
  readonly mixed: readonly MixedConversation[];
  readonly questions: readonly LabelledQuestion[];
  /** As an agent's user asks of a life and a project: of the present, of what was before, and of what nothing states. */
  readonly everydayQuestions: readonly LabelledQuestion[];
  readonly pairs: readonly LabelledPair[];
  readonly beliefs: readonly LabelledBelief[];
  readonly updates: readonly LabelledUpdate[];
  readonly everyday: readonly EverydayChange[];
  readonly present: readonly EverydayChange[];
  /** Of the same kinds, and the first fact in the user's words too. */
  readonly told: readonly EverydayChange[];
  readonly multilingual: readonly LabelledUpdate[];
  readonly retractions: readonly LabelledRetraction[];
  readonly sensitive: readonly LabelledSensitive[];
  /** Statements of everyday, half of which only have words that come near to a category. */
  readonly gate: readonly LabelledSensitive[];
  readonly relevance: readonly LabelledRelevance[];
  readonly tenants: readonly LabelledTenant[];
}

/**
 * What is measured apart. `plain`, short and clear statements, is what the tests
 * hold the local models to. `development`, as people write, may be looked at while
 * the models are improved too. `fresh`, of the same difficulty, is only measured, so
 * that a rule made for one example shows: whoever labelled it has seen no rule. Its totals
 * have chosen what stays. `unseen` is measured before and after work on the rules alone.
 */
export const PARTS = {
  plain: readSet("plain"),
  development: readSet("development"),
  fresh: readSet("fresh"),
  unseen: readSet("unseen"),
} satisfies Record<string, LabelledSet>;

function readSet(part: string): LabelledSet {
  return {
    conversations: readLabels(part, "conversations"),
    mixed: readLabels(part, "mixed"),
    questions: readLabels(part, "questions"),
    everydayQuestions: readLabels(part, "everyday-questions"),
    pairs: readLabels(part, "pairs"),
    beliefs: readLabels(part, "beliefs"),
    updates: readLabels(part, "updates"),
    everyday: readLabels(part, "everyday"),
    present: readLabels(part, "present"),
    told: readLabels(part, "told"),
    multilingual: readLabels(part, "multilingual"),
    retractions: readLabels(part, "retractions"),
    sensitive: readLabels(part, "sensitive"),
    gate: readLabels(part, "gate"),
    relevance: readLabels(part, "relevance"),
    tenants: readLabels(part, "tenants"),
  };
}
