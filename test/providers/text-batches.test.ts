import { describe, expect, test } from "vitest";
import {
  embeddingBatches,
  MAX_BATCH_BYTES,
  MAX_BATCH_TEXTS,
  MAX_EMBEDDED_BYTES,
} from "../../src/providers/text-batches.ts";

describe("batches of texts", () => {
  test("of no text: none", () => expect(embeddingBatches([])).toEqual([]));

  test.each([
    [MAX_BATCH_TEXTS, [MAX_BATCH_TEXTS]],
    [MAX_BATCH_TEXTS + 1, [MAX_BATCH_TEXTS, 1]],
  ])("%i short ones", (count, sizes) => {
    const batches = embeddingBatches(new Array(count).fill("text"));
    expect(batches.map(({ length }) => length)).toEqual(sizes);
  });

  test("long ones: no batch is larger than a request may be", () => {
    const texts = Array.from({ length: 50 }, (_, i) => String(i).padEnd(MAX_EMBEDDED_BYTES, "é"));
    const batches = embeddingBatches(texts);
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
  ])("a text %s", (_, text, bytes) => {
    const [[cut = ""] = []] = embeddingBatches([text]);
    expect(Buffer.byteLength(cut)).toBe(bytes);
    expect(text.startsWith(cut)).toBe(true);
  });
});
