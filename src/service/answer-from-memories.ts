import { type CitedAnswer, uncited } from "../domain/citations.ts";
import type { RetrievedMemory } from "../domain/memory.ts";
import type { ModelCall } from "../providers/model-call.ts";
import type { MemoryContext } from "./context.ts";
import type { MemoryQuestion, Retrieval } from "./retrieve.ts";

/** The answer where there is no memory to answer from (4.4 rule 4). */
const NO_MEMORIES_ANSWER = { ...uncited("No memories found for this company yet."), cited: [] };

/** An answer and the memories that it cites. */
export interface MemoryAnswer extends Omit<CitedAnswer, "cited"> {
  /** In order of first mention: entry N is `[mem-N]`. */
  readonly cited: readonly RetrievedMemory[];
}

/**
 * Answers a question from the memories that were retrieved for it, and from nothing else;
 * what the model returns is believed as far as its markers name memories it was shown
 * (D12). `show` is given the beginning of the answer with citations while it comes.
 *
 * Throws `model_unavailable` when the model does not answer (D28), `overloaded` when it is
 * asked too much.
 */
export async function answerFromMemories(
  { answerer }: MemoryContext,
  { question: text, asOf, knownAt }: MemoryQuestion,
  { retrieved, moment }: Retrieval,
  call: ModelCall,
  show?: (text: string) => void,
): Promise<MemoryAnswer> {
  if (retrieved.length === 0) return NO_MEMORIES_ANSWER;
  const memories = retrieved.map(({ memory, similarity }, index) => ({
    number: index + 1,
    decision: memory.decision,
    topic: memory.topic,
    source: memory.source,
    validFrom: memory.validFrom,
    validTo: memory.validTo,
    similarity,
  }));
  const asked = {
    text,
    memories,
    now: moment,
    ...(asOf !== null && { asOf }),
    ...(knownAt !== null && { knownAt: moment }),
  };
  const answer = await answerer.answer(asked, call, show);
  return { ...answer, cited: answer.cited.map((number) => shown(retrieved, number)) };
}

/** The memory that a marker names; an answerer cites no other. */
function shown(retrieved: readonly RetrievedMemory[], number: number): RetrievedMemory {
  const memory = retrieved[number - 1];
  if (memory === undefined) throw new Error(`No memory was shown as number ${number}`);
  return memory;
}
