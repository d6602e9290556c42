import { hash32 } from "@agent-memory/text";
import { type SearchTerms, TERM_NUMBERS } from "../domain/search-terms.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { searchTermsOf, termsIn } from "../providers/text/search-terms.ts";
import type { EmbeddingContext } from "./context.ts";

/** Characters whose terms are found in one turn of the event loop: a few milliseconds. */
const CHARACTERS_A_TURN = 16_000;

/**
 * The terms of each text, in order, in turns of the event loop. Rejects when the client
 * has left.
 */
export async function searchTermsOfAll(
  { loopTurns }: EmbeddingContext,
  texts: readonly string[],
  { owner, signal }: ModelCall,
): Promise<SearchTerms[]> {
  const shareOf = (text: string) => text.length / CHARACTERS_A_TURN;
  return loopTurns.map(owner, texts, shareOf, searchTermsOf, signal);
}

/** A longer question than most mails; of its terms the rarest are searched for. */
const MAX_WEIGHED_TERMS = 240;

/**
 * The terms of a question, each once, in order; at most 240. Of a longer one the first
 * and the last: what is asked stands before or behind what was pasted.
 */
export function questionTermsOf(question: string): number[] {
  const numbers = new Set<number>();
  for (const term of termsIn(question)) numbers.add(hash32(term) % TERM_NUMBERS);
  const all = [...numbers];
  if (all.length <= MAX_WEIGHED_TERMS) return all;
  return [...all.slice(0, MAX_WEIGHED_TERMS / 2), ...all.slice(-MAX_WEIGHED_TERMS / 2)];
}
