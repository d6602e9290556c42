import { sql } from "kysely";
import type { RetentionRule } from "../domain/erasure.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { AccountDb, Executor } from "./schema.ts";

/** As the columns have it that a rule is about all of. */
const EVERY = "";

/** What is selected is a `RetentionRule`. */
const COLUMNS = [
  sql<string | null>`nullif(tenant_id, ${sql.lit(EVERY)})`.as("tenantId"),
  sql<string | null>`nullif(source, ${sql.lit(EVERY)})`.as("source"),
  "ended_after_days as endedAfterDays",
  "all_after_days as allAfterDays",
] as const;

/** By tenant and source. */
export async function listRetentionRules(db: AccountDb): Promise<RetentionRule[]> {
  return db
    .selectFrom("retention_rules")
    .select(COLUMNS)
    .where("company_id", "=", db.companyId)
    .orderBy("retention_rules.tenant_id")
    .orderBy("retention_rules.source")
    .execute();
}

/** In place of the one of the same tenant and source; one without days is removed. */
export async function storeRetentionRule(db: AccountDb, rule: RetentionRule): Promise<void> {
  const key = {
    company_id: db.companyId,
    tenant_id: rule.tenantId ?? EVERY,
    source: rule.source ?? EVERY,
  };
  const days = { ended_after_days: rule.endedAfterDays, all_after_days: rule.allAfterDays };
  if (days.ended_after_days === null && days.all_after_days === null) {
    await db
      .deleteFrom("retention_rules")
      .where(({ and }) =>
        and({ company_id: db.companyId, tenant_id: key.tenant_id, source: key.source }),
      )
      .execute();
    return;
  }
  await db
    .insertInto("retention_rules")
    .values({ ...key, ...days, ran_at: null })
    .onConflict((conflict) =>
      conflict.columns(["company_id", "tenant_id", "source"]).doUpdateSet(days),
    )
    .execute();
}

/** A rule of some account, as it was when it was found to be due. */
export interface DueRule extends RetentionRule {
  readonly companyId: CompanyId;
  readonly ranAt: Instant | null;
}

/**
 * Rules that no server has claimed since a moment.
 *
 * Across accounts: maintenance.
 */
export async function findDueRules(
  db: Executor,
  claimedBefore: Instant,
  limit: number,
): Promise<DueRule[]> {
  return db
    .selectFrom("retention_rules")
    .select(["company_id as companyId", "ran_at as ranAt", ...COLUMNS])
    .where(({ or, eb }) => or([eb("ran_at", "is", null), eb("ran_at", "<", claimedBefore)]))
    .limit(limit)
    .execute();
}

/** Claims a due rule for one run: of several servers one does. */
export async function claimDueRule(db: AccountDb, due: DueRule, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("retention_rules")
    .set({ ran_at: now })
    .where(({ and }) =>
      and({
        company_id: db.companyId,
        tenant_id: due.tenantId ?? EVERY,
        source: due.source ?? EVERY,
      }),
    )
    .where("ran_at", "is not distinct from", due.ranAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
