import type { OpenAI } from "openai";
import { answerText, type ChatModel, type ChatPrompt, THOUGHT_TOKENS } from "../chat-model.ts";
import { tokenCount } from "../model-call.ts";
import { createRemoteChatModel, type StreamedText } from "../remote-chat-model.ts";
import { isEventStream } from "../upstream/exchange.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { UpstreamError, unusable } from "../upstream/upstream-error.ts";
import {
  createOpenAiClient,
  createParameterChoice,
  OPENAI_BASE_URL,
  type OptionalParameter,
} from "./client.ts";

type Completion = OpenAI.Chat.ChatCompletion;
type Choice = OpenAI.Chat.ChatCompletion.Choice;
type Chunk = OpenAI.Chat.ChatCompletionChunk;
type ChunkChoice = OpenAI.Chat.ChatCompletionChunk.Choice;
type Request = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;
type StreamRequest = OpenAI.Chat.ChatCompletionCreateParams;

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
  const client = createOpenAiClient(options);
  const parameters = createParameterChoice(
    ["response_format", "temperature", "max_tokens", "stream_options", "stream"],
    omittedFor(model),
  );
  // The vendor's own models keep thoughts apart; another address may serve any model.
  const mayThinkAloud = options.baseUrl !== OPENAI_BASE_URL;
  return createRemoteChatModel({ provider: "openai", model, mayThinkAloud }, upstream, {
    async complete(prompt) {
      const openAi = await client();
      const completion = await parameters.send((omitted) =>
        openAi.chat.completions.create(requestFor(model, prompt, omitted)),
      );
      return readCompletion(completion);
    },
    async stream(prompt, text) {
      const openAi = await client();
      const response = await parameters.send((omitted) =>
        openAi.chat.completions.create(streamRequestFor(model, prompt, omitted)).asResponse(),
      );
      if (isEventStream(response.headers.get("content-type") ?? "")) {
        const { Stream } = await import("openai/streaming");
        return readStream(Stream.fromSSEResponse(response, new AbortController(), openAi), text);
      }
      // Some endpoints send a whole answer nevertheless.
      const completion = readCompletion((await response.json()) as Partial<Completion> | null);
      text.push(completion.text);
      return completion;
    },
  });
}

function requestFor(
  model: string,
  { system, user, schema, maxOutputTokens }: ChatPrompt,
  omitted: ReadonlySet<OptionalParameter>,
): Request {
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
): StreamRequest {
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

/** The type is a promise of the endpoint, so every part is checked. */
function readCompletion(completion: Partial<Completion> | null) {
  if (typeof completion !== "object") throw new UpstreamError({ kind: "garbled" });
  const choice: Partial<Choice> | undefined = completion?.choices?.[0];
  return {
    text: answerText(choice?.message && (choice.message.content ?? "")),
    isCutOff: choice?.finish_reason === "length",
    isRefused: isRefusal(choice?.message?.refusal, choice?.finish_reason),
    ...readUsage(completion?.usage),
  };
}

/** Reads an answer in pieces. Of several choices it reads the first. */
async function readStream(chunks: AsyncIterable<Partial<Chunk> | null>, text: StreamedText) {
  let finishReason: string | null = null;
  let isRefused = false;
  let usage: Partial<OpenAI.CompletionUsage> | null | undefined;
  for await (const chunk of chunks) {
    const choices: unknown = chunk?.choices ?? [];
    if (!Array.isArray(choices)) throw unusable("a piece of another shape");
    const choice: Partial<ChunkChoice> | undefined = choices.find((each) => !each?.index);
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

function readUsage(usage: Partial<OpenAI.CompletionUsage> | null | undefined) {
  return {
    inputTokens: tokenCount(usage?.prompt_tokens),
    outputTokens: tokenCount(usage?.completion_tokens),
  };
}
