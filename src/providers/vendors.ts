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

/** What a vendor's API, or a server that speaks it, offers. */
export interface Vendor {
  /** The vendor's own address. */
  readonly baseUrl: string;
  createChatModel(model: RemoteModel): ChatModel;
  /** `dimensions` is the length of the vectors that the model is asked for. */
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
