import { setImmediate } from "node:timers/promises";
import type { Answerer, OfferedMemory } from "../answerer.ts";
import { strongestChange } from "./classifier.ts";
import { type Grammar, loadGrammar } from "./grammar.ts";
import { type AskedQuestion, coverageOf, readQuestion, subjectFit } from "./relevance.ts";
import { readStatements } from "./statements.ts";

const NO_ANSWER = "None of the memories answers this question.";
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

/** A memory up to this length is quoted whole. */
const MAX_PASSAGE_CHARACTERS = 300;
/** Of a longer one this much is searched for the sentence to quote. */
const MAX_SEARCHED_CHARACTERS = 4 * 1024;
const MAX_SENTENCES = 40;

interface Candidate {
  readonly memory: OfferedMemory;
  readonly passage: string;
  readonly relevance: number;
  /** Whom and what it is about is what was asked for. */
  readonly isAbout: boolean;
}

/**
 * Quotes the memories whose words, names and kind of value fit the question, or the
 * one that is closest to it. It never words an answer itself, so it can't say what
 * no memory says.
 */
export function createLocalAnswerer(): Answerer {
  return {
    async answer({ text, memories }, signal) {
      signal.throwIfAborted();
      const grammar = await loadGrammar();
      const question = readQuestion(text);
      const covering: Candidate[] = [];
      for (const memory of memories) {
        await giveWay(signal);
        const passage = passageOf(memory.decision, question);
        const relevance = coverageOf(passage, question);
        if (relevance > 0) covering.push({ memory, passage, relevance, isAbout: true });
      }
      const candidates: Candidate[] = [];
      for (const candidate of covering.toSorted(byRelevance).slice(0, MAX_READ_MEMORIES)) {
        await giveWay(signal);
        const { fit, isAbout } = subjectFit(candidate.passage, question, grammar);
        candidates.push({ ...candidate, relevance: candidate.relevance * fit, isAbout });
      }
      candidates.sort(byRelevance);
      const answering = candidates.filter(({ relevance }) => relevance >= MIN_RELEVANCE);
      if (answering.length > 0) {
        const chosen = withoutOutdated(answering, grammar);
        const [best] = chosen;
        return chosen
          .filter(
            ({ relevance, memory }) =>
              best !== undefined &&
              relevance >= best.relevance * SHARE_OF_BEST &&
              memory.similarity >= best.memory.similarity * SIMILARITY_SHARE_OF_BEST,
          )
          .slice(0, MAX_QUOTED_MEMORIES)
          .map(cited)
          .join(" ");
      }
      const [closest, next] = candidates;
      const isClear =
        closest?.isAbout === true &&
        closest.memory === memories[0] &&
        closest.relevance >= MIN_CLOSENESS &&
        (next?.relevance ?? 0) <= closest.relevance * MAX_SHARE_OF_CLOSEST;
      return isClear ? `The closest memory: ${cited(closest)}` : NO_ANSWER;
    },
  };
}

async function giveWay(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

function byRelevance(a: Candidate, b: Candidate): number {
  return b.relevance - a.relevance || b.memory.similarity - a.memory.similarity;
}

/** One line that ends like a sentence, with its marker and none of its own making. */
function cited({ memory, passage }: Candidate): string {
  const line = passage.replace(/\[(mem-\d+)\]/giu, "$1").trim();
  const sentence = /[.!?…。！？]["')\]]?$/u.test(line) ? line : `${line}.`;
  return `${sentence} [mem-${memory.number}]`;
}

/** Leaves out what a newer candidate contradicts, and repeats of the same words. */
function withoutOutdated(candidates: readonly Candidate[], grammar: Grammar): Candidate[] {
  const read = candidates.map(({ passage }) => readStatements(passage, grammar));
  return candidates.filter((candidate, i) => {
    const isRepeat = candidates.some(({ passage }, j) => j < i && passage === candidate.passage);
    const isOutdated = candidates.some(({ memory }, j) => {
      if (memory.validFrom <= candidate.memory.validFrom) return false;
      const change = strongestChange(read[j] ?? [], read[i] ?? []);
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
