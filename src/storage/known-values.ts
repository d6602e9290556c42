import { sql } from "kysely";
import {
  type KnownValueField,
  MAX_KNOWN_VALUES,
  MEMORIES_WITH_KNOWN_VALUES,
} from "../domain/memory.ts";
import { toTenantColumn } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

/**
 * The first tenants of an account by name that begin so, the default one left out. From
 * each the next is looked up by an index, however many memories it has.
 */
export async function selectKnownTenants(db: AccountDb, prefix: string): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    with recursive found (value, place) as (
      (
        select tenant_id, 1 from memories
        where company_id = ${db.companyId} and tenant_id >= ${prefix} and tenant_id > ''
        order by tenant_id
        limit 1
      )
      union all
      select next.tenant_id, found.place + 1
      from found
      cross join lateral (
        select tenant_id from memories
        where company_id = ${db.companyId} and tenant_id > found.value
        order by tenant_id
        limit 1
      ) as next
      where found.place < ${MAX_KNOWN_VALUES} and starts_with(found.value, ${prefix})
    )
    select value from found where starts_with(value, ${prefix}) order by place`.execute(db);
  return rows.map(({ value }) => value);
}

/** The values that most of the newest memories of a tenant have, those that begin so. */
export async function selectKnownValues(
  db: AccountDb,
  {
    field,
    tenantId,
    prefix,
  }: {
    readonly field: Exclude<KnownValueField, "tenant_id">;
    /** null: the default tenant. */
    readonly tenantId: string | null;
    readonly prefix: string;
  },
): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value
    from (
      select ${sql.ref(field)} as value from memories
      where company_id = ${db.companyId} and tenant_id = ${toTenantColumn(tenantId)}
      order by created_at desc, id desc
      limit ${MEMORIES_WITH_KNOWN_VALUES}
    ) as newest
    where starts_with(lower(value), lower(${prefix}::text))
    group by value
    order by count(*) desc, value
    limit ${MAX_KNOWN_VALUES}`.execute(db);
  return rows.map(({ value }) => value);
}
