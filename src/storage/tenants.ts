import { sql } from "kysely";
import type { Instant } from "../domain/instant.ts";
import { MAX_COUNTED_MEMORIES, MAX_LISTED_TENANTS } from "../domain/limits.ts";
import type { AccountDb } from "./schema.ts";

export interface Tenant {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  /** At most MAX_COUNTED_MEMORIES. */
  readonly currentCount: number;
  readonly lastWriteAt: Instant;
}

export interface TenantQuery {
  /** What the names hold, in any case. */
  readonly search: string;
  readonly order: keyof typeof ORDERS;
  readonly now: Instant;
  readonly limit: number;
  readonly offset: number;
}

const ORDERS = {
  last_write_at: sql`"lastWriteAt" desc`,
  last_question_at: sql`place nulls last`,
  current_count: sql`"currentCount" desc`,
  name: sql`tenant_id`,
};

/**
 * The tenants of an account, each with how many there are and whether there are more: the
 * first MAX_LISTED_TENANTS by name, and as many from the searched text on. An index leads from
 * name to name, so that it costs by the tenants, however many memories they have. Counted are
 * those of the page, or all where the order asks for it. `asked`: the tenants by their last
 * question, newest first.
 */
export async function selectTenants(
  db: AccountDb,
  { search, order, now, limit, offset }: TenantQuery,
  asked: readonly string[],
) {
  const nextName = sql`
    select min(tenant_id) from memories
    where company_id = ${db.companyId} and memories.tenant_id`;
  const currentCount = sql`(
    select count(*) from (
      select from memories
      where company_id = ${db.companyId} and memories.tenant_id = tenants.tenant_id
        and superseded_at is null and (valid_to is null or valid_to > ${now})
      limit ${MAX_COUNTED_MEMORIES}
    ) as counted
  )`;
  const countsAll = order === "current_count";
  const { rows } = await sql<Tenant & { readonly total: number; readonly isMore: boolean }>`
    with recursive names (tenant_id, place) as (
      select (${nextName} >= first), 1 from unnest(array['', ${search}::text]) as starts (first)
      union
      select (${nextName} > names.tenant_id), place + 1 from names
      where tenant_id is not null and place <= ${MAX_LISTED_TENANTS}
    ),
    tenants as (
      select tenant_id, count(*) over () as total, (
        select created_at from memories
        where company_id = ${db.companyId} and memories.tenant_id = found.tenant_id
        order by created_at desc limit 1
      ) as "lastWriteAt"
      from (
        select distinct tenant_id from names
        where place <= ${MAX_LISTED_TENANTS}
          and position(lower(${search}) in lower(tenant_id)) > 0
      ) as found
    ),
    page as (
      select tenants.*, asked.place, ${countsAll ? currentCount : sql`null::int8`} as "currentCount"
      from tenants
      left join unnest(${asked}::text[]) with ordinality as asked (tenant_id, place)
        on asked.tenant_id = tenants.tenant_id
      order by ${ORDERS[order]}, tenants.tenant_id
      limit ${limit} offset ${offset}
    )
    select nullif(tenant_id, '') as "tenantId", "lastWriteAt", total,
      coalesce("currentCount", ${currentCount}) as "currentCount",
      exists (select from names where place > ${MAX_LISTED_TENANTS} and names.tenant_id is not null)
        as "isMore"
    from page as tenants
    order by ${ORDERS[order]}, tenant_id`.execute(db);
  return rows;
}
