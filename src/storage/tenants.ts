import { sql } from "kysely";
import type { Instant } from "../domain/instant.ts";
import { fromTenantColumn, toTenantColumn } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

/** A tenant that has memories. */
export interface Tenant {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly currentCount: number;
  readonly memoryCount: number;
  readonly lastWriteAt: Instant;
}

const ORDERS = {
  last_write_at: sql`"lastWriteAt" desc`,
  current_count: sql`"currentCount" desc`,
  name: sql`tenant_id`,
};
export type TenantOrder = keyof typeof ORDERS;

export interface TenantQuery {
  /** What the names hold, in any case. */
  readonly search: string;
  readonly order: TenantOrder;
  readonly now: Instant;
  readonly limit: number;
  /** How many come before. */
  readonly offset: number;
}

export interface FoundTenants {
  readonly tenants: readonly Tenant[];
  /** With those beyond the limit; 0 where none is found. */
  readonly totalCount: number;
}

/** The tenants of an account, counted in one read of all its memories. */
export async function selectTenants(db: AccountDb, query: TenantQuery): Promise<FoundTenants> {
  const { search, order, now, limit, offset } = query;
  const { rows } = await sql<Tenant & { tenant_id: string; total: number }>`
    select *, (count(*) over ())::int as total from (
      select tenant_id, count(*)::int as "memoryCount", max(created_at) as "lastWriteAt",
        (count(*) filter (where superseded_at is null and (valid_to is null or valid_to > ${now})))::int
          as "currentCount"
      from memories
      where company_id = ${db.companyId} and position(lower(${search}::text) in lower(tenant_id)) > 0
      group by tenant_id
    ) as tenants
    order by ${ORDERS[order]}, tenant_id
    limit ${limit} offset ${offset}`.execute(db);
  const tenants = rows.map(({ tenant_id, total: _, ...tenant }) => {
    return { ...tenant, tenantId: fromTenantColumn(tenant_id) };
  });
  return { tenants, totalCount: rows[0]?.total ?? 0 };
}

/** When calls of these RPCs last named each of these tenants; of a sum its day. */
export async function lastCallsOf(
  db: AccountDb,
  tenantIds: readonly (string | null)[],
  rpcs: readonly string[],
): Promise<ReadonlyMap<string | null, Instant>> {
  const wanted = tenantIds.map(toTenantColumn);
  const { rows } = await sql<{ tenant_id: string; at: Instant }>`
    select tenant_id, max(at) as at from calls cross join unnest(tenant_ids) as tenant_id
    where company_id = ${db.companyId} and rpc = any(${rpcs}::text[])
      and tenant_ids && ${wanted}::text[]
    group by tenant_id`.execute(db);
  return new Map(rows.map(({ tenant_id, at }) => [fromTenantColumn(tenant_id), at]));
}
