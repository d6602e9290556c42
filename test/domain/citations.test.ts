import fc from "fast-check";
import { expect, test } from "vitest";
import { defuseMarkers } from "../../src/domain/citation-markers.ts";
import { certainOf, citeText } from "../../src/domain/citations.ts";
import { citeAnswer } from "../support/cite-answer.ts";

test.each([
  [
    "a marker that names none is removed",
    "A [mem-9]. B [mem-2].",
    3,
    "A. B [mem-1].",
    "A. B.",
    [2],
  ],
  ["zero names none", "A [mem-0].", 3, "A.", "A.", []],
  ["several in one bracket", "A [mem-1, mem-3].", 3, "A [mem-1][mem-2].", "A.", [1, 3]],
  ["several in one bracket, one of them invented", "A [mem-1; 7].", 3, "A [mem-1].", "A.", [1]],
  ["lines stay", "A [mem-1]\n\nB [mem-2]", 3, "A [mem-1]\n\nB [mem-2]", "A\n\nB", [1, 2]],
  [
    "other brackets stay",
    "A [mem-x] [sic] (in Oslo) [mem-1] [",
    3,
    "A [mem-x] [sic] (in Oslo) [mem-1] [",
    "A [mem-x] [sic] (in Oslo) [",
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
])("D12: %s", (_, text, offered, answerWithCitations, answer, cited) => {
  expect(citeAnswer(text, offered)).toMatchObject({ answer, answerWithCitations, cited });
});

test.each([
  ["Oslo [mem-1, mem-2].", "Oslo [mem-1][mem-2].", [1, 2]],
  ["Oslo [mem-1, mem-2, and 3].", "Oslo [mem-1][mem-2][mem-3].", [1, 2, 3]],
  ["Oslo [mem-1 to mem-3].", "Oslo [mem-1][mem-2][mem-3].", [1, 2, 3]],
  ["Oslo [mem-1–mem-3].", "Oslo [mem-1][mem-2][mem-3].", [1, 2, 3]],
  ["Oslo [mem-2 to mem-99999].", "Oslo [mem-1].", [2]],
  ["Oslo [1-3].", "Oslo [1-3].", []],
  ["Oslo [**mem-2**].", "Oslo [mem-1].", [2]],
  ["Oslo [`mem-2`, _mem-1_].", "Oslo [mem-1][mem-2].", [2, 1]],
  ["Oslo [memories 1 und 2].", "Oslo [mem-1][mem-2].", [1, 2]],
  ["Oslo [mem-2: crm, 2026-01-03].", "Oslo [mem-1].", [2]],
  ["Oslo [mem-2 (crm)].", "Oslo [mem-2 (crm)].", []],
  ["Oslo [mem−2].", "Oslo [mem-1].", [2]],
  ["Oslo [citation: mem-2].", "Oslo [mem-1].", [2]],
  ["Oslo [mem-2](#mem-2).", "Oslo [mem-1][mem-1].", [2]],
  ["Oslo [2].", "Oslo [mem-1].", [2]],
  ["Oslo [1, 2].", "Oslo [mem-1][mem-2].", [1, 2]],
  ["Oslo [^2].", "Oslo [mem-1].", [2]],
  ["Oslo [mem-1]. Rome [2].", "Oslo [mem-1]. Rome [mem-2].", [1, 2]],
  ["Oslo[1] and Rome[2][3].", "Oslo[mem-1] and Rome[mem-2][mem-3].", [1, 2, 3]],
  ["オスロです[1]。", "オスロです[mem-1]。", [1]],
  ["Oslo【mem-2】.", "Oslo[mem-1].", [2]],
  ["Oslo【2†source】.", "Oslo[mem-1].", [2]],
  ["Oslo 【2†L1-L5】.", "Oslo [mem-1].", [2]],
  ["Oslo 【4:0†source】.", "Oslo.", []],
  ["Oslo (see mem-2 and mem-1).", "Oslo [mem-1][mem-2].", [2, 1]],
  ["Oslo [[mem-2], [mem-9]].", "Oslo [mem-1].", [2]],
  ["Oslo ([mem-9]).", "Oslo.", []],
])("D12a: %s", (text, answerWithCitations, cited) => {
  const answer = citeAnswer(text, 3);
  expect(answer).toMatchObject({ answerWithCitations, cited });
  expect(answer.answer).toBe(answerWithCitations.replace(/ ?\[mem-\d\]/gu, ""));
});

test.each([
  "The limit is array[1] and not array[0].",
  "The element matrix[1][2] is five [mem-1].",
  "Expo[2024].",
  "The report [2024] says so.",
  "At [10:30] or [5 May].",
  "See [1](https://example.com).",
  "The laptop (memory 16 GB) is hers.",
  "Nothing [] here ().",
])("D12a: no marker is read in %s", (text) => {
  const { answer, cited } = citeAnswer(text, 3);
  expect(answer).toBe(text.replace(" [mem-1]", ""));
  expect(cited).toEqual(text.includes("[mem-1]") ? [1] : []);
});

test.each([
  ["Ana lives in Oslo.[mem-1] She has a dog.[mem-2]", true],
  ["Dr. Moe of 3.5 Inc. lives in Oslo [mem-1].", true],
  ['She said "I live in Oslo." [mem-1]', true],
  ["1. Ana lives in Oslo [mem-1]\n2. Bo lives in Rome [mem-2]\n", true],
  ["[mem-1] Ana lives in Oslo.\n[mem-2] Bo lives in Rome.", true],
  ["アナはオスロに住んでいます[mem-1]。犬がいます[mem-2]。", true],
  ["Ana lives in Oslo. She has a dog [mem-1].", false],
  ["Ana lives in Oslo [mem-1]. She has a dog [mem-9].", false],
  ["Ana lives in Oslo [mem-1]! Is it cold? Yes [mem-2].", false],
  ["- Ana lives in Oslo [mem-1]\n- Bo lives in Rome", false],
  ["アナはオスロに住んでいます[mem-1]。犬がいます。", false],
])("D12a: %j: every sentence has a marker: %s", (text, grounded) => {
  expect(citeAnswer(text, 2).grounded).toBe(grounded);
});

const bracketed = fc
  .array(
    fc.constantFrom(
      ..."[|]|(|)|【|】|［|］|mem-|mem|memory |1|2|99|, | and |†source|^|see |a|. | |\t|\n|https".split(
        "|",
      ),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

test("D12, 4.4 stream text: wherever a text is cut, what is certain of it is the beginning of the answer", () => {
  const text = fc
    .array(fc.oneof(bracketed, fc.constantFrom("Oslo[1]", "[mem-1]", "x[2].", "me", "[mem-9] ")))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat(4), (text, offered) => {
      const { answerWithCitations } = citeAnswer(text, offered);
      let before = "";
      for (let end = 0; end <= text.length; end++) {
        const certain = certainOf(text.slice(0, end), offered);
        expect(certain).toMatch(/^$|\[mem-1\]/);
        expect(certain.startsWith(before)).toBe(true);
        before = certain;
      }
      expect(answerWithCitations.startsWith(before)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["a list of markers", "Oslo [mem-2, mem", "Oslo"],
  ["a bracket that was no marker", "Oslo [the city]", "Oslo [the city]"],
  ["a bracket of the line before", "Oslo [the city\nof", "Oslo [the city\nof"],
  ["a number that may be a link", "Oslo [2]", "Oslo"],
  ["a link", "Oslo [2](https://a.b)", "Oslo [2](https://a.b)"],
  ["a marker that names none", "Oslo [mem-9]", "Oslo"],
])("4.4 stream text: behind %s as much is certain as is decided: %j", (_, text, certain) => {
  expect(certainOf(`A [mem-3]. ${text}`, 3)).toBe(`A [mem-1]. ${certain}`);
});

const END = "Ana lives in Oslo [mem-1].";
test.each([
  ["Ana lives in Oslo [mem-3]. According to [mem-2], she no lon", "", END, [3]],
  ["Ana lives in Oslo. [mem-3] She does not [mem-2] li", "", "Ana lives in Oslo. [mem-1]", [3]],
  ["Ana lives in Oslo [mem-3]. [mem-2] says that she no lon", "", END, [3]],
  ["Ana lives in Oslo [mem-3].\n[mem-2] She no lon", "", END, [3]],
  ["Ana lives in Oslo [mem-3].[mem-2] She no lon", "", END, [3]],
  ['She said "Oslo [mem-2]." Then', "", 'She said "Oslo [mem-1]."', [2]],
  ["- Oslo [mem-2]\n- Rome [mem-1]\n- Por", "", "- Oslo [mem-1]\n- Rome [mem-2]", [2, 1]],
  ["Ana lives in Oslo. She has a cat [mem-1], not", "", "Ana lives in Oslo.", []],
  ["Ana lives in Oslo [mem-1], not in", "", "Ana lives in Oslo, not in", []],
  [
    `${END} According to [mem-2], she`,
    `${END} According to [mem-2]`,
    `${END} According to [mem-2]`,
    [1, 2],
  ],
  [
    "It starts at 5 p.m [mem-1]. According to [mem-2], he le",
    "",
    "It starts at 5 p.m [mem-1].",
    [1],
  ],
  ["It starts at 5 p.m. [mem-1]", "", "It starts at 5 p.m. [mem-1]", [1]],
  [
    "Ana lives in Oslo [mem-1], not in",
    "Ana lives in Oslo [mem-1]",
    "Ana lives in Oslo [mem-1]",
    [1],
  ],
])(
  "D12a: cut off, %j ends at its last whole sentence with a marker, or behind %j, which was shown",
  (text, shown, answerWithCitations, cited) => {
    const answer = citeText(text, 3, { isCutOff: true, shown });
    expect(answer).toMatchObject({ answerWithCitations, cited, grounded: cited.length > 0 });
    expect(answer.answer).toBe(answerWithCitations.replace(/ ?\[mem-\d\]/gu, ""));
  },
);

test("D12a: a marker that the text ends in is removed", () => {
  for (const end of [" [mem-2", " [mem-", " 【mem 2", " [mem-2, 1"])
    expect(citeAnswer(`A [mem-1]. B${end}`, 2).answer).toBe("A. B");
  expect(citeAnswer("A [mem-1]. B [the", 2).answer).toBe("A. B [the");
});

test("D12a: a marker is of one line, and what is left of two makes none", () => {
  const longest = Array.from({ length: 100 }, (_, index) => `mem-${index + 1}`).join(", ");
  expect(citeAnswer(`A [${longest}].`, 100).cited).toHaveLength(100);
  const { cited, answerWithCitations } = citeAnswer("A [mem-[mem-9]\n1]. B [mem-2].", 3);
  expect(cited).toEqual([2]);
  expect(answerWithCitations).toBe("A [mem-\n1]. B [mem-1].");
});

test("D12a: what a memory says cites nothing when it is said again", () => {
  fc.assert(
    fc.property(bracketed, (text) => {
      expect(citeAnswer(defuseMarkers(text), 100).cited).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("D12a: a long text of brackets is read once", () => {
  for (const piece of [
    "[",
    "(",
    "[mem-",
    "[mem-9]",
    "[[mem-1]",
    "【1†",
    "[1",
    "[x]",
    "(mem-1",
    "\n",
    ". ",
    " ",
  ]) {
    const text = piece.repeat(2 ** 17 / piece.length);
    const closed = text + "]".repeat(2 ** 16);
    for (const each of [text, closed])
      expect(citeAnswer(each, 3).answer).not.toMatch(/\[mem-\d\]/u);
  }
});

test("D12: whatever a model writes, every marker names a citation and every citation has a marker", () => {
  const part = fc.oneof(
    fc.string(),
    fc.nat(12).map((n) => `[mem-${n}]`),
    fc.tuple(fc.nat(12), fc.nat(12)).map(([a, b]) => `[mem-${a}, mem-${b}]`),
    bracketed,
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
