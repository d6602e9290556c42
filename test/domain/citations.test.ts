import fc from "fast-check";
import { expect, test } from "vitest";
import { citeAnswer } from "../../src/domain/citations.ts";

test.each([
  ["one marker", "Peanuts [mem-1].", 3, "Peanuts [mem-1].", "Peanuts.", [1]],
  [
    "numbered by first mention",
    "A [mem-3]. B [mem-1]. C [mem-3].",
    3,
    "A [mem-1]. B [mem-2]. C [mem-1].",
    "A. B. C.",
    [3, 1],
  ],
  [
    "a marker that names none is removed",
    "A [mem-9]. B [mem-2].",
    3,
    "A. B [mem-1].",
    "A. B.",
    [2],
  ],
  ["zero names none", "A [mem-0].", 3, "A.", "A.", []],
  ["no marker", "I do not know.", 3, "I do not know.", "I do not know.", []],
  ["several in one bracket", "A [mem-1, mem-3].", 3, "A [mem-1][mem-2].", "A.", [1, 3]],
  ["several in one bracket, one of them invented", "A [mem-1; 7].", 3, "A [mem-1].", "A.", [1]],
  ["in a row", "A [mem-1][mem-1] [mem-2].", 3, "A [mem-1][mem-1] [mem-2].", "A.", [1, 2]],
  ["capitals", "A [Mem-2].", 3, "A [mem-1].", "A.", [2]],
  ["at the start", "[mem-1] says so.", 3, "[mem-1] says so.", "says so.", [1]],
  ["lines stay", "A [mem-1]\n\nB [mem-2]", 3, "A [mem-1]\n\nB [mem-2]", "A\n\nB", [1, 2]],
  [
    "other brackets stay",
    "A [mem-x] [1] [mem-1]",
    3,
    "A [mem-x] [1] [mem-1]",
    "A [mem-x] [1]",
    [1],
  ],
  ["a number beyond all bounds", `A [mem-${"9".repeat(30)}]`, 3, "A", "A", []],
  [
    "a marker inside a marker, beside one that grows",
    "A [mem-1;2;3]. B [mem-[mem-9]1].",
    3,
    "A [mem-1][mem-2][mem-3]. B [mem-1].",
    "A. B.",
    [1, 2, 3],
  ],
  ["a marker inside a marker", "A [mem-[mem-9]1].", 3, "A [mem-1].", "A.", [1]],
])("D12: %s", (_, text, offered, answerWithCitations, answer, cited) => {
  expect(citeAnswer(text, offered)).toEqual({ answer, answerWithCitations, cited });
});

test("D12: whatever a model writes, every marker names a citation and every citation has a marker", () => {
  const part = fc.oneof(
    fc.string(),
    fc.nat(12).map((n) => `[mem-${n}]`),
    fc.tuple(fc.nat(12), fc.nat(12)).map(([a, b]) => `[mem-${a}, mem-${b}]`),
  );
  fc.assert(
    fc.property(fc.array(part), fc.nat(8), (parts, offered) => {
      const { answer, answerWithCitations, cited } = citeAnswer(parts.join(" "), offered);
      const markers = [...answerWithCitations.matchAll(/\[mem-(\d{1,9})\]/g)].map(([, n]) =>
        Number(n),
      );
      expect([...new Set(markers)]).toEqual(cited.map((_, index) => index + 1));
      expect(new Set(cited).size).toBe(cited.length);
      expect(cited.every((number) => number >= 1 && number <= offered)).toBe(true);
      expect(answer).not.toMatch(/\[mem-\d{1,9}\]/);
    }),
  );
});
