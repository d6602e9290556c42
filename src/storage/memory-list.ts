import { sql } from "kysely";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import { MEMORY_COLUMNS, toMemory, toTenantColumn } from "./memory-row.ts";
import type { Executor } from "./schema.ts";

export interface MemoryFilter {
  readonly companyId: CompanyId;
  /** null: the default tenant. */
  readonly tenantId: string | null;
  /** null: every source. */
  readonly source: string | null;
  /** Adds the superseded and the expired; without effect where `asOf` is given (D21). */
  readonly includeSuperseded: boolean;
  /** The memories that hold at this moment, superseded since or not; null: the current ones. */
  readonly asOf: Instant | null;
  readonly now: Instant;
  readonly limit: number;
  /** Only memories behind this one in the order of the list. */
  readonly after: { readonly createdAt: Instant; readonly id: MemoryId } | null;
}

/** The memories that pass the filter, newest first: by `created_at`, then ID (D21, D22). */
export async function selectMemories(db: Executor, filter: MemoryFilter): Promise<Memory[]> {
  const { source, after } = filter;
  let query = db
    .selectFrom("memories")
    .select(MEMORY_COLUMNS)
    .where("company_id", "=", filter.companyId)
    .where("tenant_id", "=", toTenantColumn(filter.tenantId))
    .where(stateCondition(filter))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit);
  if (source !== null) query = query.where("source", "=", source);
  if (after !== null) {
    query = query.where(
      sql<boolean>`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    );
  }
  const rows = await query.execute();
  return rows.map(toMemory);
}

function stateCondition({ asOf, includeSuperseded, now }: MemoryFilter) {
  if (asOf !== null) {
    return sql<boolean>`valid_from <= ${asOf} and (valid_to is null or valid_to > ${asOf})`;
  }
  return includeSuperseded
    ? sql<boolean>`true`
    : sql<boolean>`superseded_at is null and (valid_to is null or valid_to > ${now})`;
}
