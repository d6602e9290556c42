import { Failure } from "../../domain/failure.ts";
import type { ChatCompletion, ChatModel, ChatPrompt } from "../chat-model.ts";
import { type ModelCall, type ModelUsage, watched } from "../model-call.ts";
import { withoutThinking } from "./thinking.ts";

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
    // Loaded at the first answer: most services call no chat model.
    repair ??= (await import("jsonrepair")).jsonrepair;
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

/**
 * The list of objects under `key` in an answer: also in a code fence, in prose, after
 * thoughts, without the object around it, with slips such as a comma too many, or cut off.
 * null: there is none.
 */
export function listIn(text: string, key: string): readonly unknown[] | null {
  const said = withoutThinking(text);
  const value = parsed(said, said.search(/[{[]/u)) ?? parsed(said, said.indexOf("{"));
  const list = isObject(value) ? value[key] : value;
  if (!Array.isArray(list)) return null;
  return list.length === 0 || list.some(isObject) ? list : null;
}

/** The JSON from a place on; undefined: there is none. */
function parsed(text: string, start: number): unknown {
  if (start < 0) return undefined;
  // What was cut off behind the last bracket is no whole entry.
  const json = text.slice(start, Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1);
  try {
    return JSON.parse(json);
  } catch {
    return repaired(json);
  }
}

let repair: ((json: string) => string) | null = null;

/** The time of a repair is the square of the length, in milliseconds for the longest. */
const MAX_REPAIRED_CHARACTERS = 6_144;

function repaired(json: string): unknown {
  if (json.length > MAX_REPAIRED_CHARACTERS) return undefined;
  try {
    return JSON.parse(repair?.(json) ?? "");
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
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
