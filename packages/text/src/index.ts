/** Spelling, words and sentences. */
export { ORDINALS, SMALL_NUMBERS, TEENS } from "./number-words.ts";
export { isOfThePast, LOOKING_BACK, looksBack } from "./question-tense.ts";
export { remembered } from "./remembered.ts";
export { type Sentence, type SentenceEnd, sentenceEnds, sentencesOf } from "./sentences.ts";
export { openingOf, sameAttribute, type TwoValues } from "./slot.ts";
export {
  PREPOSITION,
  readStatement,
  type Statement,
  type StatementWord,
  userNameIn,
  withSubject,
} from "./statement.ts";
export {
  baseOfVerb,
  codesOf,
  fold,
  hash32,
  isCommonWord,
  isPastVerb,
  isStopWord,
  namesOtherCode,
  pastOf,
  stemOf,
  straightenApostrophes,
  thirdPersonOf,
  wordsOf,
} from "./words.ts";
