import { CONVERSATIONS, type LabelledConversation } from "./conversations.ts";
import { DEVELOPMENT_CONVERSATIONS } from "./development/conversations.ts";
import { DEVELOPMENT_PAIRS } from "./development/pairs.ts";
import { DEVELOPMENT_QUESTIONS } from "./development/questions.ts";
import { FRESH_CONVERSATIONS } from "./fresh/conversations.ts";
import { FRESH_PAIRS } from "./fresh/pairs.ts";
import { FRESH_QUESTIONS } from "./fresh/questions.ts";
import { type LabelledPair, PAIRS } from "./pairs.ts";
import { type LabelledQuestion, QUESTIONS } from "./questions.ts";

/** What one part of the labelled set asks of the models. */
export interface LabelledSet {
  readonly conversations: readonly LabelledConversation[];
  readonly questions: readonly LabelledQuestion[];
  readonly pairs: readonly LabelledPair[];
}

/**
 * What is measured apart. `plain`, short and clear statements, is what the tests
 * hold the local models to. `development`, as people write, may be looked at while
 * the models are improved too. `fresh`, of the same difficulty, is only measured, so
 * that a rule made for one example shows.
 */
export const PARTS = {
  plain: { conversations: CONVERSATIONS, questions: QUESTIONS, pairs: PAIRS },
  development: {
    conversations: DEVELOPMENT_CONVERSATIONS,
    questions: DEVELOPMENT_QUESTIONS,
    pairs: DEVELOPMENT_PAIRS,
  },
  fresh: {
    conversations: FRESH_CONVERSATIONS,
    questions: FRESH_QUESTIONS,
    pairs: FRESH_PAIRS,
  },
} satisfies Record<string, LabelledSet>;
