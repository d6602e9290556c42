import type { AnalysedQuestion } from "./question.ts";
import { relevanceOf } from "./relevance.ts";

/** A memory up to this length is quoted whole. */
const MAX_PASSAGE_CHARACTERS = 300;
/** Of a longer one this much is searched for the sentence to quote. */
const MAX_SEARCHED_CHARACTERS = 4 * 1024;
const MAX_SENTENCES = 40;

/** What to quote of a memory: all of a short one, the sentence of a long one that answers best. One line. */
export function passageOf(decision: string, question: AnalysedQuestion): string {
  const text = decision.slice(0, MAX_SEARCHED_CHARACTERS).replace(/\s+/gu, " ").trim();
  if (text.length <= MAX_PASSAGE_CHARACTERS) return text;
  const sentences = text.split(/(?<=[.!?。！？])\s+/u).slice(0, MAX_SENTENCES);
  let best = "";
  let bestRelevance = -1;
  for (const sentence of sentences) {
    const relevance = relevanceOf(sentence, question);
    if (relevance > bestRelevance) {
      best = sentence;
      bestRelevance = relevance;
    }
  }
  return best.length <= MAX_PASSAGE_CHARACTERS
    ? best
    : `${best.slice(0, MAX_PASSAGE_CHARACTERS).trimEnd()}…`;
}
