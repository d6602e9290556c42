import { describe, expect, test } from "vitest";
import {
  createRemoteEmbedder,
  type EmbedBatch,
  type EmbeddedBatch,
  MAX_BATCH_BYTES,
  MAX_BATCH_TEXTS,
  MAX_BATCHES_AT_ONCE,
  MAX_EMBEDDED_BYTES,
} from "../../src/providers/embedder.ts";
import type { ModelUsage } from "../../src/providers/model-call.ts";
import { UpstreamError } from "../../src/providers/upstream/upstream-error.ts";
import { CALL } from "../support/model-call.ts";
import { upstreamOf } from "./upstream-of.ts";

/** An embedder over two numbers whose vendor is a function. */
function embedderOf(embedBatch: EmbedBatch, maxInFlight = 32) {
  return createRemoteEmbedder(
    { provider: "some", model: "some", dimensions: 2 },
    upstreamOf({ maxInFlight }),
    embedBatch,
  );
}

/** The batches that the vendor is sent for some texts. */
async function batchesOf(texts: readonly string[]): Promise<(readonly string[])[]> {
  const batches: (readonly string[])[] = [];
  const embedder = embedderOf(async (batch) => {
    batches.push(batch);
    return { vectors: batch.map(() => [1, 0]), inputTokens: null };
  });
  await embedder.embed(texts, "document", CALL);
  return batches;
}

describe("batches of texts", () => {
  test.each([
    [MAX_BATCH_TEXTS, [MAX_BATCH_TEXTS]],
    [MAX_BATCH_TEXTS + 1, [MAX_BATCH_TEXTS, 1]],
  ])("%i short ones", async (count, sizes) => {
    const batches = await batchesOf(new Array(count).fill("text"));
    expect(batches.map(({ length }) => length)).toEqual(sizes);
  });

  test("long ones: no batch is larger than a request may be", async () => {
    const texts = Array.from({ length: 50 }, (_, i) => String(i).padEnd(MAX_EMBEDDED_BYTES, "é"));
    const batches = await batchesOf(texts);
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.flat()).toHaveLength(50);
    for (const batch of batches) {
      expect(Buffer.byteLength(batch.join(""))).toBeLessThanOrEqual(MAX_BATCH_BYTES);
    }
  });

  test.each([
    ["at the limit", "a".repeat(MAX_EMBEDDED_BYTES), MAX_EMBEDDED_BYTES],
    ["one past it", "a".repeat(MAX_EMBEDDED_BYTES + 1), MAX_EMBEDDED_BYTES],
    // No character is cut in half: 8,000 is not divisible by 3.
    ["of other characters", "語".repeat(MAX_EMBEDDED_BYTES), MAX_EMBEDDED_BYTES - 2],
  ])("a text %s", async (_, text, bytes) => {
    const [[cut = ""] = []] = await batchesOf([text]);
    expect(Buffer.byteLength(cut)).toBe(bytes);
    expect(text.startsWith(cut)).toBe(true);
  });
});

describe("several batches", () => {
  const BATCHES = MAX_BATCHES_AT_ONCE + 2;
  /** Each text is its own position. */
  const texts = Array.from({ length: (BATCHES - 1) * MAX_BATCH_TEXTS + 1 }, (_, i) => String(i));
  const vectorOf = (text: string) => [Math.cos(Number(text)), Math.sin(Number(text))];

  /** Embeds texts with a vendor that answers each batch when the test says so. */
  function heldVendor(maxInFlight: number, given = texts) {
    const pending: { answer(): void; refuse(): void }[] = [];
    const usages: ModelUsage[] = [];
    const embedder = embedderOf((batch) => {
      const { promise, resolve, reject } = Promise.withResolvers<EmbeddedBatch>();
      pending.push({
        answer: () => resolve({ vectors: batch.map(vectorOf), inputTokens: batch.length }),
        refuse: () => reject(new UpstreamError({ kind: "refused", status: 401 })),
      });
      return promise;
    }, maxInFlight);
    const vectors = embedder.embed(given, "document", {
      ...CALL,
      report: (usage) => usages.push(usage),
    });
    vectors.catch(() => {});
    return { pending, usages, vectors };
  }

  test.each([
    ["overlap, as many as may", 32, MAX_BATCHES_AT_ONCE],
    ["are not refused for one another where few calls may be in flight", 1, 1],
  ])("%s; vectors are in the order of the texts", async (_, maxInFlight, atOnce) => {
    const { pending, usages, vectors } = heldVendor(maxInFlight);
    for (let left = BATCHES; left > 0; left--) {
      await expect.poll(() => pending.length).toBe(Math.min(left, atOnce));
      // The last first, so that they end in another order than they began.
      pending.pop()?.answer();
    }
    expect(
      (await vectors).map((vector) => Array.from(vector, (value) => value.toFixed(3))),
    ).toEqual(texts.map((text) => vectorOf(text).map((value) => value.toFixed(3))));
    const tokens = usages.map(({ inputTokens }) => inputTokens);
    expect(tokens.toSorted()).toEqual([1, ...new Array(BATCHES - 1).fill(MAX_BATCH_TEXTS)]);
  });

  test("one that fails fails all; what was answered before is reported", async () => {
    const few = texts.slice(0, MAX_BATCH_TEXTS + 1);
    const { pending, usages, vectors } = heldVendor(4, few);
    await expect.poll(() => pending.length).toBe(2);
    pending[0]?.answer();
    await expect.poll(() => usages.length).toBe(1);
    pending[1]?.refuse();
    await expect(vectors).rejects.toMatchObject({ reason: "model_unavailable" });
    expect(usages).toMatchObject([
      { operation: "embed", provider: "some", inputTokens: MAX_BATCH_TEXTS },
    ]);
  });
});

describe("a vendor's vectors", () => {
  const good = [1, 0];
  const embedTwo = (vectors: readonly unknown[]) =>
    embedderOf(async () => ({ vectors, inputTokens: null })).embed(["a", "b"], "query", CALL);

  test("are brought to unit length", async () => {
    expect(await embedTwo([[3, 4], good])).toEqual(
      [[0.6, 0.8], good].map((each) => Float32Array.from(each)),
    );
  });

  test.each([
    ["too few", [good]],
    ["too many", [good, good, good]],
    ["too short", [[1], good]],
    ["too long", [[1, 0, 0], good]],
    ["without a direction", [[0, 0], good]],
    ["infinite", [[Number.POSITIVE_INFINITY, 0], good]],
    ["not numbers", [[null, 0], good]],
    ["no numbers", [["1", "0"], good]],
    ["no lists", ["AACAPw==", good]],
    ["missing", [undefined, good]],
  ])("that are %s are of no use", async (_, vectors) => {
    await expect(embedTwo(vectors)).rejects.toMatchObject({
      reason: "model_unavailable",
      cause: { problem: { kind: "unusable" } },
    });
  });
});
