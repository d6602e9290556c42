import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startRequestModels } from "./model-calls.ts";
import { admitReader } from "./plan.ts";
import { type MemoryQuestion, type Retrieval, retrieve } from "./retrieve.ts";

/**
 * The memories that a question would be answered from (D39). Throws as queryMemories
 * does.
 */
export async function searchMemories(
  context: MemoryContext,
  caller: Caller,
  question: MemoryQuestion,
  signal: AbortSignal,
): Promise<Retrieval> {
  admitReader(context, caller);
  using models = startRequestModels(context, caller, signal);
  const retrieval = await retrieve(context, caller, question, models.call);
  await confirmCaller(context, caller);
  return retrieval;
}
