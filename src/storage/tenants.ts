import { sql } from "kysely";
import type { Instant } from "../domain/instant.ts";
import type { AccountDb } from "./schema.ts";

/** A tenant that has memories. */
export interface Tenant {
  /** null: the default tenant. */
  readonly tenantId: string | null;
  readonly currentCount: number;
  readonly memoryCount: number;
  readonly lastWriteAt: Instant;
  /** Of what the log of calls has, of a sum the day; null: none asked about it. */
  readonly lastQuestionAt: Instant | null;
}

export interface TenantQuery {
  /** What the names hold, in any case. */
  readonly search: string;
  readonly order: keyof typeof ORDERS;
  readonly now: Instant;
  readonly limit: number;
  /** How many come before. */
  readonly offset: number;
}

const ORDERS = {
  last_write_at: sql`"lastWriteAt" desc`,
  last_question_at: sql`"lastQuestionAt" desc nulls last`,
  current_count: sql`"currentCount" desc`,
  name: sql`tenant_id`,
};

/** The tenants of an account, counted in one read of its memories, each with how many there are. */
export async function selectTenants(db: AccountDb, query: TenantQuery) {
  const { search, order, now, limit, offset } = query;
  const { rows } = await sql<Tenant & { readonly total: number }>`
    select *, nullif(tenant_id, '') as "tenantId", count(*) over () as total from (
      select tenant_id, count(*) as "memoryCount", max(created_at) as "lastWriteAt",
        count(*) filter (where superseded_at is null and (valid_to is null or valid_to > ${now}))
          as "currentCount"
      from memories
      where company_id = ${db.companyId} and position(lower(${search}) in lower(tenant_id)) > 0
      group by tenant_id
    ) as tenants
    left join (
      select asked as tenant_id, max(at) as "lastQuestionAt"
      from calls cross join unnest(tenant_ids) as asked
      where company_id = ${db.companyId} and rpc ~ '^(Stream)?Query|^Search|^GetContext'
      group by asked
    ) as asked using (tenant_id)
    order by ${ORDERS[order]}, tenant_id
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}
