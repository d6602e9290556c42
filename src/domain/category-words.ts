import chinese from "./category-words/chinese.json" with { type: "json" };
import dutch from "./category-words/dutch.json" with { type: "json" };
import english from "./category-words/english.json" with { type: "json" };
import french from "./category-words/french.json" with { type: "json" };
import german from "./category-words/german.json" with { type: "json" };
import italian from "./category-words/italian.json" with { type: "json" };
import japanese from "./category-words/japanese.json" with { type: "json" };
import medicines from "./category-words/medicines.json" with { type: "json" };
import polish from "./category-words/polish.json" with { type: "json" };
import portuguese from "./category-words/portuguese.json" with { type: "json" };
import spanish from "./category-words/spanish.json" with { type: "json" };

/**
 * How the shipped categories are recognised in one language. A text's language is not
 * known, so every list is held against every text: a word that is an everyday one in
 * another of the languages stands in a phrase or not at all.
 *
 * Lists are lines of entries parted by commas, spelled in any case, with accents or
 * without. An entry is found where its words are, whole: "visa" not in "visage". A `*`
 * at its end lets any ending follow ("allerg*"), one at its start any beginning go before
 * ("*infarkt"); what is written without blanks between words (Japanese, Chinese) is found
 * anywhere. `(my|her) doctor` is two entries, and `_` any word.
 */
export interface LanguageWords {
  readonly health: CategoryWords;
  readonly legal: CategoryWords;
  /** Phrases in which words of a category say nothing of anybody: "legal pad". */
  readonly harmless: readonly string[];
}

export interface CategoryWords {
  /** Natural topic names. */
  readonly topics: readonly string[];
  readonly words: readonly string[];
}

export const LANGUAGE_WORDS: readonly LanguageWords[] = [
  ...[english, german, french, spanish, italian, portuguese, dutch, polish, japanese, chinese],
];

/**
 * Names of medicines, which are much alike in all languages: the endings that the World
 * Health Organization gives to names of one kind, as these languages spell them, and common
 * brand names. An ending that everyday words share ("-pril" of April) stands with the
 * letters that go before it.
 */
export const MEDICINES: readonly string[] = medicines;

/** The lists of each category in all languages, by its name in the form of `topicKey`. */
export const CATEGORY_WORDS: ReadonlyMap<string, readonly CategoryWords[]> = new Map([
  [
    "health medical",
    [...LANGUAGE_WORDS.map(({ health }) => health), { topics: [], words: MEDICINES }],
  ],
  ["legal status", LANGUAGE_WORDS.map(({ legal }) => legal)],
]);

/** Phrases in which words of the lists say nothing of anybody. */
export const HARMLESS_PHRASES: readonly string[] = LANGUAGE_WORDS.flatMap(
  ({ harmless }) => harmless,
);
