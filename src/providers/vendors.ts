import type { ChatModel } from "./chat-model.ts";
import type { Embedder } from "./embedder.ts";
import { createGeminiChatModel } from "./gemini/chat-model.ts";
import { GEMINI_BASE_URL } from "./gemini/client.ts";
import { createGeminiEmbedder } from "./gemini/embedder.ts";
import { createOpenAiChatModel } from "./openai/chat-model.ts";
import { OPENAI_BASE_URL } from "./openai/client.ts";
import { createOpenAiEmbedder } from "./openai/embedder.ts";
import type { RemoteModel } from "./upstream/upstream.ts";

export type VendorName = "gemini" | "openai";

/** The models behind a vendor's API, or behind a server that speaks it. */
export interface Vendor {
  /** The vendor's own address. */
  readonly baseUrl: string;
  createChatModel(model: RemoteModel): ChatModel;
  /** `dimensions` is the requested length of the vectors. */
  createEmbedder(model: RemoteModel & { readonly dimensions: number }): Embedder;
}

export const VENDORS: Readonly<Record<VendorName, Vendor>> = {
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
};
