/** A longer question is read to here. */
const MAX_CHARACTERS = 2_000;

const PAST = /\b(?:did|was|were|had|used to)\b/iu;
const PRESENT =
  /\b(?:(?:wh\p{L}+|how)['’](?:s|re)|am|is|are|do|does|has|have|will|shall|can|may|must|should|would)\b/iu;
const BEFORE = /\b(?:did|was|were|had)\b.{1,200}\bbefore(?:hand)?\b/iu;
export const LOOKING_BACK =
  /\b(?:used? to|previous(?:ly)?|formerly|former|originally|in the past|back then)\b/iu;

/** Whether a question is in the past tense; "Who led the team?" shows it by no auxiliary. */
export function isOfThePast(question: string): boolean {
  const text = question.slice(0, MAX_CHARACTERS);
  return PAST.test(text) || !PRESENT.test(text);
}

/** Whether it asks for what does not hold any more, without a date: "used to", "before". */
export function looksBack(question: string): boolean {
  return [LOOKING_BACK, BEFORE].some((word) => word.test(question.slice(0, MAX_CHARACTERS)));
}
