import type { Instant } from "./instant.ts";
import type { WriteScope } from "./memory-write.ts";

/** The rejected facts of one account. Beyond them the oldest are dropped. */
export const MAX_KEPT_REJECTED_FACTS = 500;
/** A longer fact is cut, with an ellipsis at its end. */
export const MAX_REJECTED_FACT_CHARACTERS = 2_000;
/** A longer message is cut, with an ellipsis at its end. */
export const MAX_REJECTED_MESSAGE_CHARACTERS = 2_000;

/** Something that was said in a conversation and came to nothing (D27a), kept to be reviewed. */
export interface KeptRejectedFact
  extends Pick<WriteScope, "tenantId" | "sessionId" | "source" | "metadata"> {
  /** A UUID; their order is that in which they were kept. */
  readonly id: string;
  readonly rejectedAt: Instant;
  /** When the conversation took place. */
  readonly saidAt: Instant;
  /** As it was extracted; null: there is no text of it. */
  readonly fact: string | null;
  /** Whether `fact` is only the beginning. */
  readonly isFactCut: boolean;
  /** Whether a user is said to have taken it back: it is not to be remembered then. */
  readonly isRetraction: boolean;
  /** The beginning of the message that it is about; null: none is known. */
  readonly message: string | null;
  /** Its place in the conversation, counted from 0; null: none is known. */
  readonly messageIndex: number | null;
  /** One word, as the response of the write has it. */
  readonly reason: string;
}

/** A text, or what fits of it into so many characters, with an ellipsis behind it. */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  // Not between the two halves of one character.
  return `${text.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
