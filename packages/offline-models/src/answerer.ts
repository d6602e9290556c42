import { userNameIn } from "@agent-memory/text";
import { type AskedQuestion, readQuestion } from "./asked-question.ts";
import { strongestChange } from "./changes.ts";
import { citeQuotes, type Quote } from "./cite-quotes.ts";
import { giveWay } from "./give-way.ts";
import { type Grammar, loadGrammar } from "./grammar.ts";
import type { Answerer, CitedAnswer, OfferedMemory } from "./models.ts";
import { coverageOf, type KnownUser, rareTerms, sharedWords, subjectFit } from "./relevance.ts";
import { readStatements } from "./statements.ts";
import { toldChange } from "./told-changes.ts";

const MAX_QUOTED_MEMORIES = 3;
/** From here on a memory is taken to answer the question... */
const MIN_RELEVANCE = 0.6;
/** ...and from here on, where it is the most similar one, to be about what was asked. */
const MIN_CLOSENESS = 0.3;
/** Such a memory is given only where the next one is this much less relevant. */
const MAX_SHARE_OF_CLOSEST = 0.8;
/** Others are quoted beside the best one only when they answer nearly as well. */
const SHARE_OF_BEST = 0.9;
const SIMILARITY_SHARE_OF_BEST = 0.9;
/** Two memories that say different things of one attribute: from here on only the newer is quoted. */
const MIN_CONFLICT_CONFIDENCE = 0.85;
/** So many of the memories whose words fit best are read as sentences. */
const MAX_READ_MEMORIES = 5;

/** A text of so many characters says more than one thing. */
const MIN_LONG_CHARACTERS = 80;
/** Of the rare words of the question such a text must have this share, but no more than so many... */
const MIN_SHARED_WORDS = 0.5;
const ENOUGH_SHARED_WORDS = 2;
/** ...be this relevant, next to the best one, and be among the first that were found. */
const LIKELY_SHARE_OF_BEST = 0.5;
const MAX_LIKELY_PLACE = 10;
/** Of the relevance against the order of the retrieval. */
const RELEVANCE_WEIGHT = 2;

/** A memory up to this length is quoted whole. */
const MAX_PASSAGE_CHARACTERS = 300;
/** Of a longer one this much is searched for the sentence to quote. */
const MAX_SEARCHED_CHARACTERS = 4 * 1024;
const MAX_SENTENCES = 40;

const NOTHING = "None of the memories answers this question.";
const NONE_ANSWERS: CitedAnswer = {
  answer: NOTHING,
  answerWithCitations: NOTHING,
  cited: [],
  grounded: true,
};

interface Candidate {
  readonly memory: OfferedMemory;
  readonly passage: string;
  readonly relevance: number;
  /** Whom and what it is about is what was asked for. */
  readonly isAbout: boolean;
}

/**
 * Quotes the memories whose words, names and kind of value fit the question, or those
 * that are closest to it, and says which of the two. It never words an answer itself, so
 * it can't say what no memory says.
 */
export function createLocalAnswerer(): Answerer {
  return {
    async answer({ text, memories }, { signal }) {
      signal.throwIfAborted();
      const grammar = await loadGrammar();
      const question = readQuestion(text);
      const candidates: Candidate[] = [];
      for (const memory of memories) {
        await giveWay(signal);
        const passage = passageOf(memory.decision, question);
        const relevance = coverageOf(passage, question);
        if (relevance > 0) candidates.push({ memory, passage, relevance, isAbout: true });
      }
      candidates.sort(byRelevance);
      const user = knownUser(memories);
      const read: Candidate[] = [];
      for (const candidate of candidates.splice(0, MAX_READ_MEMORIES)) {
        await giveWay(signal);
        const { fit, isAbout } = subjectFit(candidate.passage, question, grammar, user);
        read.push({ ...candidate, relevance: candidate.relevance * fit, isAbout });
      }
      read.sort(byRelevance);
      const stated = answeringOf(read, grammar);
      const closest = stated.length > 0 ? [] : closestOf(read, memories);
      const quoted = withLikely([...stated, ...closest], [...read, ...candidates], question);
      if (quoted.length === 0) return NONE_ANSWERS;
      return citeQuotes(
        quoted.map((one, i) => quoteOf(one, i === 0 ? leadOf(stated, quoted) : "")),
      );
    },
  };
}

function knownUser(memories: readonly OfferedMemory[]): KnownUser {
  return {
    name: userNameIn(memories.map(({ decision }) => decision)),
    isSpokenOf: memories.some(({ decision }) => /^the user\b/iu.test(decision)),
  };
}

/** Those that answer, and nearly as well as the best of them. */
function answeringOf(read: readonly Candidate[], grammar: Grammar): Candidate[] {
  const answering = read.filter(({ relevance }) => relevance >= MIN_RELEVANCE);
  const chosen = withoutOutdated(answering, grammar);
  const [best] = chosen;
  return chosen
    .filter(
      ({ relevance, memory }) =>
        best !== undefined &&
        relevance >= best.relevance * SHARE_OF_BEST &&
        memory.similarity >= best.memory.similarity * SIMILARITY_SHARE_OF_BEST,
    )
    .slice(0, MAX_QUOTED_MEMORIES);
}

