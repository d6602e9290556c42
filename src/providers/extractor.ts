import type { ChatMessage } from "../domain/conversation.ts";
import type { Instant } from "../domain/instant.ts";
import type { FactRejection, ModelCall } from "./model-call.ts";

export interface Conversation {
  /** Oldest first; at least one. */
  readonly messages: readonly ChatMessage[];
  /** When it took place; relative dates are resolved against it. */
  readonly at: Instant;
  /** Categories that a fact is to be marked with if it falls into one (D24). */
  readonly categories: readonly string[];
}

/** One atomic fact found in a conversation. */
export interface ExtractedFact {
  /** The fact, complete without the conversation: subject named, dates resolved. */
  readonly decision: string;
  /** The same fact in one line. */
  readonly summary: string;
  /** 1 to 256 characters. */
  readonly topic: string;
  /** 1 to 10, on the interface's scale. */
  readonly importanceScore: number;
  /** The message it came from, counted from 0. */
  readonly messageIndex: number;
  /** The start that its message states (D17), wherever it lies; null: it states none. */
  readonly validFrom: Instant | null;
  /** The end that its message states, wherever it lies; null: it states none. */
  readonly validTo: Instant | null;
  /** The one of the conversation's categories that it falls into; null: none is known. */
  readonly category: string | null;
}

/**
 * A statement that a user takes back (D25a). What holds instead, if they say so, is a fact
 * of its own: "The user no longer lives in Lisbon".
 */
export interface Retraction {
  /** What was held before, complete like a fact: "The user lives in Lisbon". */
  readonly text: string;
  /** 1 to 256 characters. */
  readonly topic: string;
  /** The one of the conversation's categories that it falls into; null: none is known. */
  readonly category: string | null;
  /** The message that takes it back, counted from 0. */
  readonly messageIndex: number;
}

/** Something that a user said, or a model says that a user said, and that is not remembered. */
export interface RejectedFact {
  /** As the model stated it. Untrusted. null: the message itself could not be read, or was not. */
  readonly fact: string | null;
  /** Whether the user is said to have taken it back, so that it is not to be remembered. */
  readonly isRetraction: boolean;
  /** The user's message that it is about, counted from 0; null: none is known. */
  readonly messageIndex: number | null;
  /**
   * `unsupported_language`: the message is in no language that the model reads. `unread`:
   * the time of the request ended before all of the message was read (D27b).
   */
  readonly reason: FactRejection | "unsupported_language" | "unread";
}

/** No extraction names more. With what was taken back and ends nothing a response has 1,000. */
export const MAX_REJECTED_FACTS = 900;
/** No extraction names more. */
export const MAX_RETRACTIONS = 100;

export interface FoundFacts {
  /** In the order of the conversation, none twice. */
  readonly facts: readonly ExtractedFact[];
  /** What users took back, in the order of the conversation. */
  readonly retractions: readonly Retraction[];
  /** What was not believed or not read. */
  readonly rejected: readonly RejectedFact[];
}

/** Finds the facts worth remembering in a conversation. */
export interface Extractor {
  readonly provider: string;
  readonly model: string;
  /**
   * The facts of the conversation; none where there is nothing to remember. Every
   * fact names a message of the conversation.
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does
   * not answer or answers nonsense.
   */
  extract(conversation: Conversation, call: ModelCall): Promise<FoundFacts>;
}
