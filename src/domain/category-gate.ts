import { fold } from "@agent-memory/text";
import examples from "./category-examples.json" with { type: "json" };
import chinese from "./category-words/chinese.json" with { type: "json" };
import dutch from "./category-words/dutch.json" with { type: "json" };
import english from "./category-words/english.json" with { type: "json" };
import weights from "./category-words/english-weights.json" with { type: "json" };
import french from "./category-words/french.json" with { type: "json" };
import german from "./category-words/german.json" with { type: "json" };
import italian from "./category-words/italian.json" with { type: "json" };
import japanese from "./category-words/japanese.json" with { type: "json" };
import medicines from "./category-words/medicines.json" with { type: "json" };
import polish from "./category-words/polish.json" with { type: "json" };
import portuguese from "./category-words/portuguese.json" with { type: "json" };
import spanish from "./category-words/spanish.json" with { type: "json" };
import { similarityTo, type Vector } from "./embedding.ts";
import type { Memory } from "./memory.ts";
import { PhraseFinder } from "./phrase-finder.ts";
import { zip } from "./zip.ts";

/**
 * How the shipped categories are recognised in one language. A text's language is not
 * known, so every list is held against every text: a word that is an everyday one in
 * another of the languages stands in a phrase or not at all.
 *
 * Lists are lines of entries parted by commas, spelled in any case, with accents or
 * without. An entry is found where its words are, whole: "visa" not in "visage". A `*`
 * behind a word lets any ending follow ("allerg*"), one before an entry any beginning go before
 * ("*infarkt"); what is written without blanks between words (Japanese, Chinese) is found
 * anywhere. `(my|her) doctor` is two entries, and `_` any word.
 */
export interface LanguageWords {
  readonly health: CategoryWords;
  readonly legal: CategoryWords;
  /** Phrases in which words of a category say nothing of anybody: "legal pad". */
  readonly harmless: readonly string[];
  /** Words of films, machines and trades: in a sentence with one of them, `signs` tell nothing. */
  readonly elsewhere?: readonly string[];
}

export interface CategoryWords {
  /** Natural topic names. */
  readonly topics: readonly string[];
  readonly words: readonly string[];
  /** One of `words` tells of the category in a sentence with one of `with`. */
  readonly signs?: readonly Partial<Record<"words" | "with", readonly string[]>>[];
}

export const LANGUAGE_WORDS: readonly LanguageWords[] = [
  ...[english, german, french, spanish, italian, portuguese, dutch, polish, japanese, chinese],
];

/**
 * Names of medicines, which are much alike in all languages: the endings that the World Health
 * Organization gives to names of one kind, as these languages spell them, and common brand names.
 * An ending that everyday words share ("-pril" of April) stands with the letters that go before it.
 */
export const MEDICINES: readonly string[] = medicines;

/** The lists of each category in all languages, by its name in the form of `topicKey`. */
const CATEGORY_WORDS: ReadonlyMap<string, readonly CategoryWords[]> = new Map([
  [
    "health medical",
    [...LANGUAGE_WORDS.map(({ health }) => health), { topics: [], words: MEDICINES }],
  ],
  ["legal status", LANGUAGE_WORDS.map(({ legal }) => legal)],
]);

/** An example statement, and the category that it is in, in the form of `topicKey`. */
export interface ExampleStatement {
  readonly text: string;
  /** null: it is an ordinary one, to measure by how alike a model finds any two. */
  readonly category: string | null;
}

const { health, legal, ordinary } = examples;

/**
 * What memories are compared with, to tell which category they are near to (D24), worded like them.
 * Some ordinary ones have words that come near to a category.
 */
export const EXAMPLE_STATEMENTS: readonly ExampleStatement[] = [
  ...health.map((text) => ({ text, category: "health medical" })),
  ...legal.map((text) => ({ text, category: "legal status" })),
  ...ordinary.map((text) => ({ text, category: null })),
];

/** Topics are equal whatever their case and whether `_`, `-` or spaces part their words. */
export function topicKey(topic: string): string {
  return fold(topic)
    .replace(/[\s_-]+/gu, " ")
    .trim();
}

export interface GatedMemory extends Pick<Memory, "topic" | "decision"> {
  /** The category that the extraction put it in; null: in none. */
  readonly category: string | null;
  /** Its vector in the embedding space of the gate's examples. */
  readonly vector: ArrayLike<number>;
}

/** Tells the excluded category of a memory, as the settings name it; null: it is in none. */
export type CategoryGate = (memory: GatedMemory) => string | null;

/**
 * Decides for the setting `excluded_categories` (2.6) which memories may be shown to a classifier
 * (D24). The category that the extraction gave decides first. Then a category matches by the
 * memory's topic, and the shipped ones (`health_medical`, `legal_status`) also by natural topic
 * names, by their word lists and by nearness to their examples. A memory's text is looked through,
 * and its vector compared, once, however many categories are excluded in however many spellings.
 */
