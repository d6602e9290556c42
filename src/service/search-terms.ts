import { hash32 } from "../domain/hash.ts";
import { type SearchTerms, TERM_NUMBERS } from "../domain/search-terms.ts";
import type { ModelCall } from "../providers/model-call.ts";
import { searchTermsOf, termsIn } from "../providers/text/search-terms.ts";
import { MAX_QUESTION_TERMS } from "../storage/memory-search-sql.ts";
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

/** The terms of a question that is searched for, each once, in order; at most 48. */
export function questionTermsOf(question: string): number[] {
  const numbers = new Set<number>();
  for (const term of termsIn(question)) numbers.add(hash32(term) % TERM_NUMBERS);
  return [...numbers].slice(0, MAX_QUESTION_TERMS);
}
