import { createGeminiChatModel, createGeminiEmbedder, GEMINI_BASE_URL } from "./gemini.ts";
import { createOpenAiChatModel, createOpenAiEmbedder, OPENAI_BASE_URL } from "./openai.ts";

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
