import { describe, expect, test } from "vitest";
import {
  EXAMPLE_STATEMENTS,
  entriesOf,
  LANGUAGE_WORDS,
  MEDICINES,
} from "../../src/domain/category-gate.ts";

const LISTS = [
  ["medicines", MEDICINES],
  ...LANGUAGE_WORDS.flatMap(
    ({ health, legal, harmless }, language) =>
      [
        [`language ${language}, topics of health`, health.topics],
        [`language ${language}, words of health`, health.words],
        [`language ${language}, topics of legal status`, legal.topics],
        [`language ${language}, words of legal status`, legal.words],
        [`language ${language}, harmless phrases`, harmless],
      ] as const,
  ),
] as const;

describe("D24: the word lists of the category gate", () => {
  test("are of ten languages", () => {
    expect(LANGUAGE_WORDS).toHaveLength(10);
    expect(new Set(LANGUAGE_WORDS).size).toBe(10);
  });

  test.each(LISTS)("%s: no list, line or entry is empty", (_, lines) => {
    expect(lines).not.toEqual([]);
    for (const line of lines) {
      expect(line).toBe(line.trim());
      expect(line).not.toContain("\n");
      for (const entry of entriesOf(line)) expect(entry, line).not.toBe("");
    }
  });
});

test("D24 nearness: example statements are trimmed texts, none twice", () => {
  const texts = EXAMPLE_STATEMENTS.map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  for (const text of texts) expect(text).toBe(text.trim());
  expect(new Set(EXAMPLE_STATEMENTS.map(({ category }) => category))).toEqual(
    new Set(["health medical", "legal status", null]),
  );
});
