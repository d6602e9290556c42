import type { OpenAI } from "openai";
import { withoutThinking } from "../chat/thinking.ts";
import { answerText, type ChatModel, type ChatPrompt, THOUGHT_TOKENS } from "../chat-model.ts";
import { tokenCount } from "../model-call.ts";
import { StreamedText } from "../streamed-text.ts";
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
type Answer = ReturnType<typeof readCompletion>;
type StreamRequest = OpenAI.Chat.ChatCompletionCreateParams;

/** A chat model of an endpoint that speaks the OpenAI API. */
export function createOpenAiChatModel(options: RemoteModel): ChatModel {
  const { model, upstream } = options;
  const client = createOpenAiClient(options);
  const parameters = createParameterChoice(["response_format", "temperature", "max_tokens"]);
  const streamParameters = createParameterChoice([
    "temperature",
    "max_tokens",
    "stream_options",
    "stream",
  ]);
  let thinksWithinLimit = false;
  return {
    provider: "openai",
    model,
    // The vendor's own models keep thoughts apart; another address may serve any model.
    mayThinkAloud: options.baseUrl !== OPENAI_BASE_URL,
    async complete(prompt, call) {
      const { value, ...taken } = await upstream.call(async () => {
        const openAi = await client();
        return withRoomToThink(async () => {
          const completion = await parameters.send((omitted) =>
            openAi.chat.completions.create(requestFor(model, roomy(prompt), omitted)),
          );
          return readCompletion(completion);
        }, false);
      }, call);
      return { ...value, ...taken };
    },
    async stream(prompt, call, onText) {
      const { value, ...taken } = await upstream.call(
        async (begin) => withRoomToThink(() => streamed(prompt, begin, onText), true),
        call,
      );
      return { ...value, ...taken };
    },
    inTurn: upstream.inTurn,
  };

  async function streamed(
    prompt: ChatPrompt,
    begin: () => void,
    onText: (text: string) => void,
  ): Promise<Answer> {
    const openAi = await client();
    const response = await streamParameters.send((omitted) =>
      openAi.chat.completions.create(streamRequestFor(model, roomy(prompt), omitted)).asResponse(),
    );
    const text = new StreamedText((piece) => {
      begin();
      onText(piece);
    });
    if (isEventStream(response.headers.get("content-type") ?? "")) {
      const { Stream } = await import("openai/streaming");
      return readStream(Stream.fromSSEResponse(response, new AbortController(), openAi), text);
    }
    // Some endpoints send a whole answer nevertheless.
    const completion = readCompletion((await response.json()) as Partial<Completion> | null);
    text.push(completion.text);
    return completion;
  }

  /** The prompt, with a limit that leaves room for thoughts where the model thinks within it. */
  function roomy(prompt: ChatPrompt): ChatPrompt {
    if (!thinksWithinLimit) return prompt;
    return { ...prompt, maxOutputTokens: prompt.maxOutputTokens + THOUGHT_TOKENS };
  }

  /**
   * Asks once more where an answer was cut off before its first word: hidden thoughts count
   * against the limit of many servers. The model is then known to need more room.
   */
  async function withRoomToThink(ask: () => Promise<Answer>, isShown: boolean): Promise<Answer> {
    const answer = await ask();
    const isAllThought = answer.isCutOff && withoutThinking(answer.text).trim() === "";
    if (!isAllThought || thinksWithinLimit) return answer;
    thinksWithinLimit = true;
    // What was shown of its thoughts cannot be taken back.
    if (isShown && answer.text !== "") return answer;
    const whole = await ask();
    return {
      ...whole,
      inputTokens: sum(answer.inputTokens, whole.inputTokens),
      outputTokens: sum(answer.outputTokens, whole.outputTokens),
    };
  }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
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
  if (choice?.message?.refusal) throw unusable("a refusal");
  if (choice?.finish_reason === "content_filter") throw unusable("it was filtered");
  return {
    text: answerText(choice?.message && (choice.message.content ?? "")),
    isCutOff: choice?.finish_reason === "length",
    ...readUsage(completion?.usage),
  };
}

/** Reads an answer in pieces. Of several choices it reads the first. */
async function readStream(chunks: AsyncIterable<Partial<Chunk> | null>, text: StreamedText) {
  let finishReason: string | null = null;
  let usage: Partial<OpenAI.CompletionUsage> | null | undefined;
  for await (const chunk of chunks) {
    const choices: unknown = chunk?.choices ?? [];
    if (!Array.isArray(choices)) throw unusable("a piece of another shape");
    const choice: Partial<ChunkChoice> | undefined = choices.find((each) => !each?.index);
    if (choice?.delta?.refusal) throw unusable("a refusal");
    if (choice?.finish_reason === "content_filter") throw unusable("it was filtered");
    text.push(choice?.delta?.content);
    finishReason = choice?.finish_reason ?? finishReason;
    // Usage follows the last piece, or comes with each piece as a running total.
    usage = chunk?.usage ?? usage;
  }
  // A complete answer has a finish reason.
  if (finishReason === null) throw new UpstreamError({ kind: "garbled" });
  return { text: text.end(), isCutOff: finishReason === "length", ...readUsage(usage) };
}

function readUsage(usage: Partial<OpenAI.CompletionUsage> | null | undefined) {
  return {
    inputTokens: tokenCount(usage?.prompt_tokens),
    outputTokens: tokenCount(usage?.completion_tokens),
  };
}
