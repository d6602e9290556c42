import { sql } from "kysely";
import type { AuditEvent } from "../domain/audit-event.ts";
import type { Executor } from "./schema.ts";

/**
 * Appends events of one account, in order. Each memory must be locked or
 * inserted in this transaction, so that its history has one writer at a time.
 */
export async function appendAuditEvents(
  trx: Executor,
  companyId: string,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    insert into audit_events (company_id, memory_id, sequence, event, at, actor, detail)
    select ${companyId}, new.memory_id, coalesce(last.sequence, 0) + new.position,
           new.event, new.at, new.actor, new.detail
    from unnest(
      ${events.map(({ memoryId }) => memoryId)}::uuid[],
      ${positionsByMemory(events)}::int[],
      ${events.map(({ event }) => event)}::text[],
      ${events.map(({ at }) => at)}::timestamptz[],
      ${events.map(({ actor }) => actor)}::text[],
      ${events.map(({ detail }) => JSON.stringify(detail))}::jsonb[]
    ) as new (memory_id, position, event, at, actor, detail)
    left join lateral (
      select max(audit_events.sequence) as sequence
      from audit_events
      where audit_events.company_id = ${companyId}
        and audit_events.memory_id = new.memory_id
    ) as last on true`.execute(trx);
}

/** A memory's history, in the order in which it was appended. */
export async function listAuditEvents(
  db: Executor,
  companyId: string,
  memoryId: string,
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

/** For each event, how many of the list so far are of its memory. */
function positionsByMemory(events: readonly AuditEvent[]): number[] {
  const counts = new Map<string, number>();
  return events.map(({ memoryId }) => {
    const position = (counts.get(memoryId) ?? 0) + 1;
    counts.set(memoryId, position);
    return position;
  });
}
