import { createRemoteEmbedder, type Embedder } from "../embedder.ts";
import { tokenCount } from "../model-call.ts";
import type { RemoteModel } from "../upstream/upstream.ts";
import { UpstreamError } from "../upstream/upstream-error.ts";
import { createPost } from "./client.ts";

/** An answer as the API describes it. Untrusted. */
interface EmbeddingsAnswer {
  readonly data?: unknown;
  readonly usage?: { readonly prompt_tokens?: unknown } | null;
}

/**
 * An embedding model of an endpoint that speaks the OpenAI API. The request asks for vectors
 * of `dimensions` numbers. An endpoint that refuses that parameter must return such vectors by
 * itself.
 */
export function createOpenAiEmbedder(
  options: RemoteModel & { readonly dimensions: number },
): Embedder {
  const { model, dimensions, upstream } = options;
  const post = createPost(options, "/embeddings", ["dimensions", "encoding_format"]);
  return createRemoteEmbedder(
    { provider: "openai", model, dimensions },
    upstream,
    async (texts) => {
      const response = await post((omitted) => ({
        model,
        input: texts,
        // A third of the bytes, and no digits to format and parse. An endpoint may refuse it,
        // or return numbers nevertheless.
        encoding_format: omitted.has("encoding_format") ? "float" : "base64",
        ...(!omitted.has("dimensions") && { dimensions }),
      }));
      return readVectors(await response.json());
    },
  );
}

function readVectors(response: unknown) {
  if (typeof response !== "object") throw new UpstreamError({ kind: "garbled" });
  const { data: listed, usage }: EmbeddingsAnswer = response ?? {};
  const data: unknown[] = Array.isArray(listed) ? listed : [];
  const vectors: unknown[] = [];
  for (const [position, item] of data.entries()) {
    const { index, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    // The vectors follow the order of the texts, whatever the order of the list.
    const isIndex = Number.isInteger(index) && 0 <= Number(index) && Number(index) < data.length;
    vectors[isIndex ? Number(index) : position] = numbersOf(embedding);
  }
  return { vectors: [...vectors], inputTokens: tokenCount(usage?.prompt_tokens) };
}

const BYTES_A_NUMBER = Float32Array.BYTES_PER_ELEMENT;

/** Decodes little-endian single precision numbers in base64; returns any other value as it is. */
function numbersOf(embedding: unknown): unknown {
  if (typeof embedding !== "string") return embedding;
  const bytes = Buffer.from(embedding, "base64");
  const numbers = new Float32Array(Math.floor(bytes.length / BYTES_A_NUMBER));
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.readFloatLE(i * BYTES_A_NUMBER);
  return numbers;
}
