import { expect, test } from "vitest";
import { PhraseFinder } from "../../src/domain/phrase-finder.ts";

/** The longest phrase of these entries that a text begins with; null: none. */
function found(entries: readonly string[], text: string): string | null {
  const finder = new PhraseFinder();
  for (const entry of entries) finder.add(entry, 0);
  let found: string | null = null;
  finder.findAt(text, 0, (_, end) => {
    if (end > (found?.length ?? 0)) found = text.slice(0, end);
  });
  return found;
}

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
  ["with a place for any word", "about (_|) courts", ["about courts", "about old courts"], []],
  ["with other signs between words", "x-ray", ["x ray"], ["xray"]],
])("an entry of a word list may be %s", (_, entry, phrases, others) => {
  for (const phrase of phrases) expect(found([entry], phrase)).not.toBeNull();
  for (const other of others) expect(found([entry], other)).not.toBe(other);
});
