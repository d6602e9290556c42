import lexicon from "./lexicon.json" with { type: "json" };

// What facts are about. Other words make other vectors, which are those of another model.

/**
 * Words that ask for or name a concept itself. A question and the fact that answers
 * it often share nothing else. "=" before a word: that form only ("called", not "call"). Where no
 * words follow, it is named by its own.
 */
export const SYNONYMS = byName(lexicon.synonyms);

/**
 * Words whose mention implies a concept: "Berlin" implies a place. The names are
 * kinds: two members of one kind can be two values of one attribute. Behind "=" stand the
 * concepts that a kind implies, where they bear other names.
 */
export const KINDS = byName(lexicon.kinds);

function byName(lists: Readonly<Record<string, readonly string[]>>) {
  return new Map(
    Object.entries(lists).map(([name, lines]) => [name, lines.flatMap((line) => line.split(" "))]),
  );
}
