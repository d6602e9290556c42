import type { ChatMessage } from "../../../src/domain/memory-write.ts";

const MESSAGES = 4;
const SENTENCES_A_MESSAGE = 56;
const WORDS_A_SENTENCE = 72;

/** A conversation as long as the local extractor reads, in which it finds nothing: a second of work. */
export const HEAVY_CONVERSATION: readonly ChatMessage[] = Array.from(
  { length: MESSAGES },
  (_, message) => ({
    role: "user",
    content: Array.from({ length: SENTENCES_A_MESSAGE }, (_, sentence) =>
      Array.from({ length: WORDS_A_SENTENCE }, (_, i) => `w${message}${sentence}${i}`).join(", "),
    ).join(". "),
  }),
);
