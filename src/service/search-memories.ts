import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { startModelDeadline, startUsageLog } from "./model-calls.ts";
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
  using deadline = startModelDeadline(context, signal);
  const call = startUsageLog(context).modelCall(caller.companyId, deadline.signal);
  const retrieval = await retrieve(context, caller, question, call);
  await confirmCaller(context, caller);
  return retrieval;
}
