import type { AuditEvent } from "../domain/audit-event.ts";
import { listAuditEvents } from "../storage/audit-events.ts";
import { findMemoryRecord, type MemoryRecord } from "../storage/memories.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { missingMemory } from "./missing-memory.ts";
import { admitReader } from "./plan.ts";

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
  memoryId: string,
): Promise<MemoryAudit> {
  await admitReader(context, caller);
  const record = await findMemoryRecord(context.db, caller.companyId, memoryId);
  if (record === null) throw await missingMemory(context.db, memoryId, "memory_id");
  const history = await listAuditEvents(context.db, caller.companyId, memoryId);
  return { ...record, history };
}
