/**
 * How the shipped categories are recognised in one language. A text's language is not
 * known, so every list is held against every text: a word that is an everyday one in
 * another of the languages stands in a phrase or not at all.
 *
 * Lists are of entries parted by commas or lines, spelled in any case, with accents or
 * without. An entry is found where its words are, whole: "visa" not in "visage". A `*`
 * at its end lets any ending follow ("allerg*"), one at its start any beginning go before
 * ("*infarkt"); what is written without blanks between words (Japanese, Chinese) is found
 * anywhere. `(my|her) doctor` is two entries.
 */
export interface LanguageWords {
  readonly health: CategoryWords;
  readonly legal: CategoryWords;
  /** Phrases in which words of a category say nothing of anybody: "legal pad". */
  readonly harmless: string;
}

export interface CategoryWords {
  /** Natural topic names. */
  readonly topics: string;
  readonly words: string;
}
