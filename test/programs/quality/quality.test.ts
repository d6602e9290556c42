import { createLocalProviders } from "@agent-memory/offline-models";
import { describe, expect, test } from "vitest";
import { Random } from "../histories/random.ts";
import { countMatches, tokenF1 } from "./match-facts.ts";
import {
  measureAnswers,
  measureExtraction,
  measureReported,
  measureSupersession,
} from "./measure.ts";
import { measureGate } from "./measure-gate.ts";
import { measureRelevance } from "./measure-relevance.ts";
import { measureVerifier, simulatedVerifier } from "./measure-verifier.ts";
import { PARTS } from "./parts.ts";
import type { LabelledSensitive } from "./sensitive.ts";

const local = createLocalProviders();

/** Of the set that no rule has seen aggregates only: who sees its mistakes would write rules for them. */
const { plain, development, fresh } = PARTS;
const told = (part: object, mistakes: readonly string[]) =>
  part === fresh ? "" : mistakes.join("\n");

test.each([
  ["plain", plain, 0.95, 0.95],
  ["development", development, 0.85, 0.78],
  ["fresh", fresh, 0.84, 0.73],
] as const)("extraction from the %s part: at least these", async (_, part, least, found) => {
  const { precision, recall, mistakes } = await measureExtraction(local, part.conversations);
  expect(precision, told(part, mistakes)).toBeGreaterThanOrEqual(least);
  expect(recall, told(part, mistakes)).toBeGreaterThanOrEqual(found);
});

test.each([
  ["plain", plain, 0.98, 0.98],
  ["development", development, 0.95, 0.88],
  ["fresh", fresh, 0.86, 0.8],
  ["everyday", { ...development, questions: development.everydayQuestions }, 0.94, 0.94],
] as const)("answers from the %s part: at least these", async (_, part, least, found) => {
  const { precision, recall, mistakes } = await measureAnswers(local, part.questions);
  expect(precision, told(part, mistakes)).toBeGreaterThanOrEqual(least);
  expect(recall, told(part, mistakes)).toBeGreaterThanOrEqual(found);
});

test.each([
  ["plain", plain, 0, 0.9],
  ["development", development, 0.01, 0.65],
  ["fresh", fresh, 0, 0.8],
] as const)(
  "D24, supersession in the %s part: at most this share ends falsely and at least that ends, and nothing excluded is sent",
  async (_, part, most, found) => {
    const measured = await measureSupersession(local, part.pairs);
    const { falseRetireRate, recall, excludedSent, mistakes } = measured;
    expect(falseRetireRate, told(part, mistakes)).toBeLessThanOrEqual(most);
    expect(recall, told(part, mistakes)).toBeGreaterThanOrEqual(found);
    expect(excludedSent).toBe(0);
  },
);

test("everyday changes, as facts: at least 0.58 end the older one, near misses none", async () => {
  const { falseRetireRate, recall, mistakes } = await measureSupersession(
    local,
    development.everyday.map(({ stored: older, fact: newer, ends: supersedes }) => {
      return { older, newer, supersedes, excludedCategory: null };
    }),
  );
  expect(falseRetireRate, mistakes.join("\n")).toBe(0);
  expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.58);
});

test("of mixed messages that no rule has seen at most two false facts, 15 of 16 found, 15 of 18 messages told as not read", async () => {
  const { counts } = await measureExtraction(local, fresh.mixed);
  expect(counts.right).toBeGreaterThanOrEqual(15);
  expect(counts.produced - counts.right).toBeLessThanOrEqual(2);
  expect((await measureReported(local, fresh.mixed)).counts.right).toBeGreaterThanOrEqual(15);
});

describe("an extracted fact counts as the expected one", () => {
  test("when it differs by articles, case or a word of many", () => {
    expect(countMatches(["The user lives in Oslo"], ["the user lives in Oslo."])).toBe(1);
    expect(tokenF1("The user lives in Oslo", "The user lives in the Oslo")).toBe(1);
  });

  test.each([
    ["Alice's sister lives in Oslo", "Bob's sister lives in Oslo"],
    ["The user eats pork", "The user does not eat pork"],
    ["The user lives in Oslo", "The user lives in Bergen"],
    ["The deadline is June 3", "The deadline is June 4"],
  ])("but not: %s / %s", (expected, extracted) => {
    expect(countMatches([expected], [extracted])).toBe(0);
  });

  test("and each at most once", () => {
    expect(countMatches(["Bob is tall", "Bob is tall"], ["Bob is tall"])).toBe(1);
  });
});

test("D27a: where the further question is answered rightly, all that is stated is believed, and nothing else", async () => {
  for (const { beliefs } of [PARTS.development, PARTS.fresh]) {
    const { mistakes } = await measureVerifier(simulatedVerifier(0, new Random(0)), beliefs);
    expect(mistakes).toEqual([]);
  }
});

describe("D12 relevance: what it says, with the local embedder", () => {
  test.for([
    { part: "development", low: 0.98, beside: 0.98, noise: 0.2, right: 0.74 },
    { part: "fresh", low: 0.98, beside: 0.98, noise: 0.1, right: 0.84 },
  ] as const)("of the $part half", async ({ part, low, beside, noise, right }) => {
    const { figures, mistakes } = await measureRelevance(local.embedder, PARTS[part]);
    const [apart, together, unanswered, first] = figures.map(({ hits, trials }) => hits / trials);
    const told = part === "fresh" ? "" : mistakes.join("\n");
    expect(apart, told).toBeGreaterThanOrEqual(low);
    expect(together, told).toBeGreaterThanOrEqual(beside);
    expect(unanswered, told).toBeLessThanOrEqual(noise);
    expect(first, told).toBeGreaterThanOrEqual(right);
  });
});

describe("D24: what the category gate lets past, with the local embedder", () => {
  test("of the development half: nothing sensitive, at most 0.04 of the harmless held back", async () => {
    const rates = await measureGate(local.embedder, PARTS.development.sensitive);
    expect(rates.sensitiveSent, rates.mistakes.join("\n")).toBe(0);
    expect(rates.harmlessHeld / rates.harmless, rates.mistakes.join("\n")).toBeLessThanOrEqual(
      0.04,
    );
  });

  test("of the fresh half: at most 0.02 of the sensitive, at most 0.3 of the harmless held back", async () => {
    const { sensitive, sensitiveSent, harmless, harmlessHeld } = await measureGate(
      local.embedder,
      PARTS.fresh.sensitive,
    );
    expect(sensitiveSent / sensitive).toBeLessThanOrEqual(0.02);
    expect(harmlessHeld / harmless).toBeLessThanOrEqual(0.3);
  });

  test("of where people live: nothing is held back", async () => {
    const towns =
      "Bern Lisbon Oslo Rome Kiel Porto Quito Osaka Nice Graz Bonn Köln Essen Linz Lyon";
    const homes = towns.split(" ").map(
      (town): LabelledSensitive => ({
        text: `The user lives in ${town}`,
        category: null,
        language: "en",
      }),
    );
    expect((await measureGate(local.embedder, homes)).mistakes).toEqual([]);
  });
});
