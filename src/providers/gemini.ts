import {
  type BatchEmbedContentsResponse,
  type EmbedContentRequest,
  type GenerateContentCandidate,
  type GenerateContentRequest,
  type GenerateContentResponse,
  type GenerationConfig,
  type GenerativeModel,
  GoogleGenerativeAI,
  GoogleGenerativeAIFetchError,
  TaskType,
} from "@google/generative-ai";
import {
  type AnswerPiece,
  type ChatModel,
  type ChatPrompt,
  createRemoteChatModel,
  THOUGHT_TOKENS,
} from "./chat-model.ts";
import { createRemoteEmbedder } from "./embedder.ts";
import { sumOf, tokenCount } from "./model-call.ts";
import { isInExchange, upstreamFetch } from "./upstream/exchange.ts";
import type { RemoteModel } from "./upstream/upstream.ts";
import { UpstreamError, unusable } from "./upstream/upstream-error.ts";

export const GEMINI_BASE_URL = "https://generativelanguage.googleapis.com";

/** The library's handle of the model. Its calls must be made through `callGemini`. */
function createGeminiClient({ apiKey, baseUrl, model }: RemoteModel): GenerativeModel {
  routeGlobalFetch();
  return new GoogleGenerativeAI(apiKey ?? "").getGenerativeModel({ model }, { baseUrl });
}

/** Runs one try of a call. The API states its wait in the error body, not in `Retry-After`. */
async function callGemini<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof GoogleGenerativeAIFetchError)) throw error;
    if (error.status === 400) throw new UpstreamError({ kind: "refused", status: 400 });
    const waitMs = retryDelayMs(error);
    throw waitMs === null ? error : new UpstreamError({ kind: "limited", waitMs });
  }
}

const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

function retryDelayMs({ status, errorDetails }: GoogleGenerativeAIFetchError): number | null {
  const details: unknown = status === 429 ? errorDetails : null;
  if (!Array.isArray(details)) return null;
  const retryDelay: unknown = details.find(
    (detail) => detail?.["@type"] === RETRY_INFO,
  )?.retryDelay;
  const seconds = typeof retryDelay === "string" ? /^(\d{1,9}(?:\.\d+)?)s$/.exec(retryDelay) : null;
  return seconds === null ? null : Number(seconds[1]) * 1_000;
}

let isRouted = false;

/**
 * Makes the global `fetch` go through `upstreamFetch` within an exchange.
 *
 * `@google/generative-ai` calls the global `fetch` and accepts no other. The platform's one
 * follows redirects with the key and connects anywhere. A global dispatcher would affect the
 * connections of the whole process; this affects only code within an exchange.
 */
function routeGlobalFetch(): void {
  if (isRouted) return;
  isRouted = true;
  const platformFetch = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    isInExchange() && typeof input === "string"
      ? upstreamFetch(input, init)
      : platformFetch(input, init);
}

/** Fields that the library's types lack. */
type Config = GenerationConfig & {
  readonly thinkingConfig?: { readonly thinkingBudget: number };
  readonly responseJsonSchema?: object;
};
type Usage = NonNullable<GenerateContentResponse["usageMetadata"]> & {
  readonly thoughtsTokenCount?: unknown;
};

/** Only these models can switch thinking off. */
const THINKS_AT_WILL = /^(?:models\/)?gemini-2\.5-flash/;

/** For these the vendor advises the default: below it they repeat themselves. */
const WANTS_WARMTH = /^(?:models\/)?gemini-(?:[3-9]|\d\d)/;

/** A chat model of the Gemini API. */
export function createGeminiChatModel(options: RemoteModel): ChatModel {
  const { model } = options;
  const client = createGeminiClient(options);
  // Thoughts are separate parts.
  const named = { provider: "gemini", model, mayThinkAloud: false };
  return createRemoteChatModel(named, options, async function* (prompt, isStreamed) {
    const request = requestFor(model, prompt);
    if (!isStreamed) {
      const { response } = await callGemini(() => client.generateContent(request));
      const whole = pieceOf(response);
      yield { ...whole, ending: whole.ending ?? "done" };
      return;
    }
    const { stream, response } = await callGemini(() => client.generateContentStream(request));
    // The library also reads the whole answer, which nobody uses.
    response.catch(() => {});
    for await (const piece of stream) yield pieceOf(piece);
  });
}

