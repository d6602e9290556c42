import { mapConcurrently } from "../concurrency/bounds.ts";
import { cosine, type EmbeddingSpace, type Vector } from "../domain/embedding.ts";
import { type ModelCall, watched } from "./model-call.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { unusable } from "./upstream/upstream-error.ts";

/** Turns texts into vectors of unit length. */
export interface Embedder {
  readonly space: EmbeddingSpace;
  /**
   * Returns one vector for each text, in order. Every vector must be finite, of unit length and
   * never all zero. `purpose`: the texts are stored (`document`) or searched with (`query`).
   *
   * Throws a `Failure` with the reason `model_unavailable` when the model does not answer, or
   * answers nonsense.
   */
  embed(
    texts: readonly string[],
    purpose: "document" | "query",
    call: ModelCall,
  ): Promise<Vector[]>;
}

/**
 * Longer texts are cut to this. The smallest window of the named models is about 8,000 bytes
 * of English. A token is at least a byte, so every script stays below OpenAI's 8,191 tokens.
 */
export const MAX_EMBEDDED_BYTES = 8_000;

/** Gemini's limit. */
export const MAX_BATCH_TEXTS = 100;
/** OpenAI's limit is 300,000 tokens. */
export const MAX_BATCH_BYTES = 300_000;
/** The limit of one request leaves room for others. */
export const MAX_BATCHES_AT_ONCE = 4;

/** The vectors of one batch, as a vendor's library returns them. Untrusted. */
export interface EmbeddedBatch {
  /** In the order of the texts. */
  readonly vectors: readonly unknown[];
  /** null: the provider does not say. */
  readonly inputTokens: number | null;
}

export type EmbedBatch = (
  texts: readonly string[],
  purpose: "document" | "query",
) => Promise<EmbeddedBatch>;

/** An embedder over the network: batches in parallel. The first that fails ends the others. */
export function createRemoteEmbedder(
  space: EmbeddingSpace,
  upstream: Upstream,
  embedBatch: EmbedBatch,
): Embedder {
  const { provider, model, dimensions } = space;
  // The batches of a request must not crowd each other out.
  const maxAtOnce = Math.min(MAX_BATCHES_AT_ONCE, upstream.maxInFlight);
  return {
    space,
    async embed(texts, purpose, call) {
      const called = { operation: "embed", provider, model } as const;
      const embedOne = (batch: readonly string[], signal: AbortSignal) => {
        const ofBatch = { ...call, signal };
        return watched(ofBatch, called, async (tell) => {
          const { value, attempts, durationMs } = await upstream.call(async () => {
            const { vectors, inputTokens } = await embedBatch(batch, purpose);
            return { vectors: unitVectors(vectors, batch.length, dimensions), inputTokens };
          }, ofBatch);
          const tokens = { inputTokens: value.inputTokens, outputTokens: null };
          tell(tokens);
          call.report?.({ ...called, ...tokens, durationMs, attempts });
          return value.vectors;
        });
      };
      return (await mapConcurrently(batchesOf(texts), maxAtOnce, embedOne, call.signal)).flat();
    },
  };
}

/** The texts in order, each cut to the window of a model, in batches of one request each. */
function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let batchBytes = 0;
  for (const text of texts.map(cutToWindow)) {
    const bytes = Buffer.byteLength(text);
    if (batch.length === MAX_BATCH_TEXTS || batchBytes + bytes > MAX_BATCH_BYTES) {
      batches.push(batch);
      batch = [];
      batchBytes = 0;
    }
    batch.push(text);
    batchBytes += bytes;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

function cutToWindow(text: string): string {
  if (Buffer.byteLength(text) <= MAX_EMBEDDED_BYTES) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_EMBEDDED_BYTES));
  return text.slice(0, read);
}

/**
 * Checks the vectors of a model and scales them to unit length.
 *
 * Throws an `UpstreamError` for a wrong number or length of vectors, and for one without a
 * direction: not finite, or all zero.
 */
function unitVectors(vectors: readonly unknown[], count: number, dimensions: number): Vector[] {
  if (vectors.length !== count) {
    throw unusable(`${vectors.length} vectors where ${count} were asked for`);
  }
  return vectors.map((vector) => {
    if (!isNumbers(vector)) throw unusable("a vector that is not a list of numbers");
    if (vector.length !== dimensions) {
      throw unusable(`a vector of ${vector.length} numbers where ${dimensions} were asked for`);
    }
    const length = Math.sqrt(cosine(vector, vector));
    if (!(length > 0 && Number.isFinite(length))) throw unusable("a vector without a direction");
    const unit = new Float32Array(dimensions);
    for (let i = 0; i < dimensions; i++) unit[i] = (vector[i] as number) / length;
    return unit;
  });
}

function isNumbers(vector: unknown): vector is Vector {
  if (vector instanceof Float32Array) return true;
  return Array.isArray(vector) && vector.every((value) => typeof value === "number");
}
