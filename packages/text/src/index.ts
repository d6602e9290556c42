/** Spelling, words and sentences. */
export { fold, straightenApostrophes } from "./folding.ts";
export { hash32 } from "./hash.ts";
export { isOfThePast, looksBack } from "./question-tense.ts";
export { type SentenceEnd, sentenceEnds } from "./sentence-ends.ts";
export { type Sentence, sentencesOf } from "./sentences.ts";
export { openingOf, sameAttribute, type TwoValues } from "./slot.ts";
export {
  isPastVerb,
  PREPOSITION,
  readStatement,
  type Statement,
  type StatementWord,
} from "./statement.ts";
export { isCommonWord, isStopWord } from "./stop-words.ts";
export { userNameIn } from "./user-name.ts";
export { stemOf, wordsOf } from "./words.ts";