/** The first of the memories, where it is clearly closer than the others. */
function closestOf(read: readonly Candidate[], memories: readonly OfferedMemory[]): Candidate[] {
  const [closest, next] = read;
  const isClear =
    closest?.isAbout === true &&
    closest.memory === memories[0] &&
    closest.relevance >= MIN_CLOSENESS &&
    (next?.relevance ?? 0) <= closest.relevance * MAX_SHARE_OF_CLOSEST;
  return isClear ? [closest] : [];
}

/**
 * Fills up with what is likely to answer among longer texts: their words tell less of
 * what they say, and the order of the retrieval tells more. Of facts none is added: a
 * short statement that doesn't fit says something else.
 */
function withLikely(
  quoted: readonly Candidate[],
  candidates: readonly Candidate[],
  question: AskedQuestion,
): Candidate[] {
  const best = Math.max(...candidates.map(({ relevance }) => relevance));
  const rare = rareTerms(question).length;
  const needed = Math.min(ENOUGH_SHARED_WORDS, Math.max(1, Math.ceil(rare * MIN_SHARED_WORDS)));
  const likely = candidates
    .filter(
      ({ memory: { decision, number }, relevance }) =>
        number <= MAX_LIKELY_PLACE &&
        saysMuch(decision) &&
        relevance >= best * LIKELY_SHARE_OF_BEST &&
        sharedWords(decision.slice(0, MAX_SEARCHED_CHARACTERS), question) >= needed,
    )
    .map((candidate) => ({ candidate, score: likelihoodOf(candidate, best) }))
    .toSorted((a, b) => b.score - a.score);
  const filled = [...quoted];
  for (const { candidate } of likely) {
    if (filled.length >= MAX_QUOTED_MEMORIES) break;
    const isQuoted = filled.some(
      ({ memory, passage }) => memory === candidate.memory || passage === candidate.passage,
    );
    if (!isQuoted) filled.push(candidate);
  }
  return filled;
}

/** The later in the order, the less likely, by about as much from 1 to 2 as from 4 to 8. */
function likelihoodOf({ memory, relevance }: Candidate, best: number): number {
  return (RELEVANCE_WEIGHT * relevance) / best - Math.log(memory.number);
}

/** A turn of a conversation with its speaker, or a text of more than one statement. */
function saysMuch(text: string): boolean {
  return text.length >= MIN_LONG_CHARACTERS || /^\p{Lu}[\p{L}.' -]{0,40}: /u.test(text);
}

/** Before what is not taken for an answer. */
function leadOf(stated: readonly Candidate[], quoted: readonly Candidate[]): string {
  if (stated.length > 0) return "";
  return quoted.length === 1 ? "The closest memory: " : "The closest memories: ";
}

function byRelevance(a: Candidate, b: Candidate): number {
  return b.relevance - a.relevance || b.memory.similarity - a.memory.similarity;
}

/** One line that ends like a sentence. */
function quoteOf({ memory, passage }: Candidate, lead: string): Quote {
  const isSentence = /[.!?…。！？]["')\]]?$/u.test(passage);
  return { text: `${lead}${passage}${isSentence ? "" : "."}`, number: memory.number };
}

/** Leaves out what a newer candidate contradicts, and repeats of the same words. */
function withoutOutdated(candidates: readonly Candidate[], grammar: Grammar): Candidate[] {
  const read = candidates.map(({ passage }) => readStatements(passage, grammar));
  return candidates.filter((candidate, i) => {
    const isRepeat = candidates.some(({ passage }, j) => j < i && passage === candidate.passage);
    const isOutdated = candidates.some(({ memory, passage }, j) => {
      if (memory.validFrom <= candidate.memory.validFrom) return false;
      const change =
        strongestChange(read[j] ?? [], read[i] ?? []) ?? toldChange(passage, candidate.passage);
      return (change?.confidence ?? 0) >= MIN_CONFLICT_CONFIDENCE;
    });
    return !isRepeat && !isOutdated;
  });
}

/** What to quote of a memory: all of a short one, the sentence of a long one that answers best. One line. */
function passageOf(decision: string, question: AskedQuestion): string {
  const text = decision.slice(0, MAX_SEARCHED_CHARACTERS).replace(/\s+/gu, " ").trim();
  if (text.length <= MAX_PASSAGE_CHARACTERS) return text;
  const sentences = text.split(/(?<=[.!?。！？])\s+/u).slice(0, MAX_SENTENCES);
  const rated = sentences.map((sentence) => ({ sentence, rating: coverageOf(sentence, question) }));
  const { sentence } = rated.reduce((best, other) => (other.rating > best.rating ? other : best));
  return sentence.length <= MAX_PASSAGE_CHARACTERS
    ? sentence
    : `${sentence.slice(0, MAX_PASSAGE_CHARACTERS).trimEnd()}…`;
}
