import type { LabelledBelief } from "./beliefs.ts";
import { CONVERSATIONS, type LabelledConversation } from "./conversations.ts";
import { DEVELOPMENT_BELIEFS } from "./development/beliefs.ts";
import { DEVELOPMENT_CONVERSATIONS } from "./development/conversations.ts";
import { EVERYDAY_CHANGES } from "./development/everyday-changes.ts";
import { EVERYDAY_NEAR_MISSES } from "./development/everyday-near-misses.ts";
import { KEPT_PAIRS } from "./development/kept-pairs.ts";
import { MORE_EVERYDAY_CHANGES } from "./development/more-everyday-changes.ts";
import { MORE_KEPT_PAIRS } from "./development/more-kept-pairs.ts";
import { MULTILINGUAL_UPDATES } from "./development/multilingual.ts";
import { DEVELOPMENT_PAIRS } from "./development/pairs.ts";
import { DEVELOPMENT_QUESTIONS } from "./development/questions.ts";
import { DEVELOPMENT_RELEVANCE } from "./development/relevance.ts";
import { DEVELOPMENT_RETRACTIONS } from "./development/retractions.ts";
import { DEVELOPMENT_SENSITIVE } from "./development/sensitive.ts";
import { DEVELOPMENT_UPDATES } from "./development/updates.ts";
import type { EverydayChange } from "./everyday.ts";
import { FRESH_BELIEFS } from "./fresh/beliefs.ts";
import { FRESH_CONVERSATIONS } from "./fresh/conversations.ts";
import { FRESH_PAIRS } from "./fresh/pairs.ts";
import { FRESH_QUESTIONS } from "./fresh/questions.ts";
import { FRESH_RELEVANCE } from "./fresh/relevance.ts";
import { FRESH_RETRACTIONS } from "./fresh/retractions.ts";
import { FRESH_SENSITIVE } from "./fresh/sensitive.ts";
import { FRESH_UPDATES } from "./fresh/updates.ts";
import { type LabelledPair, PAIRS } from "./pairs.ts";
import { type LabelledQuestion, QUESTIONS } from "./questions.ts";
import type { LabelledRelevance } from "./relevance.ts";
import type { LabelledRetraction } from "./retractions.ts";
import type { LabelledSensitive } from "./sensitive.ts";
import type { LabelledUpdate } from "./updates.ts";

/** What one part of the labelled set asks of the models. */
export interface LabelledSet {
  readonly conversations: readonly LabelledConversation[];
  readonly questions: readonly LabelledQuestion[];
  readonly pairs: readonly LabelledPair[];
  readonly beliefs: readonly LabelledBelief[];
  readonly updates: readonly LabelledUpdate[];
  readonly everyday: readonly EverydayChange[];
  readonly multilingual: readonly LabelledUpdate[];
  readonly retractions: readonly LabelledRetraction[];
  readonly sensitive: readonly LabelledSensitive[];
  readonly relevance: readonly LabelledRelevance[];
}

/**
 * What is measured apart. `plain`, short and clear statements, is what the tests
 * hold the local models to. `development`, as people write, may be looked at while
 * the models are improved too. `fresh`, of the same difficulty, is only measured, so
 * that a rule made for one example shows.
 */
export const PARTS = {
  plain: {
    conversations: CONVERSATIONS,
    questions: QUESTIONS,
    pairs: PAIRS,
    beliefs: [],
    updates: [],
    everyday: [],
    multilingual: [],
    retractions: [],
    sensitive: [],
    relevance: [],
  },
  development: {
    conversations: DEVELOPMENT_CONVERSATIONS,
    questions: DEVELOPMENT_QUESTIONS,
    pairs: [...DEVELOPMENT_PAIRS, ...KEPT_PAIRS, ...MORE_KEPT_PAIRS],
    beliefs: DEVELOPMENT_BELIEFS,
    updates: DEVELOPMENT_UPDATES,
    multilingual: MULTILINGUAL_UPDATES,
    everyday: [...EVERYDAY_CHANGES, ...MORE_EVERYDAY_CHANGES, ...EVERYDAY_NEAR_MISSES],
    retractions: DEVELOPMENT_RETRACTIONS,
    sensitive: DEVELOPMENT_SENSITIVE,
    relevance: DEVELOPMENT_RELEVANCE,
  },
  fresh: {
    conversations: FRESH_CONVERSATIONS,
    questions: FRESH_QUESTIONS,
    pairs: FRESH_PAIRS,
    beliefs: FRESH_BELIEFS,
    updates: FRESH_UPDATES,
    everyday: [],
    multilingual: [],
    retractions: FRESH_RETRACTIONS,
    sensitive: FRESH_SENSITIVE,
    relevance: FRESH_RELEVANCE,
  },
} satisfies Record<string, LabelledSet>;
