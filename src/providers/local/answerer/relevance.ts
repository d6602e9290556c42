import type { Statement } from "../classifier/statement.ts";
import { readStatements } from "../classifier/statements.ts";
import type { AskedAttribute } from "./asked-attribute.ts";
import { coverageOf } from "./coverage.ts";
import { holds } from "./expected-answer.ts";
import type { AnalysedQuestion } from "./question.ts";
import { subjectFit } from "./subject-fit.ts";

/** From here on a passage is taken to answer the question. */
export const MIN_RELEVANCE = 0.6;
/** For a passage that speaks of what is asked, but lacks the kind of thing asked for. */
const WITHOUT_EXPECTED = 0.55;
/** Added where the passage states the very attribute that is asked for. */
const STATES_WHAT_IS_ASKED = 0.3;
/** What such a passage counts at least, whatever its words. */
const MIN_OF_ATTRIBUTE = 0.7;

/** How well a passage answers a question, 0 to 1.3; from `MIN_RELEVANCE` on it does. */
export function relevanceOf(passage: string, question: AnalysedQuestion): number {
  const coverage = coverageOf(passage, question);
  if (coverage === 0) return 0;
  const match = attributeMatch(passage, question);
  const holdsExpected = question.expected === null || holds(question.expected, passage, question);
  const ofKind = holdsExpected ? 1 : WITHOUT_EXPECTED;
  if (match === null) return coverage * ofKind * subjectFit(passage, question);
  const base = match === "exact" ? Math.max(coverage, MIN_OF_ATTRIBUTE) : coverage;
  const isAnswer = holdsExpected && base >= MIN_RELEVANCE;
  return isAnswer ? base + STATES_WHAT_IS_ASKED : base * ofKind;
}

/** `exact`: of one attribute in particular; `loose`: anything that the subject is. */
function attributeMatch(passage: string, { asked }: AnalysedQuestion): "exact" | "loose" | null {
  if (asked.length === 0) return null;
  const stated = readStatements(passage);
  const matches = asked.filter((attribute) =>
    stated.some((statement) => states(statement, attribute)),
  );
  if (matches.length === 0) return null;
  const isExact = matches.some(
    ({ attribute, isPerson, isOpen }) => isOpen && (attribute !== "is" || !isPerson),
  );
  return isExact ? "exact" : "loose";
}

/** Whether a statement gives the attribute that is asked for. */
export function states(statement: Statement, { subject, attribute }: AskedAttribute): boolean {
  // "Who is her brother?": his name.
  const isName = attribute === "is" && statement.attribute === "name";
  // The speaker may be called by a name in what is remembered.
  const isSpeaker = subject === "user" && statement.isPerson && !statement.isOwned;
  const isSubject = subject === statement.subject || isSpeaker;
  return isSubject && (isName || attribute === statement.attribute);
}
