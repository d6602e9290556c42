import type { ChatMessage } from "../domain/chat-message.ts";
import type { Instant } from "../domain/instant.ts";
import type { ReportUsage } from "./model-call.ts";

export interface Conversation {
  /** Oldest first; at least one. */
  readonly messages: readonly ChatMessage[];
  /** When it took place; relative dates are resolved against it. */
  readonly at: Instant;
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
}

/** Finds the facts worth remembering in a conversation. */
export interface Extractor {
  readonly provider: string;
  readonly model: string;
  /**
   * The facts, in the order of the conversation; none where there is nothing to
   * remember. Every fact names a message of the conversation, and no fact is
   * named twice.
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does
   * not answer or answers nonsense.
   */
  extract(
    conversation: Conversation,
    signal: AbortSignal,
    report?: ReportUsage,
  ): Promise<ExtractedFact[]>;
}
