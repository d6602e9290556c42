import { answerFromMemories, type MemoryAnswer } from "./answer-from-memories.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startRequestModels } from "./model-calls.ts";
import { admitReader } from "./plan.ts";
import { type MemoryQuestion, type Retrieval, retrieve } from "./retrieve.ts";

/**
 * Answers a question from the most relevant memories, of those that are current or as its
 * filters say (4.4, D40). The model
 * only ever sees memories of the caller's account and of the one tenant.
 *
 * Throws `model_unavailable` when a model does not answer (D28), `overloaded` when it is
 * asked too much, and `unauthenticated` where the key was revoked meanwhile (D36).
 */
export async function queryMemories(
  context: MemoryContext,
  caller: Caller,
  question: MemoryQuestion,
  signal: AbortSignal,
): Promise<MemoryAnswer & Retrieval> {
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const retrieval = await retrieve(context, caller, question, models.call);
  const answer = await answerFromMemories(context, question, retrieval, models.call);
  await confirmCaller(context, caller);
  return { ...answer, ...retrieval };
}
