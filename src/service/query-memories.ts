import { type CitedAnswer, uncited } from "../domain/citations.ts";
import type { Instant } from "../domain/instant.ts";
import type { RetrievedMemory } from "../domain/memory.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startModelDeadline, startUsageLog } from "./model-calls.ts";
import { admitReader } from "./plan.ts";
import { type MemoryQuestion, retrieve } from "./retrieve.ts";

/** The answer where there is no memory to answer from (4.4 rule 4). */
const NO_MEMORIES_ANSWER = uncited("No memories found for this company yet.");

export interface MemoryAnswer extends Omit<CitedAnswer, "cited"> {
  /** In order of first mention: entry N is `[mem-N]`. */
  readonly cited: readonly RetrievedMemory[];
  /** Everything that the model was shown, most relevant first. */
  readonly retrieved: readonly RetrievedMemory[];
  /** When it is answered: now, or as it would have been at the moment that was asked for. */
  readonly moment: Instant;
}

/**
 * Answers a question from the most relevant memories, of those that are current or as its
 * filters say (4.4, D40). The model
 * only ever sees memories of the caller's account and of the one tenant; what it
 * returns is believed as far as its markers name memories it was shown (D12).
 *
 * Throws `model_unavailable` when a model does not answer (D28), `overloaded` when it is
 * asked too much, and `unauthenticated` where the key was revoked meanwhile (D36).
 */
export async function queryMemories(
  context: MemoryContext,
  caller: Caller,
  question: MemoryQuestion,
  signal: AbortSignal,
): Promise<MemoryAnswer> {
  admitReader(context, caller);
  using deadline = startModelDeadline(context, signal);
  const call = startUsageLog(context).modelCall(caller.companyId, deadline.signal);
  const { retrieved, moment } = await retrieve(context, caller, question, call);
  if (retrieved.length === 0) {
    await confirmCaller(context, caller);
    return { ...NO_MEMORIES_ANSWER, cited: [], retrieved, moment };
  }
  const memories = retrieved.map(({ memory, similarity }, index) => ({
    number: index + 1,
    decision: memory.decision,
    topic: memory.topic,
    source: memory.source,
    validFrom: memory.validFrom,
    validTo: memory.validTo,
    similarity,
  }));
  const { question: text, asOf, knownAt } = question;
  const asked = {
    text,
    memories,
    now: moment,
    ...(asOf !== null && { asOf }),
    ...(knownAt !== null && { knownAt: moment }),
  };
  const answer = await context.answerer.answer(asked, call);
  await confirmCaller(context, caller);
  const cited = answer.cited.map((number) => shown(retrieved, number));
  return { ...answer, cited, retrieved, moment };
}

/** The memory that a marker names; an answerer cites no other. */
function shown(retrieved: readonly RetrievedMemory[], number: number): RetrievedMemory {
  const memory = retrieved[number - 1];
  if (memory === undefined) throw new Error(`No memory was shown as number ${number}`);
  return memory;
}
