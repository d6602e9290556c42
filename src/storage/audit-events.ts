import { sql } from "kysely";
import type { AuditEvent } from "../domain/audit-event.ts";
import type { MemoryId } from "../domain/ids.ts";
import { type PageLimits, selectPage } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

/** Of an event: that it moved the end of its memory. In the words of an index, as few memories have such. */
export const movesEnd = sql<boolean>`event in ('superseded', 'restored', 'trimmed', 'retracted', 'neighbour_erased')`;

/** What a value takes in memory beside its text: an empty object, with its place in a list. */
const HEAP_BYTES_PER_VALUE = 64;

/**
 * Of a detail, in bytes: its text, and more for each comma, which has a value on either side.
 * With `offset 0` that text is made once: of long ones it is most of what a page costs.
 */
const detailBytes = sql<number>`(
  select octet_length(written) + ${sql.lit(HEAP_BYTES_PER_VALUE)}
    * (octet_length(written) - octet_length(replace(written, ',', '')))
  from (select detail::text as written offset 0) as told
)`;

/** The events behind number `after`, which is from 1 on, as many as fit the page (D37). */
export async function listAuditEvents(
  db: AccountDb,
  memoryId: MemoryId,
  after: number,
  page: PageLimits,
) {
  const found = sql<AuditEvent & { readonly sequence: number }>`
    select memory_id as "memoryId", sequence, event, at, actor, detail, ${detailBytes} as text_bytes
    from audit_events
    where company_id = ${db.companyId} and memory_id = ${memoryId} and sequence > ${after}`;
  const { rows, hasMore } = await selectPage(db, found, sql`order by sequence`, page);
  return { events: rows, hasMore };
}
