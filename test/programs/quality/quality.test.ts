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

describe("the local models on the plain part of the labelled set", () => {
  const { conversations, questions, pairs } = PARTS.plain;

  test("extraction: precision and recall at least 0.95", async () => {
    const { precision, recall, mistakes } = await measureExtraction(local, conversations);
    expect(precision, mistakes.join("\n")).toBeGreaterThanOrEqual(0.95);
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.95);
  });

  test("answers: precision and recall at least 0.98", async () => {
    const { precision, recall, mistakes } = await measureAnswers(local, questions);
    expect(precision, mistakes.join("\n")).toBeGreaterThanOrEqual(0.98);
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.98);
  });

  test("supersession: no false retirement, recall at least 0.9", async () => {
    const { falseRetireRate, recall, mistakes } = await measureSupersession(local, pairs);
    expect(falseRetireRate, mistakes.join("\n")).toBe(0);
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.9);
  });

  test("D24: no pair of an excluded category reaches the classifier", async () => {
    expect((await measureSupersession(local, pairs)).excludedSent).toBe(0);
  });
});

describe("the local models on the part that they are developed on", () => {
  const { conversations, questions, pairs, everyday } = PARTS.development;

  test("extraction: precision at least 0.85, recall at least 0.78", async () => {
    const { precision, recall, mistakes } = await measureExtraction(local, conversations);
    expect(precision, mistakes.join("\n")).toBeGreaterThanOrEqual(0.85);
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.78);
  });

  test("answers: precision at least 0.95, recall at least 0.88", async () => {
    const { precision, recall, mistakes } = await measureAnswers(local, questions);
    expect(precision, mistakes.join("\n")).toBeGreaterThanOrEqual(0.95);
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.88);
  });

  test("supersession: at most 1 % false retirement of what is near to a change, recall 0.65", async () => {
    const { falseRetireRate, recall, mistakes } = await measureSupersession(local, pairs);
    expect(falseRetireRate, mistakes.join("\n")).toBeLessThanOrEqual(0.01);
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.65);
  });

  test("everyday changes, as facts: at least 0.58 end the older one, near misses none", async () => {
    const { falseRetireRate, recall, mistakes } = await measureSupersession(
      local,
      everyday.map(({ stored: older, fact: newer, ends: supersedes }) => {
        return { older, newer, supersedes, excludedCategory: null };
      }),
    );
    expect(falseRetireRate, mistakes.join("\n")).toBe(0);
    expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.58);
  });
});

/** Aggregates only: who sees the mistakes of this set would write rules for them. */
describe("the local models on the set that no rule has seen", () => {
  const { conversations, mixed, questions, pairs } = PARTS.fresh;

  test("of mixed messages at most two false facts, 15 of 16 found, 15 of 18 messages told as not read", async () => {
    const { counts } = await measureExtraction(local, mixed);
    expect(counts.right).toBeGreaterThanOrEqual(15);
    expect(counts.produced - counts.right).toBeLessThanOrEqual(2);
    expect((await measureReported(local, mixed)).counts.right).toBeGreaterThanOrEqual(15);
  });

  test("extraction: precision at least 0.84, recall at least 0.73", async () => {
    const { precision, recall } = await measureExtraction(local, conversations);
    expect(precision).toBeGreaterThanOrEqual(0.84);
    expect(recall).toBeGreaterThanOrEqual(0.73);
  });

  test("answers: precision at least 0.86, recall at least 0.8", async () => {
    const { precision, recall } = await measureAnswers(local, questions);
    expect(precision).toBeGreaterThanOrEqual(0.86);
    expect(recall).toBeGreaterThanOrEqual(0.8);
  });

  test("supersession: no false retirement, recall at least 0.8; nothing excluded is sent", async () => {
    const { falseRetireRate, recall, excludedSent } = await measureSupersession(local, pairs);
    expect(falseRetireRate).toBe(0);
    expect(recall).toBeGreaterThanOrEqual(0.8);
    expect(excludedSent).toBe(0);
  });
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
    { part: "development", low: 0.98, beside: 0.98, noise: 0.24, right: 0.78 },
    { part: "fresh", low: 0.98, beside: 0.98, noise: 0.2, right: 0.78 },
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
