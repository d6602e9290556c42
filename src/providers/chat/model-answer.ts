import { Failure } from "../../domain/failure.ts";
import type { ChatCompletion, ChatModel, ChatPrompt } from "../chat-model.ts";
import { type ModelCall, type ModelUsage, watched } from "../model-call.ts";
import { withoutThinking } from "./thinking.ts";

const NONSENSE_RETRY_AFTER_SECONDS = 5;

/**
 * Asks a model and reports the cost. `read` parses the answer, and throws for a useless one.
 * `onText` receives the answer in pieces before that; null: the model is asked for a whole
 * answer. Rejects as the model, `read` and `onText` do.
 */
export function askModel<T>(
  operation: ModelUsage["operation"],
  chatModel: ChatModel,
  prompt: ChatPrompt,
  call: ModelCall,
  read: (completion: ChatCompletion) => T,
  onText: ((text: string) => void) | null = null,
): Promise<T> {
  const called = { operation, provider: chatModel.provider, model: chatModel.model };
  return watched(call, called, async (tell) => {
    const completion = await (onText === null
      ? chatModel.complete(prompt, call)
      : chatModel.stream(prompt, call, onText));
    const { inputTokens, outputTokens, durationMs, attempts } = completion;
    tell(completion);
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

/** The text of a complete answer. Throws `model_unavailable` for one that was cut off. */
export function wholeText({ text, isCutOff }: ChatCompletion): string {
  if (isCutOff) throw nonsense("an answer longer than its limit");
  return text;
}

/** The JSON object in an answer, also in a code fence, in prose or after thoughts; null: none is complete. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const said = withoutThinking(text);
  const json = said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1);
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text in one line, without control characters and lone surrogates. "": the value is no text. */
export function oneLine(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
