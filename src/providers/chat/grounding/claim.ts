import { fold } from "../../../domain/folding.ts";
import type { Doubt } from "../../model-call.ts";
import { bareAnswer } from "./answers.ts";
import { type Clause, clausesOf, quotedClauses } from "./clauses.ts";
import { answeredPart, type Evidence, type ReadConversation } from "./evidence.ts";
import { type Language, languageOf } from "./languages.ts";
import { type Meaning, meaningsOf } from "./meaning.ts";
import { THE_USER } from "./names.ts";
import { contentWords, indexWords } from "./words.ts";

/** A fact with the words that a model quotes for it. */
export interface Claim {
  readonly fact: string;
  readonly quote: string;
  /** The message that has the quote. */
  readonly messageIndex: number;
}

/** Why a claim may not hold; the grave ones first. */
export interface Doubts {
  readonly grave: readonly Doubt[];
  readonly mild: readonly Doubt[];
  /** The sentences that were quoted from. */
  readonly passage: string;
}

export type Weight = "grave" | "mild" | null;

/** What is said of a claim, in one place. */
export interface Context extends Claim {
  readonly read: ReadConversation;
  readonly evidence: Evidence;
  readonly folded: string;
  /** Of the fact. */
  readonly language: Language;
  /** The sentences that were quoted from. */
  readonly passage: string;
  /** What the quote is of: the user's clauses, or what was asked when the user says "yes". */
  readonly clauses: readonly Clause[];
  /** All clauses that were quoted; `clauses` are those of them that are closest to the fact. */
  readonly quoted: readonly Clause[];
  readonly meanings: readonly Meaning[];
  /** Of all that was quoted; `meanings` are of what is closest to the fact. */
  readonly quotedMeanings: readonly Meaning[];
  readonly answer: ReturnType<typeof bareAnswer>;
  /** Whether the fact is in the language of the message, so that their words compare. */
  readonly isSameLanguage: boolean;
}

export function contextOf(claim: Claim, read: ReadConversation): Context {
  const { fact, quote, messageIndex } = claim;
  const evidence = read.evidenceOf(messageIndex);
  const own = read.clausesOf(messageIndex);
  const quoted = quotedClauses(quote, own);
  const sentences = new Set(quoted.map(({ sentence }) => sentence));
  const passage = own.clauses
    .filter(({ sentence }) => sentences.has(sentence))
    .map(({ text }) => text)
    .join(" ");
  const answer = bareAnswer(passage);
  const all =
    answer === null ? own.clauses : clausesOf(answeredPart(read.answeredBy(messageIndex))).clauses;
  const quotedHere = answer === null ? quoted : all;
  const language = languageOf(fact) ?? evidence.language;
  const isSameLanguage = language === evidence.language;
  const closest = isSameLanguage ? closestTo(fact, quotedHere) : quotedHere;
  const meanings = meaningsOf(all, evidence.language, (word) => read.users().names.has(word));
  const of = (clauses: readonly Clause[]) =>
    clauses.flatMap((clause) => meanings[all.indexOf(clause)] ?? []);
  return {
    ...claim,
    read,
    evidence,
    folded: fold(fact),
    language,
    passage,
    clauses: closest,
    quoted: quotedHere,
    meanings: of(closest),
    quotedMeanings: of(quotedHere),
    answer,
    isSameLanguage,
  };
}

/** Of several clauses those that share the most words with a fact. */
function closestTo(fact: string, clauses: readonly Clause[]): readonly Clause[] {
  if (clauses.length < 2) return clauses;
  const wanted = contentWords(fact);
  const shared = clauses.map(({ text }) => {
    const { has } = indexWords(text);
    return wanted.filter(has).length;
  });
  const most = Math.max(...shared);
  return most === 0 ? clauses : clauses.filter((_, i) => shared[i] === most);
}

/** Grave where it holds of every clause, mild where of some: the fact may be of the others. */
export function weightOf<T>(of: readonly T[], holds: (one: T) => boolean): Weight {
  const count = of.filter(holds).length;
  if (count === 0) return null;
  return count === of.length ? "grave" : "mild";
}

export function heavier(a: Weight, b: Weight): Weight {
  if (a === "grave" || b === "grave") return "grave";
  return a ?? b;
}

/** The words that a fact is about, but for "the user" and numbers. */
export function ownWords({ fact }: Pick<Context, "fact">): string[] {
  return contentWords(fact).filter((word) => !THE_USER.has(word) && !/\p{N}/u.test(word));
}
