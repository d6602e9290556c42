import { clausesOf } from "../classifier/clause.ts";
import { isCapitalised, type Token, tokensOf } from "../classifier/token.ts";
import { termsOf } from "../terms.ts";
import { matchOf } from "./coverage.ts";
import type { AnalysedQuestion } from "./question.ts";

const OF_ANOTHER_SUBJECT = 0.55;
const OF_SOMEBODY_NAMED = 0.85;
const OF_SOMEBODY_UNASKED = 0.7;
const OF_SOMETHING = 0.65;

/** Lower where the passage speaks of somebody or something else than was asked for. */
export function subjectFit(passage: string, question: AnalysedQuestion): number {
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
  if (question.isAboutSpeaker && question.names.length === 0 && !isSpeaker) {
    fit *= subject.some(isNameLike) ? OF_SOMEBODY_NAMED : OF_SOMETHING;
  }
  const { subjectName } = question;
  const isOfSomebody = subject.some((token) => token.isPossessive && isCapitalised(token));
  const isAboutNobody = question.names.length === 0 && !question.isAboutSpeaker;
  if (isAboutNobody && isOfSomebody && question.expected !== "person") fit *= OF_SOMEBODY_UNASKED;
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
    question.names.includes(term.folded) ||
    question.terms.length === 0 ||
    question.terms.some(
      (asked) =>
        matchOf(asked, term) > 0 || asked.implied.some((concept) => concept === term.concept),
    )
  );
}

function isNameLike(token: Token): boolean {
  return isCapitalised(token) && token.folded !== "the" && token.folded !== "our";
}
