import { createGeminiChatModel } from "./gemini/chat-model.ts";
import { GEMINI_BASE_URL } from "./gemini/client.ts";
import { createGeminiEmbedder } from "./gemini/embedder.ts";
import { createOpenAiChatModel } from "./openai/chat-model.ts";
import { OPENAI_BASE_URL } from "./openai/client.ts";
import { createOpenAiEmbedder } from "./openai/embedder.ts";

/** The models behind each vendor's API, or behind a server that speaks it, and its own address. */
export const VENDORS = {
  gemini: {
    baseUrl: GEMINI_BASE_URL,
    createChatModel: createGeminiChatModel,
    createEmbedder: createGeminiEmbedder,
  },
  openai: {
    baseUrl: OPENAI_BASE_URL,
    createChatModel: createOpenAiChatModel,
    createEmbedder: createOpenAiEmbedder,
  },
} as const;

export type VendorName = keyof typeof VENDORS;
