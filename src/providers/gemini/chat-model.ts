import type {
  GenerateContentCandidate,
  GenerateContentRequest,
  GenerateContentResponse,
  GenerationConfig,
} from "@google/generative-ai";
import {
  type AnswerPiece,
  type ChatModel,
  type ChatPrompt,
  createRemoteChatModel,
  THOUGHT_TOKENS,
} from "../chat-model.ts";
import { tokenCount } from "../model-call.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { unusable } from "../upstream/upstream-error.ts";
import { callGemini, createGeminiClient } from "./client.ts";

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
  const { model, upstream } = options;
  const client = createGeminiClient(options);
  // Thoughts are separate parts.
  const named = { provider: "gemini", model, mayThinkAloud: false };
  return createRemoteChatModel(named, upstream, async function* (prompt, isStreamed) {
    const request = requestFor(model, prompt);
    if (!isStreamed) {
      const { response } = await callGemini(() => client.generateContent(request));
      yield wholeOf(response);
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

function wholeOf(response: GenerateContentResponse): AnswerPiece {
  const piece = pieceOf(response);
  if (!piece.isRefused && firstCandidate(response) === undefined) {
    throw unusable("an answer without text");
  }
  return { ...piece, ending: piece.ending ?? "done" };
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

function tokensOf(usage: Usage) {
  const answerTokens = tokenCount(usage.candidatesTokenCount);
  return {
    inputTokens: tokenCount(usage.promptTokenCount),
    outputTokens:
      answerTokens === null ? null : answerTokens + (tokenCount(usage.thoughtsTokenCount) ?? 0),
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
