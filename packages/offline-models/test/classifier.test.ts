import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { predicateOf } from "../src/changes.ts";
import { createLocalClassifier } from "../src/classifier.ts";
import type { Classification, NamedCandidate } from "../src/models.ts";
import { contentOf } from "../src/terms.ts";
import { CALL, MAX_CANDIDATES, MAX_CONTENT_BYTES } from "./fixture.ts";
import { tablesIn } from "./tables.ts";

const table = tablesIn(import.meta.dirname, "classifier.cases.json");

/** What the service acts on unless an account says otherwise. */
const MIN_CONFIDENCE = 0.85;

const classifier = createLocalClassifier();

function classify(newer: string, ...candidates: string[]): Promise<Classification> {
  const fact = (decision: string, statedAt: bigint) => ({ decision, topic: "General", statedAt });
  return classifier.classify(
    {
      fact: fact(newer, 1n),
      candidates: candidates.map((candidate) => fact(candidate, 0n)),
      isRetraction: false,
    },
    CALL,
  );
}

function isSure({ confidence }: NamedCandidate): boolean {
  return confidence >= MIN_CONFIDENCE;
}

describe("another value of the same attribute replaces the older fact at the default bar", () => {
  test.each(
    table<[string, string]>(
      "another value of the same attribute replaces the older fact at the default bar: … > …",
    ),
  )("%s > %s", async (older, newer) => {
    const result = await classify(newer, older);
    expect(result.superseded).toMatchObject([{ index: 0 }]);
    expect(result.superseded[0]?.confidence).toBeGreaterThanOrEqual(MIN_CONFIDENCE);
  });
});

describe("an event ends the state that it does not name", () => {
  test.each(table<[string, string]>("an event ends the state that it does not name: … > …"))(
    "%s > %s",
    async (older, newer) => {
      expect((await classify(newer, older)).superseded.filter(isSure)).toHaveLength(1);
    },
  );

  test.each(
    table<[string, string]>("an event ends the state that it does not name: but not … > …"),
  )("but not %s > %s", async (older, newer) => {
    expect((await classify(newer, older)).superseded.filter(isSure)).toEqual([]);
  });
});

describe("D23 repeats: what is said again in other words ends what it repeats", () => {
  test.each([
    ["Alice lives in Berlin", "Alice now lives in Berlin"],
    ["The user works at Bosch", "The user is working at Bosch"],
  ])("%s > %s", async (older, newer) => {
    expect((await classify(newer, older)).superseded.filter(isSure)).toHaveLength(1);
  });

  test.each([
    ["Alice lives in Berlin with Bo", "Alice lives in Berlin"],
    ["Alice does not live in Berlin", "Alice might live in Berlin"],
    ["Alice visited Berlin", "Alice visits Berlin"],
  ])("but not with less, or otherwise: %s > %s", async (older, newer) => {
    expect((await classify(newer, older)).superseded.filter(isSure)).toEqual([]);
  });
});

test("the other way round is another value and no repeat", async () => {
  const result = await classify("Mia prefers tea over cocoa", "Mia prefers cocoa over tea");
  expect(result.superseded[0]?.reason).toContain("another value");
});

describe("what can hold beside the older fact does not replace it", () => {
  test.each(
    table<[string, string]>("what can hold beside the older fact does not replace it: … > …"),
  )("%s > %s", async (older, newer) => {
    const { superseded } = await classify(newer, older);
    expect(superseded.filter(isSure)).toEqual([]);
  });
});

test("of several candidates those that say the same of the same are named", async () => {
  const result = await classify(
    "Alice moved to Munich",
    "Alice works in Munich",
    "Bob lives in Berlin",
    "Alice lives in Berlin",
    "Alice likes Berlin",
    "Alice lives in Rome",
  );
  expect(result.superseded.map(({ index }) => index)).toEqual([2, 4]);
});

test("its own name is given, whatever model the settings name, with a reason of one sentence", async () => {
  const result = await classify("Alice moved to Munich", "Alice lives in Berlin");
  expect(result.model).toBe("attribute-change-14");
  expect(result.reason).toMatch(/^[^\n]+\.$/u);
  expect(result.superseded[0]?.reason).toMatch(/^[^\n]+\.$/u);
});

test("any facts: a position offered or none, a confidence from 0 to 1, and the same twice", async () => {
  const words =
    "Alice Alice's lives in is not from to now moved quit no longer Berlin the $10 : and , . more";
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...words.split(" "))).map((chosen) => chosen.join(" ")),
  );
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(text, { minLength: 1, maxLength: 4 }),
      async (fact, candidates) => {
        const result = await classify(fact, ...candidates);
        for (const { index } of result.superseded) expect(candidates[index]).toBeDefined();
        for (const { confidence, reason } of [result, ...result.superseded]) {
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(reason).not.toBe("");
        }
        expect(await classify(fact, ...candidates)).toEqual(result);
      },
    ),
  );
});

test.each([
  ["the content", contentOf],
  ["the predicate", predicateOf],
])(
  "%s of a short text is read once for all that it is compared with, of a long one each time",
  (_, read) => {
    const text = "The user lives in Bern with two cats";
    expect(read(text)).toBe(read(text));
    const long = `${text} ${"and a dog ".repeat(40)}`;
    expect(read(long)).not.toBe(read(long));
    const first = read(text);
    for (let i = 0; i < 2_000; i++) read(`The user has ${i} lamps`);
    expect(read(text)).not.toBe(first);
  },
);

test("the longest fact and candidates are compared", async () => {
  const long = "Alice lives in Berlin and ".repeat(MAX_CONTENT_BYTES / 26);
  const candidates = Array.from({ length: MAX_CANDIDATES }, () => long.replaceAll("Alice", "Bob"));
  expect((await classify(long, ...candidates)).superseded).toEqual([]);
});
