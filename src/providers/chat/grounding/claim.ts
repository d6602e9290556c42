import { fold } from "@agent-memory/text";
import type { Doubt } from "../../model-call.ts";
import { bareAnswer } from "./answers.ts";
import { type Clause, quotedClauses } from "./clauses.ts";
import type { Evidence, ReadConversation } from "./evidence.ts";
import { type Language, languageOf } from "./languages.ts";
import type { Meaning } from "./meaning.ts";
import { THE_USER } from "./names.ts";
import { type AboutUser, aboutUser } from "./user.ts";
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
  /** What comes right before a clause in its sentence; null: nothing. */
  leading(clause: Clause): Clause | null;
  readonly about: AboutUser;
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
  const all = answer === null ? own.clauses : read.askedClausesOf(messageIndex);
  const quotedHere = answer === null ? quoted : all;
  const language = languageOf(fact) ?? evidence.language;
  const isSameLanguage = language === evidence.language;
  const closest = isSameLanguage ? closestTo(fact, quotedHere) : quotedHere;
  const meanings = read.meaningsOf(messageIndex, answer !== null);
  const of = (clauses: readonly Clause[]) =>
    clauses.flatMap((clause) => meanings[all.indexOf(clause)] ?? []);
  const folded = fold(fact);
  return {
    ...claim,
    read,
    evidence,
    folded,
    about: aboutUser({ fact, folded, isSpeaker: (name) => read.speakerOf(messageIndex).has(name) }),
    leading(clause) {
      const before = all[all.indexOf(clause) - 1];
      return before?.sentence === clause.sentence ? before : null;
    },
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

/** The words that a fact is about, but for "the user" and numbers. */
export function ownWords({ fact }: Pick<Context, "fact">): string[] {
  return contentWords(fact).filter((word) => !THE_USER.has(word) && !/\p{N}/u.test(word));
}
