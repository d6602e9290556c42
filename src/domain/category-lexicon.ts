import { fold } from "@agent-memory/text";
import { CATEGORY_WORDS, HARMLESS_PHRASES } from "./category-words.ts";
import { PhraseFinder } from "./phrase-finder.ts";

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

// Lists are bits, one for each category, in order.
const ALL_CATEGORIES = bitOf(SHIPPED_CATEGORIES.length) - 1;

function bitOf(index: number): number {
  return 1 << index;
}

/** Letters that are written without blanks between words. */
const UNPARTED = String.raw`[\p{L}&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]`;
const STARTS_UNPARTED = new RegExp(String.raw`^\(?${UNPARTED}`, "v");
/** Between what is written without blanks and what is not. */
const SCRIPT_CHANGE = new RegExp(
  String.raw`(?<=${UNPARTED})(?=[[\p{L}\p{N}]--${UNPARTED}])|(?<=[[\p{L}\p{M}\p{N}]--${UNPARTED}])(?=${UNPARTED})`,
  "gv",
);
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
const LISTS = [...CATEGORY_WORDS.values()].map((lists) =>
  listOf(lists.flatMap(({ words }) => words)),
);
const HARMLESS = listOf(HARMLESS_PHRASES);

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

/** The phrases that begin where a word does, and those that begin anywhere. */
interface PhraseList {
  readonly wordStarts: PhraseFinder;
  readonly anywhere: PhraseFinder;
}

function listOf(lines: readonly string[]): PhraseList {
  const list = { wordStarts: new PhraseFinder(), anywhere: new PhraseFinder() };
  for (const entry of lines.flatMap(entriesOf)) {
    const text = entry.replace(/^\*/u, "");
    const isUnparted = STARTS_UNPARTED.test(text);
    const finder = isUnparted || text !== entry ? list.anywhere : list.wordStarts;
    // There are no words to end with.
    finder.add(text.replaceAll(SCRIPT_CHANGE, " "), isUnparted);
  }
  return list;
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
  let harmlessEnd = 0;
  for (let at = 0; at < words.length && found !== ALL_CATEGORIES; at++) {
    if (words[at] === " ") continue;
    const isStart = at === 0 || words[at - 1] === " ";
    const endIn = ({ wordStarts, anywhere }: PhraseList) =>
      Math.max(isStart ? wordStarts.endOf(words, at) : -1, anywhere.endOf(words, at));
    const isCovered = at < harmlessEnd;
    const here = LISTS.reduce((bits, list, i) => (endIn(list) < 0 ? bits : bits | bitOf(i)), 0);
    const end = endIn(HARMLESS);
    harmlessEnd = Math.max(harmlessEnd, end);
    if (!isCovered && end < 0) found |= here;
  }
  return found;
}