export function createCategoryGate(
  excludedCategories: readonly string[],
  categoriesNear: CategoryNearness,
): CategoryGate {
  const spellings = new Map<string, string>();
  for (const category of excludedCategories) {
    const key = topicKey(category);
    if (!spellings.has(key)) spellings.set(key, category);
  }
  const hasShipped = SHIPPED_CATEGORIES.some((key) => spellings.has(key));
  return (memory) => {
    const given = memory.category === null ? undefined : spellings.get(topicKey(memory.category));
    if (given !== undefined) return given;
    const topic = topicKey(memory.topic);
    const shipped = hasShipped ? shippedCategoriesOf(topic, memory.decision) : new Set<string>();
    const named = firstOf((key) => key === topic || shipped.has(key));
    if (named !== null || !hasShipped) return named;
    const near = categoriesNear(memory.vector);
    return firstOf((key) => near.has(key));
  };

  function firstOf(matches: (key: string) => boolean): string | null {
    for (const [key, spelling] of spellings) if (matches(key)) return spelling;
    return null;
  }
}

/** The categories that are recognised by words, in the form of `topicKey`. */
const SHIPPED_CATEGORIES: readonly string[] = [...CATEGORY_WORDS.keys()];

/** The shipped categories of a memory with this text and this topic, in the form of `topicKey`. */
function shippedCategoriesOf(topic: string, text: string): ReadonlySet<string> {
  // A topic of several words ("Family health") is recognised by its words too.
  const words = wordsOf(fold(topic));
  const told = gateSentences(text).flatMap((sentence) =>
    categoriesIn(sentence, scoresOf(sentence)),
  );
  const named = [TOPICS.get(topic) ?? [], TOPICS.get(words) ?? [], categoriesIn(words, NO_SCORES)];
  return new Set([...named.flat(), ...told]);
}

const SENTENCE_END = /(?<!\p{N})[.!?;:]\s|[。！？；\n]/u;

/** Letters that are written without blanks between words. */
const UNPARTED = String.raw`[\p{L}&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]`;
const STARTS_UNPARTED = new RegExp(String.raw`^\(?${UNPARTED}`, "v");
/** Between what is written without blanks and what is not. */
const SCRIPT_CHANGE = new RegExp(
  String.raw`(?<=${UNPARTED})(?=[[\p{L}\p{N}]--${UNPARTED}])|(?<=[[\p{L}\p{M}\p{N}]--${UNPARTED}])(?=${UNPARTED})`,
  "gv",
);
const WORDS = new RegExp(String.raw`${UNPARTED}+|[[\p{L}\p{M}\p{N}]--${UNPARTED}]+`, "gv");

/** The words of a folded text, with blanks between them and between letters of two scripts. */
function wordsOf(folded: string): string {
  return (folded.match(WORDS) ?? []).join(" ");
}

/** The words of each sentence of a text. */
export function gateSentences(text: string): string[] {
  return fold(text).split(SENTENCE_END).map(wordsOf);
}

/** How much an English word, or two in a row, tells of each category; "": what all sentences have. */
const WEIGHTS: ReadonlyMap<string, readonly number[]> = new Map(Object.entries(weights));
const NO_SCORES = SHIPPED_CATEGORIES.map(() => 0);
/** The log odds from which a sentence is in a category, the likelier one, whatever the lists say. */
const TOLD = 1;
/** Below this a listed word tells of no category, if sentences of none have it too. */
const UNLIKELY = -2.7;

/** The words of a sentence, and each two in a row, once each. */
export function termsOf(words: string): string[] {
  const single = words.split(" ");
  return [...new Set([...single, ...single.slice(1).map((word, at) => `${single[at]} ${word}`)])];
}

/** The log odds of each category for a sentence; 0 where one in four of its words is unknown, or more. */
function scoresOf(words: string): readonly number[] {
  const single = words.split(" ");
  if (4 * single.filter((word) => WEIGHTS.has(word)).length <= 3 * single.length) return NO_SCORES;
  const known = termsOf(words).flatMap((term) => (WEIGHTS.has(term) ? [WEIGHTS.get(term)] : []));
  return NO_SCORES.map((_, category) => {
    const sum = known.reduce((sofar, weight) => sofar + (weight?.[category] ?? 0), 0);
    return (WEIGHTS.get("")?.[category] ?? 0) + sum / Math.sqrt(known.length);
  });
}

// All are made once, for every gate of the process.
const TOPICS = topicNames();
const HARMLESS = SHIPPED_CATEGORIES.length;
/** Each language has such a list, behind the harmless one; then each sign has two. */
const ELSEWHERE = HARMLESS + 1;
const SIGNS = LANGUAGE_WORDS.flatMap(({ health, legal }, language) =>
  [health, legal].flatMap(({ signs = [] }, category) =>
    signs.map((sign) => ({ ...sign, category, language })),
  ),
);
const PHRASES = phrasesOf([
  ...[...CATEGORY_WORDS.values()].map((lists) => lists.flatMap(({ words }) => words)),
  LANGUAGE_WORDS.flatMap(({ harmless }) => harmless),
  ...LANGUAGE_WORDS.map(({ elsewhere = [] }) => elsewhere),
  ...SIGNS.flatMap((sign) => [sign.words ?? [], sign.with ?? []]),
]);

