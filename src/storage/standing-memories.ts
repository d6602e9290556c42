import { sql } from "kysely";
import type { BlockFact } from "../domain/context-block.ts";
import { holds, memoriesKnownAt, passesFilters } from "./memory-filters.ts";
import { fromTenantColumn, isOfTenants, type MemoryRow } from "./memory-row.ts";
import type { AccountDb } from "./schema.ts";
import type { MemorySearch } from "./search-scope.ts";

export type StandingFilter = Omit<MemorySearch, "vector" | "terms" | "space" | "limit">;

/** As many are looked at for a profile, of those that matter most. */
const MAX_STANDING_MEMORIES = 200;
/** And so much of each of them. */
const MAX_STANDING_CHARACTERS = 1_000;

/**
 * What tenants are: their memories that the function `is_standing` of the database says so of
 * (D46), what matters most first, and of what matters as much the oldest.
 */
export async function selectStandingMemories(
  db: AccountDb,
  filter: StandingFilter,
): Promise<BlockFact[]> {
  const { tenantIds, knownAt, asOf, now, sources } = filter;
  const { rows } = await sql<
    Pick<MemoryRow, "id" | "tenant_id" | "valid_from" | "valid_to"> & { readonly text: string }
  >`
    select id, tenant_id, valid_from, valid_to, left(decision, ${MAX_STANDING_CHARACTERS}) as text
    from ${memoriesKnownAt(db.companyId, knownAt)} as memories
    where company_id = ${db.companyId} and ${isOfTenants(tenantIds)}
      and is_standing(importance_score, topic, attribute)
      and ${passesFilters(filter)} and ${holds(asOf, now)}
      ${sources === null ? sql`` : sql`and source = any(${sources}::text[])`}
    order by importance_score desc, id
    limit ${MAX_STANDING_MEMORIES}`.execute(db);
  return rows.map(({ id, tenant_id, text, valid_from, valid_to }) => ({
    id,
    tenantId: fromTenantColumn(tenant_id),
    text,
    validFrom: valid_from,
    validTo: valid_to,
  }));
}
