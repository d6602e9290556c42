import type { ModelCall } from "./model-call.ts";
import { unusable } from "./upstream/upstream-error.ts";

/** What a chat model is asked. */
export interface ChatPrompt {
  /** Our instructions. Nothing that a user wrote may be in here. */
  readonly system: string;
  /** What it is about: user text, delimited as data. */
  readonly user: string;
  /**
   * JSON Schema that the answer must match; the vendor is asked to hold the model
   * to it, and the answer is parsed with distrust all the same. null: prose.
   */
  readonly schema: object | null;
  readonly maxOutputTokens: number;
}

/** What a chat model answered. Untrusted. */
export interface ChatCompletion {
  /** "": it said nothing. */
  readonly text: string;
  /** Whether it ended at `maxOutputTokens`, before the model had said all. */
  readonly isCutOff: boolean;
  /** null: the provider does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Requests that it took; 1: the first succeeded. */
  readonly attempts: number;
  /** With retries and waits. */
  readonly durationMs: number;
}

/** A vendor's chat model: one question, one answer. */
export interface ChatModel {
  /** "gemini" or "openai". */
  readonly provider: string;
  readonly model: string;
  /**
   * Whether thoughts may stand in its text, and without the tag that begins them: servers
   * of open models leave that out.
   */
  readonly mayThinkAloud: boolean;
  /**
   * Throws a `Failure` with the reason `model_unavailable` (and a wait) when the
   * model can't be reached, times out, refuses, or answers what can't be read, after its
   * retries. Aborting the signal ends the call at once.
   */
  complete(prompt: ChatPrompt, call: ModelCall): Promise<ChatCompletion>;
  /**
   * The same, and `onText` is given the text in pieces as the vendor sends them: valid
   * Unicode each, and nothing of a try that was repeated. What `onText` throws ends the
   * call, which then rejects with it if it is a `Failure`.
   *
   * Throws as `complete` does, also where an answer breaks off that had begun: then
   * nothing is tried again.
   */
  stream(
    prompt: ChatPrompt,
    call: ModelCall,
    onText: (text: string) => void,
  ): Promise<ChatCompletion>;
  /**
   * Does one of many pieces of work, each with calls, when it is its turn: the pieces of
   * all that is long take turns with one another and leave room for other calls. The wait
   * is no part of any call's time; aborting the signal ends it.
   */
  inTurn<T>(work: () => Promise<T>, call: ModelCall): Promise<T>;
}

/**
 * What a model that always thinks may spend on thinking. Its thoughts count as
 * output: with a limit for the answer alone it could end before it answers.
 */
export const THOUGHT_TOKENS = 8_192;

/** More than any model says in the tokens that our prompts allow. An answer is read in one go. */
export const MAX_ANSWER_CHARACTERS = 256 * 1024;

/** The text of an answer, as valid Unicode; "" of one that says nothing. Throws an `UpstreamError` when it is none, or too long. */
export function answerText(text: unknown): string {
  if (typeof text !== "string") throw unusable("an answer without text");
  if (text.length > MAX_ANSWER_CHARACTERS) throw unusable("an answer longer than its limit");
  return text.toWellFormed();
}
