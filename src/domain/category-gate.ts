import { CATEGORY_WORDS, type CategoryWords } from "./category-word-lists.ts";
import { fold } from "./folding.ts";
import type { Memory } from "./memory.ts";

/** Decides which memories may be shown to a classifier (D24). Sees no model. */
export interface CategoryGate {
  /** The excluded category that the memory is in, as the settings name it; null: it is in none. */
  excludedCategory(memory: Pick<Memory, "topic" | "decision">): string | null;
}

/**
 * A gate for the setting `excluded_categories` (2.6). A category matches by the
 * memory's topic, and the shipped ones (`health_medical`, `legal_status`) also
 * by natural topic names and by their word lists, which are English.
 */
export function createCategoryGate(excludedCategories: readonly string[]): CategoryGate {
  const matchers = excludedCategories.map((category) => ({
    category,
    matches: matcherOf(category),
  }));
  return {
    excludedCategory(memory) {
      return matchers.find(({ matches }) => matches(memory))?.category ?? null;
    },
  };
}

function matcherOf(category: string): (memory: Pick<Memory, "topic" | "decision">) => boolean {
  const key = topicKey(category);
  const list = CATEGORY_WORDS.get(key);
  if (list === undefined) return (memory) => topicKey(memory.topic) === key;
  const topics = new Set([key, ...list.topics]);
  const lexicon = lexiconOf(list);
  return (memory) => {
    const topic = topicKey(memory.topic);
    // A topic of several words ("Family health") is recognised by its words too.
    const words = foldedWords(topic).join(" ");
    return (
      topics.has(topic) ||
      topics.has(words) ||
      hasWordOf(lexicon, topic) ||
      hasWordOf(lexicon, memory.decision)
    );
  };
}

/** Topics are equal whatever their case and whether `_`, `-` or spaces part their words. */
export function topicKey(topic: string): string {
  return fold(topic)
    .replace(/[\s_-]+/gu, " ")
    .trim();
}

/** A word list, ready to be searched in one pass over a text. */
interface Lexicon {
  readonly phrases: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
  readonly longestPhraseWords: number;
}

function lexiconOf(list: CategoryWords): Lexicon {
  const phrases = new Set<string>();
  const prefixes = new Set<string>();
  let longestPhraseWords = 1;
  for (const entry of list.words.split(/[,\n]/u)) {
    const phrase = foldedWords(entry).join(" ");
    if (phrase === "") continue;
    (entry.trimEnd().endsWith("*") ? prefixes : phrases).add(phrase);
    longestPhraseWords = Math.max(longestPhraseWords, phrase.split(" ").length);
  }
  return { phrases, prefixes, longestPhraseWords };
}

function hasWordOf(lexicon: Lexicon, text: string): boolean {
  const words = foldedWords(text);
  return words.some((_, start) => {
    for (let length = 1; length <= lexicon.longestPhraseWords; length++) {
      if (start + length > words.length) return false;
      const phrase = words.slice(start, start + length).join(" ");
      if (lexicon.phrases.has(phrase) || hasPrefixOf(lexicon.prefixes, phrase)) return true;
    }
    return false;
  });
}

const LONGEST_PREFIX_CHARACTERS = 32;

function hasPrefixOf(prefixes: ReadonlySet<string>, phrase: string): boolean {
  const longest = Math.min(phrase.length, LONGEST_PREFIX_CHARACTERS);
  for (let length = 3; length <= longest; length++) {
    if (prefixes.has(phrase.slice(0, length))) return true;
  }
  return false;
}

function foldedWords(text: string): string[] {
  return fold(text).match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [];
}
