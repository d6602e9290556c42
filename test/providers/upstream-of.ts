import { createGeminiChatModel, createGeminiEmbedder } from "../../src/providers/gemini.ts";
import { createOpenAiChatModel, createOpenAiEmbedder } from "../../src/providers/openai.ts";
import {
  createUpstream,
  type Upstream,
  type UpstreamOptions,
} from "../../src/providers/upstream/upstream.ts";
import { startFakeGemini } from "../support/fake-gemini.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";

/** What of a vendor's differs. */
export const VENDORS = {
  gemini: {
    start: startFakeGemini,
    path: "",
    model: "gemini-2.5-flash",
    chat: createGeminiChatModel,
    embedder: createGeminiEmbedder,
    outputTokens: 35,
  },
  openai: {
    start: startFakeOpenAi,
    path: "/v1",
    model: "some-model",
    chat: createOpenAiChatModel,
    embedder: createOpenAiEmbedder,
    outputTokens: 25,
  },
} as const;

/** An upstream with plenty of patience and room, but for what a test is about. */
export function upstreamOf(options: Partial<UpstreamOptions> = {}): Upstream {
  return createUpstream({
    provider: "some",
    timeoutMs: 20_000,
    maxInFlight: 4,
    dispatcher: null,
    breaksCircuit: true,
    monotonicMs: () => performance.now(),
    ...options,
  });
}
