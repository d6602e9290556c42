import { clausesOf } from "../classifier/clause.ts";
import { isCapitalised, tokensOf } from "../classifier/token.ts";
import { readValue } from "../classifier/value.ts";
import { type Term, termsOf } from "../terms.ts";
import type { AnalysedQuestion, ExpectedAnswer } from "./question.ts";

/** From here on a passage is taken to answer the question. */
export const MIN_RELEVANCE = 0.6;

const SAME_STEM = 1;
const SAME_CONCEPT = 0.9;
const IMPLIES_CONCEPT = 0.85;
const ALMOST_SAME_WORD = 0.75;
const COMMON_TERM_WEIGHT = 0.5;
/** For a passage that speaks of what is asked, but lacks the kind of thing asked for. */
const WITHOUT_EXPECTED = 0.55;
const OF_ANOTHER_SUBJECT = 0.55;
const OF_SOMEBODY_NAMED = 0.85;

/** How well a passage answers a question, 0 to 1. */
export function relevanceOf(passage: string, question: AnalysedQuestion): number {
  const terms = termsOf(passage);
  const names = new Set(terms.map((term) => term.folded.replace(/'s?$/u, "")));
  const namesFound = question.names.filter((name) => names.has(name)).length;
  if (question.subjectName !== null && !names.has(question.subjectName)) return 0;
  if (namesFound < question.names.length / 2) return 0;
  const coverage = coverageOf(question, terms, namesFound);
  if (coverage === 0) return 0;
  return (
    coverage *
    (question.expected === null || holds(question.expected, passage, question)
      ? 1
      : WITHOUT_EXPECTED) *
    subjectFit(passage, question)
  );
}

function coverageOf(
  question: AnalysedQuestion,
  terms: readonly Term[],
  namesFound: number,
): number {
  if (question.terms.length === 0) {
    // "Who is Bob?", "What do you know about Bob?": whatever speaks of Bob.
    return question.names.length === 0 ? 0 : namesFound / question.names.length;
  }
  let sum = 0;
  let total = 0;
  for (const asked of question.terms) {
    const weight = asked.isCommon ? COMMON_TERM_WEIGHT : 1;
    total += weight;
    sum += weight * Math.max(0, ...terms.map((term) => matchOf(asked, term)));
  }
  const missingNames = question.names.length - namesFound;
  return sum / (total + missingNames);
}

function matchOf(asked: Term, term: Term): number {
  if (asked.stem === term.stem) return SAME_STEM;
  if (term.isStop) return 0;
  if (asked.concept !== null) {
    if (asked.concept === term.concept) return SAME_CONCEPT;
    if (term.implied.includes(asked.concept)) return IMPLIES_CONCEPT;
  }
  return isAlmostSame(asked.stem, term.stem) ? ALMOST_SAME_WORD : 0;
}

const SHORTEST_FUZZY = 5;

/** A slip of one letter, or a compound's other ending. */
function isAlmostSame(a: string, b: string): boolean {
  if (a.length < SHORTEST_FUZZY || b.length < SHORTEST_FUZZY || a[0] !== b[0]) return false;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 1;
}

const PLACE_PREPOSITION =
  /\b(?:in|at|to|from|near|on|for|into|under|behind|inside|above|with)\b\s+\S/iu;
const REASON = /\b(?:because|since|due to|so that|in order to|to|for|as|reason)\b/iu;
const FREQUENCY =
  /\b(?:every|daily|weekly|monthly|yearly|annually|quarterly|nightly|hourly|mornings?|evenings?|afternoons?|nights?|noon|midnight|spring|summer|autumn|fall|winter|today|tomorrow|yesterday|christmas|easter|(?:19|20)\d\d)\b/iu;

function holds(expected: ExpectedAnswer, passage: string, question: AnalysedQuestion): boolean {
  const kinds = () => readValue(tokensOf(passage)).kinds;
  switch (expected) {
    case "place":
      return (
        PLACE_PREPOSITION.test(passage) ||
        kinds().has("city") ||
        kinds().has("country") ||
        kinds().has("spot") ||
        kinds().has("url")
      );
    case "time":
      return kinds().has("date") || kinds().has("time") || FREQUENCY.test(passage);
    case "number":
      return ["number", "money", "percent", "time"].some((kind) => kinds().has(kind));
    case "person":
      return tokensOf(passage).some(
        (token) =>
          (isCapitalised(token) || /^(?:user|i|my)$/u.test(token.folded)) &&
          !question.names.includes(token.folded) &&
          token.folded !== "the",
      );
    case "reason":
      return REASON.test(passage);
  }
}

/** Lower where the passage speaks of somebody or something else than was asked for. */
function subjectFit(passage: string, question: AnalysedQuestion): number {
  const [clause] = clausesOf(passage);
  const subject = clause?.subject ?? [];
  const isSpeaker =
    subject.some((token) => /^(?:i|my|user|users|we|our|me)$/u.test(token.folded)) ||
    subject.length === 0;
  let fit = 1;
  const ofAnother = ownedNouns(
    subject.map((token) => ({ text: token.text, isPossessive: token.isPossessive })),
  );
  if (ofAnother.some((noun) => !isAsked(noun, question))) fit *= OF_ANOTHER_SUBJECT;
  if (question.isAboutSpeaker && question.names.length === 0 && !isSpeaker)
    fit *= OF_SOMEBODY_NAMED;
  const { subjectName } = question;
  const named = tokensOf(passage).filter((token) => token.folded === subjectName);
  const isSubject = subject.some((token) => token.folded === subjectName);
  if (subjectName !== null && !isSubject && !named.some((token) => token.isPossessive))
    fit *= OF_ANOTHER_SUBJECT;
  return fit;
}

/** The nouns of a subject that belong to somebody: "sister" of "Alice's younger sister". */
function ownedNouns(subject: readonly { text: string; isPossessive: boolean }[]): string[] {
  const owner = subject.findIndex(
    (token) => token.isPossessive || /^(?:my|our)$/iu.test(token.text),
  );
  if (owner < 0) return [];
  const head = subject.at(-1);
  return head === undefined || subject.length - 1 === owner ? [] : [head.text];
}

function isAsked(noun: string, question: AnalysedQuestion): boolean {
  const [term] = termsOf(noun);
  return (
    term === undefined ||
    question.terms.length === 0 ||
    question.terms.some(
      (asked) =>
        matchOf(asked, term) > 0 || asked.implied.some((concept) => concept === term.concept),
    )
  );
}