function topicNames(): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const [category, lists] of CATEGORY_WORDS) {
    const names = lists.flatMap(({ topics }) => topics.flatMap(entriesOf));
    for (const name of [category, ...names]) all.set(name, [...(all.get(name) ?? []), category]);
  }
  return all;
}

function phrasesOf(lists: readonly (readonly string[])[]): PhraseFinder {
  const finder = new PhraseFinder();
  for (const [list, lines] of lists.entries()) {
    for (const entry of lines.flatMap(entriesOf)) {
      const text = entry.replace(/^\*/u, "");
      // There are no words to end with.
      const isOpen = STARTS_UNPARTED.test(text);
      const isAnywhere = isOpen || text !== entry;
      finder.add(text.replaceAll(SCRIPT_CHANGE, " "), list, { isOpen, isAnywhere });
    }
  }
  return finder;
}

/** The entries of a line of a list, folded. */
export function entriesOf(line: string): string[] {
  return fold(line)
    .split(",")
    .map((entry) => entry.trim());
}

/** The categories that `words` tell of outside of harmless phrases; the longest phrase counts. */
function categoriesIn(words: string, scores: readonly number[]): string[] {
  const hits: { readonly list: number; readonly start: number; readonly end: number }[] = [];
  /** How far the harmless phrases reach that begin at a character or before it. */
  const reach = new Int32Array(words.length);
  let harmlessEnd = 0;
  for (let start = 0; start < words.length; start++) {
    PHRASES.findAt(words, start, (list, end) => {
      if (list === HARMLESS) harmlessEnd = Math.max(harmlessEnd, end);
      else hits.push({ list, start, end });
    });
    reach[start] = harmlessEnd;
  }
  const isUnlikely = Math.max(...scores) < UNLIKELY;
  const isHarmless = ({ start, end }: (typeof hits)[number]) =>
    (reach[start - 1] ?? 0) > start ||
    (reach[end - 1] ?? 0) >= end ||
    (isUnlikely &&
      words
        .slice(start, end)
        .split(" ")
        .every((word) => WEIGHTS.has(word)));
  const everywhere = new Set(hits.map(({ list }) => list));
  const found = new Set(hits.filter((hit) => !isHarmless(hit)).map(({ list }) => list));
  for (const [index, { category, language, with: others }] of SIGNS.entries()) {
    const list = ELSEWHERE + LANGUAGE_WORDS.length + 2 * index;
    const isTold = found.has(list) && (others === undefined || found.has(list + 1));
    if (isTold && !everywhere.has(ELSEWHERE + language)) found.add(category);
  }
  const told = scores.indexOf(Math.max(TOLD, ...scores));
  return SHIPPED_CATEGORIES.filter((_, list) => found.has(list) || list === told);
}

/** The shipped categories, as `topicKey` has them, that a vector of one space is near to (D24). */
export type CategoryNearness = (vector: Vector) => ReadonlySet<string>;

/** Where no example can be compared with: every memory may be in every category. */
export const NEARNESS_IN_DOUBT: CategoryNearness = () => new Set(SHIPPED_CATEGORIES);

/** The share of ordinary statements that may be more similar to an example than the bar. */
const ORDINARY_SHARE = 1 / 5;

/**
 * Nearness to `examples` by their vectors, of one embedding space. A memory is near where an
 * example is more similar to it than every ordinary statement, and than four in five of these are
 * to an example. So the bar is the model's own.
 */
export function nearnessTo(
  examples: readonly ExampleStatement[],
  vectors: readonly Vector[],
): CategoryNearness {
  const paired = zip(examples, vectors);
  const vectorsOf = (category: string | null) =>
    paired.flatMap(([example, vector]) => (example.category === category ? [vector] : []));
  const ordinary = vectorsOf(null);
  const categories = SHIPPED_CATEGORIES.map((category) => {
    return { category, vectors: vectorsOf(category) };
  });
  const reached = ordinary
    .map(similarityTo)
    .map((to) => Math.max(...categories.map((each) => highest(each.vectors, to))))
    .sort((a, b) => b - a);
  const bar = reached[Math.floor(reached.length * ORDINARY_SHARE)] ?? 0;
  return (vector) => {
    const to = similarityTo(vector);
    const isNear = (vectors: readonly Vector[]) => {
      const similarity = highest(vectors, to);
      return similarity > bar && similarity > highest(ordinary, to);
    };
    const near = categories.filter(({ vectors }) => isNear(vectors));
    return new Set(near.map(({ category }) => category));
  };
}

function highest(vectors: readonly Vector[], similarity: (vector: Vector) => number): number {
  return vectors.reduce((most, vector) => Math.max(most, similarity(vector)), -1);
}
