import type { Memory } from "../domain/memory.ts";
import { findChain } from "../storage/memories.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { missingMemory } from "./missing-memory.ts";
import { admitReader } from "./plan.ts";

/**
 * Every memory of the chain that the memory belongs to, by `valid_from`, then
 * `created_at`, then ID (4.9, D20). Throws `memory_not_found` or `not_owner`.
 */
export async function getMemoryTimeline(
  context: ServiceContext,
  caller: Caller,
  memoryId: string,
): Promise<Memory[]> {
  await admitReader(context, caller);
  const chain = await findChain(context.db, caller.companyId, memoryId);
  if (chain.length === 0) throw await missingMemory(context.db, memoryId, "memory_id");
  return chain;
}