function requestFor(model: string, prompt: ChatPrompt): GenerateContentRequest {
  const { system, user, schema, maxOutputTokens } = prompt;
  const generationConfig: Config = {
    temperature: WANTS_WARMTH.test(model) ? 1 : 0,
    ...(schema !== null && {
      responseMimeType: "application/json",
      // The model writes the properties in their order: a reason before its verdict.
      responseJsonSchema: schema,
    }),
    // Thoughts count as output and would use up the limit of the answer.
    ...(THINKS_AT_WILL.test(model)
      ? { maxOutputTokens, thinkingConfig: { thinkingBudget: 0 } }
      : { maxOutputTokens: maxOutputTokens + THOUGHT_TOKENS }),
  };
  const contents = [{ role: "user", parts: [{ text: user }] }];
  return { systemInstruction: system, contents, generationConfig };
}

function pieceOf(response: GenerateContentResponse): AnswerPiece {
  const candidate = firstCandidate(response);
  const isFiltered = Boolean(response.promptFeedback?.blockReason);
  const finishReason = isFiltered ? "BLOCKED" : candidate?.finishReason;
  const isCutOff = finishReason === "MAX_TOKENS";
  return {
    text: isFiltered ? null : textOf(candidate),
    ending: finishReason ? (isCutOff ? "cut_off" : "done") : null,
    // Whatever else ends an answer early refuses it: a filter, or a recitation.
    isRefused: Boolean(finishReason) && finishReason !== "STOP" && !isCutOff,
    // Each is a running total.
    tokens: response.usageMetadata ? tokensOf(response.usageMetadata) : null,
  };
}

function firstCandidate({
  candidates,
}: GenerateContentResponse): GenerateContentCandidate | undefined {
  if (candidates && !Array.isArray(candidates)) throw unusable("an answer of another shape");
  return candidates?.find((each) => !each?.index);
}

function tokensOf({ promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount = 0 }: Usage) {
  // An answer without text has no count of it.
  const outputs = [candidatesTokenCount, thoughtsTokenCount].map(tokenCount);
  return { inputTokens: tokenCount(promptTokenCount), outputTokens: sumOf(outputs) };
}

function textOf(candidate: GenerateContentCandidate | undefined): string {
  const parts: unknown = candidate?.content?.parts;
  if (!Array.isArray(parts)) return "";
  return parts
    .filter((part) => typeof part?.text === "string" && part.thought !== true)
    .map((part) => part.text)
    .join("");
}

/** Fields that the library's types lack. */
type EmbedRequest = EmbedContentRequest & { readonly outputDimensionality: number };
type EmbedResponse = BatchEmbedContentsResponse & {
  readonly usageMetadata?: { readonly promptTokenCount?: unknown };
};

const TASK_TYPES = {
  document: TaskType.RETRIEVAL_DOCUMENT,
  query: TaskType.RETRIEVAL_QUERY,
} as const;

/** An embedding model of the Gemini API, asked for vectors of `dimensions` numbers. */
export function createGeminiEmbedder(options: RemoteModel & { readonly dimensions: number }) {
  const { model, dimensions, upstream } = options;
  const client = createGeminiClient(options);
  return createRemoteEmbedder(
    { provider: "gemini", model, dimensions },
    upstream,
    async (texts, purpose) => {
      const requests = texts.map(
        (text): EmbedRequest => ({
          content: { role: "user", parts: [{ text }] },
          taskType: TASK_TYPES[purpose],
          outputDimensionality: dimensions,
        }),
      );
      const response: EmbedResponse = await callGemini(() =>
        client.batchEmbedContents({ requests }),
      );
      const embeddings: unknown = response.embeddings;
      return {
        vectors: Array.isArray(embeddings) ? embeddings.map((embedding) => embedding?.values) : [],
        inputTokens: tokenCount(response.usageMetadata?.promptTokenCount),
      };
    },
  );
}
