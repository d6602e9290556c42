import type { ModelCall } from "./model-call.ts";
import { unusable } from "./upstream/upstream-error.ts";

/** The prompt of a chat model. */
export interface ChatPrompt {
  /** Our instructions. They never contain text of a user. */
  readonly system: string;
  /** Text of users, delimited as data. */
  readonly user: string;
  /**
   * JSON Schema of the answer, which the vendor is asked to enforce; null: prose. The answer
   * is still parsed as untrusted.
   */
  readonly schema: object | null;
  readonly maxOutputTokens: number;
}

/** The answer of a chat model. Untrusted. */
export interface ChatCompletion {
  /** "": an empty answer. */
  readonly text: string;
  /** Whether it ended at `maxOutputTokens`, before the model was done. */
  readonly isCutOff: boolean;
  /** Whether the model or its vendor's filter refused to answer, or to go on. */
  readonly isRefused: boolean;
  /** null: the provider does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Number of requests; 1: the first succeeded. */
  readonly attempts: number;
  /** Includes retries and waits. */
  readonly durationMs: number;
}

/** A vendor's chat model: one question, one answer. */
export interface ChatModel {
  /** "gemini" or "openai". */
  readonly provider: string;
  readonly model: string;
  /**
   * Whether its text may contain thoughts, even without the opening tag: servers of open
   * models omit that tag.
   */
  readonly mayThinkAloud: boolean;
  /**
   * Throws a `Failure` with the reason `model_unavailable` and a wait when the model is
   * unreachable, times out, or sends what is no answer, after its retries. An abort of the
   * signal ends the call at once.
   */
  complete(prompt: ChatPrompt, call: ModelCall): Promise<ChatCompletion>;
  /**
   * As `complete`, but `onText` receives the text in pieces as the vendor sends them. Each
   * piece is valid Unicode, and a repeated try contributes nothing. An error of `onText`
   * ends the call, which rejects with it if it is a `Failure`.
   *
   * Throws as `complete` does. An answer that breaks off after its first piece is an error
   * without another try.
   */
  stream(
    prompt: ChatPrompt,
    call: ModelCall,
    onText: (text: string) => void,
  ): Promise<ChatCompletion>;
  /**
   * Runs one part of long work, with its calls, when its turn comes. The parts of all long
   * work share a limit, so that other calls find room. The wait counts for no call's
   * timeout; an abort of the signal ends it.
   */
  inTurn<T>(work: () => Promise<T>, call: ModelCall): Promise<T>;
}

/**
 * Output tokens for the thoughts of a model that always thinks. Thoughts count as output: a
 * limit for the answer alone could end the call before the answer.
 */
export const THOUGHT_TOKENS = 8_192;

/** More than any model writes within the tokens that our prompts allow. */
export const MAX_ANSWER_CHARACTERS = 256 * 1024;

/** The text of an answer, as valid Unicode. Throws an `UpstreamError` for no text, or too much. */
export function answerText(text: unknown): string {
  if (typeof text !== "string") throw unusable("an answer without text");
  if (text.length > MAX_ANSWER_CHARACTERS) throw unusable("an answer longer than its limit");
  return text.toWellFormed();
}
