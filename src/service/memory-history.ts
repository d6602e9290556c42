import type { AuditEvent } from "../domain/audit-event.ts";
import { Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Memory } from "../domain/memory.ts";
import { listAuditEvents } from "../storage/audit-events.ts";
import { findMemoryRecord, type MemoryRecord, memoryExists } from "../storage/memories.ts";
import { findChain } from "../storage/memory-chains.ts";
import type { Executor } from "../storage/schema.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { admitReader } from "./plan.ts";

/**
 * Every memory of the chain that the memory belongs to, by `valid_from`, then
 * `created_at`, then ID (4.9, D20). Throws `memory_not_found` or `not_owner`.
 */
export async function getMemoryTimeline(
  context: ServiceContext,
  caller: Caller,
  memoryId: MemoryId,
): Promise<Memory[]> {
  admitReader(context, caller);
  const chain = await findChain(context.db, caller.companyId, memoryId);
  if (chain.length === 0) throw await missingMemory(context.db, memoryId, "memory_id");
  return chain;
}

export interface MemoryAudit extends MemoryRecord {
  /** In the order in which it happened. */
  readonly history: readonly AuditEvent[];
}

/**
 * Where a memory came from and what happened to it (4.10, D32). Throws
 * `memory_not_found` or `not_owner`.
 */
export async function getMemoryAudit(
  context: ServiceContext,
  caller: Caller,
  memoryId: MemoryId,
): Promise<MemoryAudit> {
  admitReader(context, caller);
  const record = await findMemoryRecord(context.db, caller.companyId, memoryId);
  if (record === null) throw await missingMemory(context.db, memoryId, "memory_id");
  const history = await listAuditEvents(context.db, caller.companyId, memoryId);
  return { ...record, history };
}

/**
 * Why the account does not have a memory of this ID: `not_owner` (403) when
 * another account does, else `memory_not_found` (404).
 *
 * The look-up by ID alone visits every shard of a distributed database, so it
 * runs only once the look-up within the account has missed.
 */
export async function missingMemory(db: Executor, id: MemoryId, field: string): Promise<Failure> {
  return (await memoryExists(db, id))
    ? new Failure("not_owner", `\`${field}\` is a memory of another account`, { field })
    : new Failure("memory_not_found", `\`${field}\` is not the ID of a memory`, { field });
}
