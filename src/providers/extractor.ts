import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import type { ChatMessage } from "../domain/memory-write.ts";
import type { FactRejection, ModelCall } from "./model-call.ts";

export interface Conversation {
  /** Oldest first; at least one. */
  readonly messages: readonly ChatMessage[];
  /** The time of the conversation; relative dates count from it. */
  readonly at: Instant;
  /** A fact of one of these categories is marked with it (D24). */
  readonly categories: readonly string[];
}

/** One atomic fact found in a conversation. Its summary is the same fact in one line. */
export interface ExtractedFact extends Pick<Memory, "summary" | "topic" | "importanceScore"> {
  /** The fact, complete without the conversation: its subject named, its dates resolved. */
  readonly decision: string;
  /** The message that states it, counted from 0. */
  readonly messageIndex: number;
  /** Words of the message that it was taken from; undefined or "": not known. */
  readonly quote?: string;
  /** The start that its message states (D17), past or future; null: it states none. */
  readonly validFrom: Instant | null;
  /** The end that its message states, past or future; null: it states none. */
  readonly validTo: Instant | null;
  /** Its category, one of the conversation's; null: none is known. */
  readonly category: string | null;
}

/** What a user takes back (D25a). "They no longer live in Lisbon" is a fact beside it. */
export interface Retraction extends Pick<ExtractedFact, "topic" | "category" | "messageIndex"> {
  /** The former statement, complete like a fact: "The user lives in Lisbon". */
  readonly text: string;
}

/** A statement of a user, or one that a model ascribes to a user, that is not stored. */
export interface RejectedFact {
  /** The model's wording. Untrusted. null: the message was not read, or too many were rejected. */
  readonly fact: string | null;
  /** Whether the model says that the user took it back. */
  readonly isRetraction: boolean;
  /** The user's message that it comes from, counted from 0; null: none is known. */
  readonly messageIndex: number | null;
  /**
   * `unsupported_language`: the model does not read the language of the message, or of some of
   * it. `unread`: the request ended before all of the message was read, or what the model said of
   * it cannot be read (D27b); or rules read nothing in it. `refused`: the model refused to read it.
   */
  readonly reason: FactRejection | "unsupported_language" | "unread" | "refused";
}

/** The limit of an extraction. With retractions that end nothing, a response has 1,000. */
export const MAX_REJECTED_FACTS = 900;
/** The limit of an extraction. */
export const MAX_RETRACTIONS = 100;

export interface FoundFacts {
  /** In the order of the conversation, without duplicates. */
  readonly facts: readonly ExtractedFact[];
  /** Statements that users took back, in the order of the conversation. */
  readonly retractions: readonly Retraction[];
  /** Statements that were not believed, and messages that were not read. */
  readonly rejected: readonly RejectedFact[];
}

/** Finds the facts worth remembering in a conversation. */
export interface Extractor {
  readonly provider: string;
  readonly model: string;
  /**
   * Returns the facts of the conversation, if any. Every fact names a message of the conversation.
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does not answer, or
   * answers nonsense.
   */
  extract(conversation: Conversation, call: ModelCall): Promise<FoundFacts>;
}
