import { expect, test } from "vitest";
import { inEnglish } from "../src/foreign-statements.ts";
import { tablesIn } from "./tables.ts";

const table = tablesIn(import.meta.dirname, "foreign-statements.cases.json");

test.each(table<[string, string | null]>("…: …"))("%s: %s", (sentence, english) => {
  expect(inEnglish(sentence)).toBe(english);
});
