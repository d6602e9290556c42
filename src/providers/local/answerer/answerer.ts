import type { Answerer, OfferedMemory } from "../../answerer.ts";
import { changeBetween } from "../classifier/change.ts";
import type { Statement } from "../classifier/statement.ts";
import { readStatements } from "../classifier/statements.ts";
import { passageOf } from "./passage.ts";
import { type AnalysedQuestion, analyseQuestion } from "./question.ts";
import { MIN_RELEVANCE, relevanceOf, states } from "./relevance.ts";

const NO_ANSWER = "None of the memories answers this question.";
const MAX_QUOTED_MEMORIES = 3;
/** Others are quoted beside the best one only when they answer nearly as well. */
const SHARE_OF_BEST = 0.9;
/** Two memories that say different things of one attribute: from here on only the newer is quoted. */
const MIN_CONFLICT_CONFIDENCE = 0.85;

interface Candidate {
  readonly memory: OfferedMemory;
  readonly passage: string;
  readonly relevance: number;
}

/**
 * Quotes the memories whose words, names and kind of value fit the question.
 * It never words an answer itself, so it can't say what no memory says.
 */
export function createLocalAnswerer(): Answerer {
  return {
    async answer({ text, memories }, signal) {
      signal.throwIfAborted();
      const question = analyseQuestion(text);
      const candidates = memories
        .map((memory): Candidate => {
          const passage = passageOf(memory.decision, question);
          return { memory, passage, relevance: relevanceOf(passage, question) };
        })
        .filter(({ relevance }) => relevance >= MIN_RELEVANCE)
        .sort((a, b) => b.relevance - a.relevance || b.memory.similarity - a.memory.similarity);
      const chosen = withoutOutdated(candidates, question);
      const best = chosen[0]?.relevance ?? 0;
      const quoted = chosen
        .filter(({ relevance }) => relevance >= best * SHARE_OF_BEST)
        .slice(0, MAX_QUOTED_MEMORIES);
      if (quoted.length === 0) return NO_ANSWER;
      return quoted
        .map(({ memory, passage }) => `${asSentence(passage)} [mem-${memory.number}]`)
        .join(" ");
    },
  };
}

/** Leaves out what a newer candidate contradicts, and repeats of the same words. */
function withoutOutdated(
  candidates: readonly Candidate[],
  question: AnalysedQuestion,
): Candidate[] {
  const read = candidates.map(({ passage }) => statementsAskedFor(passage, question));
  return candidates.filter((candidate, i) => {
    const isRepeat = candidates.some(({ passage }, j) => j < i && passage === candidate.passage);
    const isOutdated = candidates.some(
      (newer, j) =>
        newer.memory.validFrom > candidate.memory.validFrom &&
        (read[j] ?? []).some((next) =>
          (read[i] ?? []).some(
            (previous) =>
              (changeBetween(next, previous)?.confidence ?? 0) >= MIN_CONFLICT_CONFIDENCE,
          ),
        ),
    );
    return !isRepeat && !isOutdated;
  });
}

/** What a passage states of what is asked; all of it, where that can't be told. */
function statementsAskedFor(passage: string, { asked }: AnalysedQuestion): Statement[] {
  const all = readStatements(passage);
  const relevant = all.filter((statement) =>
    asked.some((attribute) => states(statement, attribute)),
  );
  return relevant.length > 0 ? relevant : all;
}

/** One line that ends like a sentence, and holds no marker of its own making. */
function asSentence(passage: string): string {
  const line = passage.replace(/\[(mem-\d+)\]/giu, "$1").trim();
  return /[.!?…。！？]["')\]]?$/u.test(line) ? line : `${line}.`;
}
