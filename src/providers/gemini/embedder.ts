import {
  type BatchEmbedContentsResponse,
  type EmbedContentRequest,
  TaskType,
} from "@google/generative-ai";
import { createRemoteEmbedder, type Embedder } from "../embedder.ts";
import { tokenCount } from "../model-call.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { callGemini, createGeminiClient } from "./client.ts";

/** Fields that the library's types lack. */
type Request = EmbedContentRequest & { readonly outputDimensionality: number };
type Response = BatchEmbedContentsResponse & {
  readonly usageMetadata?: { readonly promptTokenCount?: unknown };
};

const TASK_TYPES = {
  document: TaskType.RETRIEVAL_DOCUMENT,
  query: TaskType.RETRIEVAL_QUERY,
} as const;

/** An embedding model of the Gemini API, asked for vectors of `dimensions` numbers. */
export function createGeminiEmbedder(
  options: RemoteModel & { readonly dimensions: number },
): Embedder {
  const { model, dimensions, upstream } = options;
  const client = createGeminiClient(options);
  return createRemoteEmbedder(
    { provider: "gemini", model, dimensions },
    upstream,
    async (texts, purpose) => {
      const requests = texts.map(
        (text): Request => ({
          content: { role: "user", parts: [{ text }] },
          taskType: TASK_TYPES[purpose],
          outputDimensionality: dimensions,
        }),
      );
      const response: Response = await callGemini(() => client.batchEmbedContents({ requests }));
      const embeddings: unknown = response.embeddings;
      return {
        vectors: Array.isArray(embeddings) ? embeddings.map((embedding) => embedding?.values) : [],
        inputTokens: tokenCount(response.usageMetadata?.promptTokenCount),
      };
    },
  );
}
