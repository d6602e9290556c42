import { describe, expect, test } from "vitest";
import { partsOf } from "../../src/domain/phrase-entry.ts";
import { PhraseTrie } from "../../src/domain/phrase-trie.ts";

const toWords = (text: string) => (text.match(/\p{L}+/gu) ?? []).join(" ");

/** What of a text from its first word on is a phrase of these entries. */
function found(entries: readonly string[], text: string): string[] {
  const phrases = entries.map((entry) => ({ parts: partsOf(entry, toWords), lists: 1 }));
  const ends: string[] = [];
  new PhraseTrie(phrases).visit(text, 0, (_, end) => ends.push(text.slice(0, end)));
  return ends;
}

describe("an entry of a word list", () => {
  test.each([
    ["a phrase", "green card", ["green card"], ["green", "green cards", "a green card"]],
    ["an open one", "divorc*", ["divorce", "divorced"], ["divor"]],
    ["with a choice", "(my|her) doctor", ["my doctor", "her doctor"], ["doctor", "his doctor"]],
    ["with a choice within a word", "tumo(u|)r", ["tumor", "tumour"], ["tumur"]],
    ["with endings to choose", "addict(ed|s|) to tea", ["addict to tea", "addicted to tea"], []],
    ["what may be left out first", "(my|) doctor", ["doctor", "my doctor"], ["my"]],
    ["what may be left out", "is (a|the|) nurse", ["is nurse", "is a nurse"], ["is", "is a"]],
    ["what may be left out last", "sick (leave|)", ["sick", "sick leave"], ["sicken"]],
    ["two in a row", "is (so|) (very|) sick", ["is sick", "is so sick", "is so very sick"], []],
    ["with open choices", "on (bail*|parole)", ["on bailed", "on parole"], ["on paroled"]],
    ["that is open after a choice", "(heart|eye) op*", ["heart operation", "eye op"], []],
    ["with other signs between words", "x-ray", ["x ray"], ["xray"]],
  ])("%s", (_, entry, phrases, others) => {
    for (const phrase of phrases) expect(found([entry], phrase)).not.toEqual([]);
    for (const other of others) expect(found([entry], other)).not.toContain(other);
  });

  test.each(["", "*", "a* b", "(a*|b) c", "(a|(b)) c", "a) b"])("is not: %s", (entry) => {
    expect(() => partsOf(entry, toWords)).toThrow("is no entry of a word list");
  });
});

test("entries that begin alike are all found, and none goes on as another", () => {
  const entries = ["is (a|the) nurse", "is (a|an) lawyer", "is a"];
  expect(found(entries, "is a nurse")).toEqual(["is a", "is a nurse"]);
  expect(found(entries, "is a lawyer")).toEqual(["is a", "is a lawyer"]);
  expect(found(entries, "is the lawyer")).toEqual([]);
});
