import { fold } from "@agent-memory/text";
import { CATEGORY_WORDS, HARMLESS_PHRASES } from "./category-words.ts";
import { partsOf } from "./phrase-entry.ts";
import { type ListedPhrase, PhraseTrie } from "./phrase-trie.ts";

/** The categories that are recognised by words, in the form of `topicKey`. */
export const SHIPPED_CATEGORIES: readonly string[] = [...CATEGORY_WORDS.keys()];

/**
 * The shipped categories that a memory with this topic, in the form of `topicKey`, and
 * this text is in.
 */
export function shippedCategoriesOf(topic: string, text: string): ReadonlySet<string> {
  // A topic of several words ("Family health") is recognised by its words too.
  const words = wordsOf(fold(topic));
  let found = (TOPICS.get(topic) ?? 0) | (TOPICS.get(words) ?? 0) | listsIn(words);
  if (found !== ALL_CATEGORIES) found |= listsIn(wordsOf(fold(text)));
  return new Set(SHIPPED_CATEGORIES.filter((_, index) => found & bitOf(index)));
}

// Lists are bits: one for each category, in order, and one for harmless phrases.
const ALL_CATEGORIES = bitOf(SHIPPED_CATEGORIES.length) - 1;
const HARMLESS = bitOf(SHIPPED_CATEGORIES.length);

function bitOf(index: number): number {
  return 1 << index;
}

/** Letters that are written without blanks between words. */
const UNPARTED = String.raw`[\p{L}&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]`;
const STARTS_UNPARTED = new RegExp(`^${UNPARTED}`, "v");
const WORDS = new RegExp(String.raw`${UNPARTED}+|[[\p{L}\p{M}\p{N}]--${UNPARTED}]+`, "gv");

/**
 * The words of a folded text, parted by single blanks. What is written without blanks is
 * parted from letters and digits of other scripts only.
 */
function wordsOf(folded: string): string {
  return (folded.match(WORDS) ?? []).join(" ");
}

// All are made once, for every gate of the process.
const TOPICS = topicNames();
const { wordStarts: FROM_WORD_STARTS, anywhere: FROM_ANYWHERE } = entries();

function topicNames(): ReadonlyMap<string, number> {
  const topics = new Map<string, number>();
  for (const [index, [category, lists]] of [...CATEGORY_WORDS].entries()) {
    const names = lists.flatMap(({ topics }) => topics.flatMap(entriesOf));
    for (const name of [category, ...names]) {
      topics.set(name, (topics.get(name) ?? 0) | bitOf(index));
    }
  }
  return topics;
}

function entries(): { readonly wordStarts: PhraseTrie; readonly anywhere: PhraseTrie } {
  const wordStarts: ListedPhrase[] = [];
  const anywhere: ListedPhrase[] = [];
  const ofCategories = [...CATEGORY_WORDS.values()].map((lists) =>
    lists.flatMap(({ words }) => words),
  );
  for (const [index, lists] of [...ofCategories, HARMLESS_PHRASES].entries()) {
    for (const entry of lists.flatMap(entriesOf)) {
      const isInner = entry.startsWith("*");
      const parts = partsOf(isInner ? entry.slice(1) : entry, wordsOf);
      const isUnparted = parts[0]?.some(({ text }) => STARTS_UNPARTED.test(text)) === true;
      // There are no words to end with.
      const open = parts.map((part) => part.map((choice) => ({ ...choice, isOpen: true })));
      const listed = { parts: isUnparted ? open : parts, lists: bitOf(index) };
      (isUnparted || isInner ? anywhere : wordStarts).push(listed);
    }
  }
  return { wordStarts: new PhraseTrie(wordStarts), anywhere: new PhraseTrie(anywhere) };
}

/** The entries of a line of a list, folded. */
export function entriesOf(line: string): string[] {
  return fold(line)
    .split(",")
    .map((entry) => entry.trim());
}

/**
 * The lists of categories whose entries stand in `words`. What begins within a harmless
 * phrase is passed over.
 */
function listsIn(words: string): number {
  let found = 0;
  let here = 0;
  let harmlessEnd = 0;
  const add = (lists: number, end: number) => {
    here |= lists;
    if (lists & HARMLESS) harmlessEnd = Math.max(harmlessEnd, end);
  };
  for (let at = 0; at < words.length && found !== ALL_CATEGORIES; at++) {
    here = 0;
    const isCovered = at < harmlessEnd;
    if (at === 0 || words[at - 1] === " ") FROM_WORD_STARTS.visit(words, at, add);
    FROM_ANYWHERE.visit(words, at, add);
    if (!isCovered && !(here & HARMLESS)) found |= here;
  }
  return found;
}
