import { sql } from "kysely";
import {
  type KnownValueField,
  MAX_KNOWN_VALUES,
  MEMORIES_WITH_KNOWN_VALUES,
} from "../domain/memory.ts";
import { toTenantColumn } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";

/** The values that most of the newest memories of a tenant have, those that begin so. */
export async function selectKnownValues(
  db: AccountDb,
  {
    field,
    tenantId,
    prefix,
  }: {
    readonly field: KnownValueField;
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
