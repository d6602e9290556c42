import { sql } from "kysely";
import type { AuditEvent } from "../domain/audit-event.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import { uuidsOf } from "./memory-row.ts";
import type { Executor, Trx } from "./schema.ts";

/** A memory's history, in the order in which it was written. */
export async function listAuditEvents(
  db: Executor,
  companyId: CompanyId,
  memoryId: MemoryId,
): Promise<AuditEvent[]> {
  const rows = await db
    .selectFrom("audit_events")
    .select(["memory_id", "event", "at", "actor", "detail"])
    .where("company_id", "=", companyId)
    .where("memory_id", "=", memoryId)
    .orderBy("sequence")
    .execute();
  return rows.map(({ memory_id, ...event }) => ({ memoryId: memory_id, ...event }));
}

/** The sequence of the last event of each memory that has one. The memories must be locked. */
export async function findLastSequences(
  trx: Trx,
  companyId: CompanyId,
  memoryIds: readonly MemoryId[],
): Promise<ReadonlyMap<MemoryId, number>> {
  const rows = await trx
    .selectFrom("audit_events")
    .select(({ fn }) => ["memory_id", fn.max("sequence").as("last")])
    .where("company_id", "=", companyId)
    .where(sql<boolean>`memory_id = any(${uuidsOf(memoryIds)})`)
    .groupBy("memory_id")
    .execute();
  return new Map(rows.map(({ memory_id, last }) => [memory_id, last]));
}
