import type { AuditEvent } from "../domain/audit-event.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { AccountDb } from "./schema.ts";

/** An event and its place in the history of its memory, counted from 1. */
export interface NumberedEvent extends AuditEvent {
  readonly sequence: number;
}

/** Of a memory's history, in the order in which it was written, at most so many behind a place. */
export async function listAuditEvents(
  db: AccountDb,
  memoryId: MemoryId,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<NumberedEvent[]> {
  const rows = await db
    .selectFrom("audit_events")
    .select(["memory_id", "sequence", "event", "at", "actor", "detail"])
    .where("company_id", "=", db.companyId)
    .where("memory_id", "=", memoryId)
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(limit)
    .execute();
  return rows.map(({ memory_id, ...event }) => ({ memoryId: memory_id, ...event }));
}
