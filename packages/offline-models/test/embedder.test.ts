import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLocalEmbedder } from "../src/embedder.ts";
import { CALL, cosine, MAX_CONTENT_BYTES } from "./fixture.ts";

/** What two values of one attribute reach, told in the same words. */
const RELATED = 0.5;
const embedder = createLocalEmbedder();

async function similarity(
  a: string,
  b: string,
  purpose: "document" | "query" = "document",
): Promise<number> {
  const [x = []] = await embedder.embed([a], purpose, CALL);
  const [y = []] = await embedder.embed([b], "document", CALL);
  return cosine(x, y);
}

function lengthOf(vector: ArrayLike<number>): number {
  return Math.sqrt(cosine(vector, vector));
}

describe("every text has a vector of unit length", () => {
  test.each([
    ["nothing", ""],
    ["a question mark", "?"],
    ["spaces", " \n\t "],
    ["an emoji", "🙂"],
    ["Chinese", "爱丽丝住在柏林"],
    ["a lone surrogate", "\ud800"],
    ["a combining accent alone", "\u0301"],
    ["control characters", "\u0000\u0007"],
    ["one word at the limit of length", "a".repeat(MAX_CONTENT_BYTES)],
    ["two words that cancel each other out", "before as"],
    ["many words at the limit of length", "word ".repeat(MAX_CONTENT_BYTES / 5)],
  ])("%s", async (_, text) => {
    for (const purpose of ["document", "query"] as const) {
      const [vector = []] = await embedder.embed([text], purpose, CALL);
      expect(vector).toHaveLength(embedder.space.dimensions);
      expect(Array.from(vector).every(Number.isFinite)).toBe(true);
      expect(lengthOf(vector)).toBeCloseTo(1, 6);
    }
  });

  test("any text whatever", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        const [vector = []] = await embedder.embed([text], "document", CALL);
        expect(Array.from(vector).every(Number.isFinite)).toBe(true);
        expect(lengthOf(vector)).toBeCloseTo(1, 6);
      }),
    );
  });
});

test("the same text has the same vector, one for each text and in order", async () => {
  const texts = ["Alice lives in Berlin", "Bob likes tea", "Alice lives in Berlin"];
  const [first, second, third] = await embedder.embed(texts, "document", CALL);
  expect(first).toEqual(third);
  expect(first).not.toEqual(second);
  const again = await createLocalEmbedder().embed(texts, "document", CALL);
  expect(again[1]).toEqual(second);
});

test("case, width, accents and kind of apostrophe make no difference", async () => {
  expect(await similarity("Zoë’s café", "zoe's CAFE")).toBeGreaterThan(0.9);
  expect(await similarity("Ｂｅｒｌｉｎ", "Berlin")).toBeCloseTo(1, 6);
});

describe("D23: two values of one attribute pass the bar for candidates", () => {
  test.each([
    ["Alice lives in Berlin", "Alice lives in Munich"],
    ["Alice lives in Berlin", "Alice moved to Munich"],
    ["Alice works at Siemens", "Alice joined Bosch"],
    ["The user prefers dark mode", "The user prefers light mode"],
    ["User's favourite color is blue", "The user's favorite colour is green"],
    ["The deployment target is AWS", "The deployment target is GCP"],
    ["The meeting is on Thursday", "Meeting moved to Friday"],
    ["The price of the widget is $10", "The price of the widget is $12"],
    ["Alice is the VP of Engineering", "Alice is now the CTO"],
  ])("%s / %s", async (older, newer) => {
    expect(await similarity(older, newer)).toBeGreaterThanOrEqual(RELATED);
  });

  test.each([
    ["The user lives in Berlin", "The user works at Google"],
    ["Alice is allergic to peanuts", "Alice drives a Tesla"],
    ["The API key rotates monthly", "Alice has two cats"],
    ["Bob likes tea", "The deployment target is AWS"],
  ])("unrelated facts stay well below it: %s / %s", async (a, b) => {
    expect(await similarity(a, b)).toBeLessThan(RELATED - 0.1);
  });
});
