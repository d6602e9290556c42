import { sql } from "kysely";
import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import {
  type MemoryRow,
  memoryColumns,
  type PageLimits,
  selectPage,
  textBytes,
  toMemory,
  toTenantColumn,
} from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

/** That a memory began to hold, or ceased to. */
export interface MemoryChange {
  readonly at: Instant;
  readonly isBeginning: boolean;
  readonly memory: Memory;
}

export interface ChangeQuery {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly after: Instant;
  readonly until: Instant;
  /** By when the service was told, and not by when it was true. */
  readonly isByLearning: boolean;
}

/** The changes of a tenant in a time, newest first. What never held is none of when it was true. */
export async function selectChanges(
  db: AccountDb,
  { tenantId, after, until, isByLearning, ...limits }: ChangeQuery & PageLimits,
): Promise<{ readonly changes: readonly MemoryChange[]; readonly hasMore: boolean }> {
  const [start, end, hasHeld] = isByLearning
    ? [sql`created_at`, sql`superseded_at`, sql`true`]
    : [sql`valid_from`, sql`valid_to`, sql`(valid_to is null or valid_to > valid_from)`];
  const found = sql<MemoryRow & { readonly at: Instant; readonly is_beginning: boolean }>`
    select ${memoryColumns}, at, is_beginning, ${textBytes} as text_bytes
    from memories
    cross join lateral (values (${start}, true), (${end}, false)) as change (at, is_beginning)
    where company_id = ${db.companyId} and tenant_id = ${toTenantColumn(tenantId)}
      and at > ${after}::timestamptz and at <= ${until}::timestamptz and ${hasHeld}`;
  const newestFirst = sql`order by at desc, is_beginning desc, id`;
  const { rows, hasMore } = await selectPage(db, found, newestFirst, limits);
  const changes = rows.map((row) => ({
    at: row.at,
    isBeginning: row.is_beginning,
    memory: toMemory(row),
  }));
  return { changes, hasMore };
}
