import fc from "fast-check";
import { expect, test } from "vitest";
import { citeQuotes } from "../src/answerer.ts";

test("D12a: quotes have the markers that they are given, and none of their own", () => {
  const quotes = [
    { text: "Use array[1], see [mem-1].", number: 3 },
    { text: "Twice [[mem-2]].", number: 2 },
    { text: "Again.", number: 3 },
  ];
  expect(citeQuotes(quotes, "stated")).toEqual({
    answer: "Use array[1], see mem-1. Twice [mem-2]. Again.".replace("[mem-2]", "mem-2"),
    answerWithCitations: "Use array[1], see mem-1. [mem-1] Twice mem-2. [mem-2] Again. [mem-1]",
    cited: [3, 2],
    grounded: true,
    answerKind: "stated",
  });
});

test("4.4 response answer: half a character, where a memory was cut, is left out", () => {
  const { answer } = citeQuotes([{ text: "A wall of 👩\ud83d…", number: 1 }], "stated");
  expect(answer).toBe("A wall of 👩…");
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

test("D12a: what a memory says cites nothing when it is quoted", () => {
  fc.assert(
    fc.property(bracketed, (text) => {
      const quoted = citeQuotes([{ text, number: 1 }], "closest");
      expect(quoted.answer).not.toMatch(/\[mem-\d+\]/);
    }),
    { numRuns: 2_000 },
  );
});
