import type {
  GenerateContentCandidate,
  GenerateContentRequest,
  GenerateContentResponse,
  GenerationConfig,
} from "@google/generative-ai";
import { answerText, type ChatModel, type ChatPrompt, THOUGHT_TOKENS } from "../chat-model.ts";
import { tokenCount } from "../model-call.ts";
import { createRemoteChatModel, type StreamedText } from "../remote-chat-model.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { UpstreamError, unusable } from "../upstream/upstream-error.ts";
import { callGemini, createGeminiClient } from "./client.ts";

/** Fields that the library's types lack. */
type Config = GenerationConfig & {
  readonly thinkingConfig?: { readonly thinkingBudget: number };
  readonly responseJsonSchema?: object;
};
type Usage = GenerateContentResponse["usageMetadata"] & { readonly thoughtsTokenCount?: unknown };

/** Only these models can switch thinking off. */
const THINKS_AT_WILL = /^(?:models\/)?gemini-2\.5-flash/;

/** For these the vendor advises the default: below it they repeat themselves. */
const WANTS_WARMTH = /^(?:models\/)?gemini-(?:[3-9]|\d\d)/;

/** A chat model of the Gemini API. */
export function createGeminiChatModel(options: RemoteModel): ChatModel {
  const { model, upstream } = options;
  const client = createGeminiClient(options);
  // Thoughts are separate parts.
  const named = { provider: "gemini", model, mayThinkAloud: false };
  return createRemoteChatModel(named, upstream, {
    async complete(prompt) {
      const request = requestFor(model, prompt);
      const { response } = await callGemini(() => client.generateContent(request));
      return readCompletion(response);
    },
    async stream(prompt, text) {
      const request = requestFor(model, prompt);
      const { stream, response } = await callGemini(() => client.generateContentStream(request));
      // The library also reads the whole answer, which nobody uses.
      response.catch(() => {});
      return readStream(stream, text);
    },
  });
}

function requestFor(model: string, prompt: ChatPrompt): GenerateContentRequest {
  return {
    systemInstruction: prompt.system,
    contents: [{ role: "user", parts: [{ text: prompt.user }] }],
    generationConfig: generationConfig(model, prompt),
  };
}

function generationConfig(model: string, { schema, maxOutputTokens }: ChatPrompt): Config {
  return {
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
}

function readCompletion(response: GenerateContentResponse) {
  const candidate = firstCandidate(response);
  const isBlocked = isPromptBlocked(response);
  return {
    text: answerText(isBlocked ? "" : candidate && textOf(candidate)),
    ...endingOf(isBlocked ? BLOCKED : (candidate?.finishReason ?? "STOP")),
    ...readUsage(response.usageMetadata),
  };
}

/** Reads an answer in pieces. */
async function readStream(pieces: AsyncIterable<GenerateContentResponse>, text: StreamedText) {
  let finishReason: string | null = null;
  let usage: Usage | undefined;
  for await (const piece of pieces) {
    const candidate = firstCandidate(piece);
    finishReason = isPromptBlocked(piece) ? BLOCKED : (candidate?.finishReason ?? finishReason);
    text.push(textOf(candidate));
    // Each is a running total.
    usage = piece.usageMetadata ?? usage;
  }
  // A complete answer has a finish reason.
  if (finishReason === null) throw new UpstreamError({ kind: "garbled" });
  return { text: text.end(), ...endingOf(finishReason), ...readUsage(usage) };
}

const BLOCKED = "BLOCKED";

/** Whether the vendor filtered the prompt. */
function isPromptBlocked({ promptFeedback }: GenerateContentResponse): boolean {
  return Boolean(promptFeedback?.blockReason);
}

function firstCandidate({
  candidates,
}: GenerateContentResponse): GenerateContentCandidate | undefined {
  if (candidates && !Array.isArray(candidates)) throw unusable("an answer of another shape");
  return candidates?.find((each) => !each?.index);
}

/** Whatever else ends an answer early refuses it: a filter, or a recitation. */
function endingOf(finishReason: string) {
  const isCutOff = finishReason === "MAX_TOKENS";
  return { isCutOff, isRefused: finishReason !== "STOP" && !isCutOff };
}

function readUsage(usage: Usage | undefined) {
  const answerTokens = tokenCount(usage?.candidatesTokenCount);
  return {
    inputTokens: tokenCount(usage?.promptTokenCount),
    outputTokens:
      answerTokens === null ? null : answerTokens + (tokenCount(usage?.thoughtsTokenCount) ?? 0),
  };
}

function textOf(candidate: GenerateContentCandidate | undefined): string {
  const parts: unknown = candidate?.content?.parts;
  if (!Array.isArray(parts)) return "";
  return parts
    .filter((part) => typeof part?.text === "string" && part.thought !== true)
    .map((part) => part.text)
    .join("");
}
