import { answerText, type ChatModel, type ChatPrompt, THOUGHT_TOKENS } from "../chat-model.ts";
import { tokenCount } from "../model-call.ts";
import { createRemoteChatModel, type StreamedText } from "../remote-chat-model.ts";
import { isEventStream } from "../upstream/exchange.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { UpstreamError, unusable } from "../upstream/upstream-error.ts";
import {
  createParameterChoice,
  OPENAI_BASE_URL,
  type OptionalParameter,
  post,
  postForStream,
} from "./client.ts";

const PATH = "/chat/completions";
/** The event behind the last piece. */
const DONE = "[DONE]";

/** An answer, or a piece of one, as the API describes it. Untrusted. */
interface Completion {
  readonly choices?: readonly (Choice | null)[] | null;
  readonly usage?: {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
  } | null;
}

interface Choice {
  readonly index?: unknown;
  readonly message?: Said | null;
  /** In the place of `message`, in a piece. */
  readonly delta?: Said | null;
  readonly finish_reason?: string | null;
}

interface Said {
  readonly content?: unknown;
  readonly refusal?: unknown;
}

/** OpenAI's models that think: they take no temperature, and the newer name of the limit. */
const THINKS = /^(?:o\d|gpt-[5-9])/;
/** Open models that think: their makers advise against a temperature of 0. */
const WANTS_OWN_TEMPERATURE =
  /(?:^|\/)(?:gpt-oss|qwen3|qwq|deepseek-r|deepseek-reasoner|magistral)/i;

function omittedFor(model: string): OptionalParameter[] {
  if (THINKS.test(model)) return ["temperature", "max_tokens"];
  return WANTS_OWN_TEMPERATURE.test(model) ? ["temperature"] : [];
}

/** A chat model of an endpoint that speaks the OpenAI API. */
export function createOpenAiChatModel(options: RemoteModel): ChatModel {
  const { model, upstream } = options;
  const parameters = createParameterChoice(
    ["response_format", "temperature", "max_tokens", "stream_options", "stream"],
    omittedFor(model),
  );
  // The vendor's own models keep thoughts apart; another address may serve any model.
  const mayThinkAloud = options.baseUrl !== OPENAI_BASE_URL;
  return createRemoteChatModel({ provider: "openai", model, mayThinkAloud }, upstream, {
    async complete(prompt) {
      const completion = await parameters.send((omitted) =>
        post(options, PATH, requestFor(model, prompt, omitted)),
      );
      return readCompletion(completion);
    },
    async stream(prompt, text) {
      const response = await parameters.send((omitted) =>
        postForStream(options, PATH, streamRequestFor(model, prompt, omitted)),
      );
      if (isEventStream(response.headers.get("content-type") ?? "")) {
        return readStream(piecesOf(response), text);
      }
      // Some endpoints send a whole answer nevertheless.
      const completion = readCompletion(await response.json());
      text.push(completion.text);
      return completion;
    },
  });
}

function requestFor(
  model: string,
  { system, user, schema, maxOutputTokens }: ChatPrompt,
  omitted: ReadonlySet<OptionalParameter>,
): object {
  const isSchemaTold = schema !== null && omitted.has("response_format");
  return {
    model,
    messages: [
      { role: "system", content: isSchemaTold ? withSchema(system, schema) : system },
      { role: "user", content: user },
    ],
    ...(!omitted.has("temperature") && { temperature: 0 }),
    // Models that think before they answer want the newer name.
    ...(omitted.has("max_tokens")
      ? { max_completion_tokens: maxOutputTokens + THOUGHT_TOKENS }
      : { max_tokens: maxOutputTokens }),
    ...(schema !== null &&
      !isSchemaTold && {
        response_format: {
          type: "json_schema",
          json_schema: { name: "answer", strict: true, schema: { ...schema } },
        },
      }),
  };
}

function streamRequestFor(
  model: string,
  prompt: ChatPrompt,
  omitted: ReadonlySet<OptionalParameter>,
): object {
  return {
    ...requestFor(model, prompt, omitted),
    ...(!omitted.has("stream") && {
      stream: true,
      ...(!omitted.has("stream_options") && { stream_options: { include_usage: true } }),
    }),
  };
}

/** For an endpoint that cannot enforce a schema. */
function withSchema(system: string, schema: object): string {
  return `${system}\n\nAnswer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;
}

function readCompletion(completion: unknown) {
  if (typeof completion !== "object") throw new UpstreamError({ kind: "garbled" });
  const { choices, usage }: Completion = completion ?? {};
  const choice = choices?.[0];
  return {
    text: answerText(choice?.message && (choice.message.content ?? "")),
    isCutOff: choice?.finish_reason === "length",
    isRefused: isRefusal(choice?.message?.refusal, choice?.finish_reason),
    ...readUsage(usage),
  };
}

async function* piecesOf({ body }: Response): AsyncGenerator<Completion | null> {
  // Loaded at the first such answer: most services call no such model.
  const { EventSourceParserStream } = await import("eventsource-parser/stream");
  const events = body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events ?? []) {
    if (data.startsWith(DONE)) return;
    yield JSON.parse(data);
  }
}

/** Reads an answer in pieces. Of several choices it reads the first. */
async function readStream(chunks: AsyncIterable<Completion | null>, text: StreamedText) {
  let finishReason: string | null = null;
  let isRefused = false;
  let usage: Completion["usage"];
  for await (const chunk of chunks) {
    const choices: unknown = chunk?.choices ?? [];
    if (!Array.isArray(choices)) throw unusable("a piece of another shape");
    const choice: Choice | null | undefined = choices.find((each) => !each?.index);
    isRefused ||= isRefusal(choice?.delta?.refusal, choice?.finish_reason);
    text.push(choice?.delta?.content);
    finishReason = choice?.finish_reason ?? finishReason;
    // Usage follows the last piece, or comes with each piece as a running total.
    usage = chunk?.usage ?? usage;
  }
  // A complete answer has a finish reason.
  if (finishReason === null) throw new UpstreamError({ kind: "garbled" });
  const isCutOff = finishReason === "length";
  return { text: text.end(), isCutOff, isRefused, ...readUsage(usage) };
}

/** Whether the model refused, or the vendor's filter did. */
function isRefusal(refusal: unknown, finishReason: string | null | undefined): boolean {
  return Boolean(refusal) || finishReason === "content_filter";
}

function readUsage(usage: Completion["usage"]) {
  return {
    inputTokens: tokenCount(usage?.prompt_tokens),
    outputTokens: tokenCount(usage?.completion_tokens),
  };
}
