import { expect, test } from "vitest";
import { fold } from "../src/words.ts";

test.each([
  ["CAFÉ", "cafe"],
  ["Ｃａｆｅ\u0301", "cafe"],
  ["Straße", "strasse"],
  ["I’m", "i'm"],
  ["ガ", fold("ｶﾞ")],
  ["שָׁלוֹם", fold("שָׁלוֹם".normalize("NFD"))],
])("%s is folded to %s", (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test("of a thousand marks on one character thirty count, so that sorting them takes no time", () => {
  const unsorted = "\u05b0\u05c1\uff9e\u0f72\u0316".repeat(1_000);
  expect(fold(`x${unsorted}y`).length).toBeLessThan(50);
});
