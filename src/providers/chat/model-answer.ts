import { Failure } from "../../domain/failure.ts";
import type { ChatCompletion, ChatModel, ChatPrompt } from "../chat-model.ts";
import { type ModelCall, type ModelUsage, watched } from "../model-call.ts";
import { loadRepair } from "./json-list.ts";

const NONSENSE_RETRY_AFTER_SECONDS = 5;

/**
 * Asks a model and reports the cost. `read` parses the answer, and throws for a useless one.
 * `onText` receives the answer in pieces before that. Rejects as the model, `read` and `onText` do.
 */
export function askModel<T>(
  operation: ModelUsage["operation"],
  chatModel: ChatModel,
  prompt: ChatPrompt,
  call: ModelCall,
  read: (completion: ChatCompletion) => T,
  onText?: (text: string) => void,
): Promise<T> {
  const called = { operation, provider: chatModel.provider, model: chatModel.model };
  return watched(call, called, async (tell) => {
    const completion = await chatModel.complete(prompt, call, onText);
    const { inputTokens, outputTokens, durationMs, attempts } = completion;
    tell(completion);
    await loadRepair();
    call.report?.({ ...called, inputTokens, outputTokens, durationMs, attempts });
    return read(completion);
  });
}

/**
 * A model answered nonsense (D28). There is no second try: the vendor enforces a schema, and
 * the model would mostly repeat itself, at the same price and within the same deadline. The
 * caller may retry.
 */
export function nonsense(answer: string): Failure {
  return new Failure("model_unavailable", `the language model gave ${answer}; try again`, {
    retryAfterSeconds: NONSENSE_RETRY_AFTER_SECONDS,
  });
}

/** The time of the request ended before a model answered (D28). */
export function tooLate(): Failure {
  return new Failure("model_unavailable", "the language model took too long; try again", {
    retryAfterSeconds: NONSENSE_RETRY_AFTER_SECONDS,
  });
}

/** The text of an answer. Throws `model_unavailable` where the model refused. */
export function saidText({ text, isRefused }: ChatCompletion): string {
  if (isRefused) throw nonsense("a refusal");
  return text;
}

/** A text in one line, without control characters and lone surrogates. "": the value is no text. */
export function oneLine(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
