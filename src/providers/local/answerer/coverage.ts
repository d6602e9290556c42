import { type Term, termsOf } from "../terms.ts";
import type { AnalysedQuestion } from "./question.ts";

const SAME_STEM = 1;
const SAME_CONCEPT = 0.9;
const IMPLIES_CONCEPT = 0.85;
const ALMOST_SAME_WORD = 0.75;
const COMMON_TERM_WEIGHT = 0.5;
const COMMON_CONCEPT_WEIGHT = 0.8;
const NOT_OF_KIND = 0.6;
const OF_ITS_OPPOSITE = 0.5;
/** Kinds whose members are told apart: staging is not production. */
const CONTRASTED_KINDS = new Set(["stage", "sibling", "mother", "child", "wife"]);

/** The share of what is asked that the passage speaks of; 0 where it is about somebody else. */
export function coverageOf(passage: string, question: AnalysedQuestion): number {
  const terms = termsOf(passage);
  const names = new Set(terms.map((term) => term.folded.replace(/'s?$/u, "")));
  const namesFound = question.names.filter((name) => names.has(name)).length;
  if (question.subjectName !== null && !names.has(question.subjectName)) return 0;
  if (namesFound < question.names.length / 2) return 0;
  if (question.terms.length === 0) {
    // "Who is Bob?", "What do you know about Bob?": whatever speaks of Bob.
    return question.names.length === 0 ? 0 : namesFound / question.names.length;
  }
  const requested = question.requested;
  const isOfKind = requested === null || terms.some((term) => matchOf(requested, term) > 0);
  let sum = 0;
  let total = 0;
  for (const asked of question.terms) {
    const weight = !asked.isCommon
      ? 1
      : asked.concept === null
        ? COMMON_TERM_WEIGHT
        : COMMON_CONCEPT_WEIGHT;
    total += weight;
    const isNamed = asked.concept === "name" && namesWhatIsAsked(terms, question);
    sum +=
      weight *
      (isNamed ? IMPLIES_CONCEPT : Math.max(0, ...terms.map((term) => matchOf(asked, term))));
  }
  // The subject's name is in every passage that gets here and would hide what else is missing.
  const isSubjectNamed = question.subjectName === null ? 0 : 1;
  const coverage =
    (sum + namesFound - isSubjectNamed) / (total + question.names.length - isSubjectNamed);
  const isOpposite = question.terms.some((asked) => isContradicted(asked, terms));
  return coverage * (isOfKind ? 1 : NOT_OF_KIND) * (isOpposite ? OF_ITS_OPPOSITE : 1);
}

/** "Production" asked for, "staging" told of. */
function isContradicted(asked: Term, terms: readonly Term[]): boolean {
  const kind = asked.kinds.find((name) => CONTRASTED_KINDS.has(name));
  if (kind === undefined || terms.some((term) => matchOf(asked, term) > 0)) return false;
  return terms.some((term) => term.kinds.includes(kind));
}

/** "Two cats, Miso and Tofu": a name right behind what is asked for. */
function namesWhatIsAsked(terms: readonly Term[], question: AnalysedQuestion): boolean {
  return terms.some((term, i) => {
    const next = terms[i + 1];
    const isName =
      next !== undefined && /^\p{Lu}/u.test(next.word) && !question.names.includes(next.folded);
    return (
      isName && question.terms.some((asked) => asked.concept !== "name" && matchOf(asked, term) > 0)
    );
  });
}

export function matchOf(asked: Term, term: Term): number {
  // "On call" and "called" share a stem only.
  if (asked.stem === term.stem) return asked.concept === term.concept ? SAME_STEM : 0;
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
