import { type RawBuilder, sql } from "kysely";
import type { RetentionRule } from "../domain/erasure.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { AccountDb, Executor } from "./schema.ts";

/** As the columns have it that a rule is about all of. */
const EVERY = "";

/** What is selected is a `RetentionRule`. */
const COLUMNS = sql`nullif(tenant_id, ${EVERY}) as "tenantId", nullif(source, ${EVERY}) as source,
  ended_after_days as "endedAfterDays", all_after_days as "allAfterDays"`;

/** By tenant and source. */
export async function listRetentionRules(db: AccountDb): Promise<RetentionRule[]> {
  const { rows } = await sql<RetentionRule>`
    select ${COLUMNS} from retention_rules where company_id = ${db.companyId}
    order by retention_rules.tenant_id, retention_rules.source`.execute(db);
  return rows;
}

function isOf({ companyId }: AccountDb, { tenantId, source }: RetentionRule): RawBuilder<boolean> {
  return sql`(company_id = ${companyId} and tenant_id = ${tenantId ?? EVERY}
    and source = ${source ?? EVERY})`;
}

/** In place of the one of the same tenant and source; one without days is removed. */
export async function storeRetentionRule(db: AccountDb, rule: RetentionRule): Promise<void> {
  const { tenantId, source, endedAfterDays, allAfterDays } = rule;
  const change =
    endedAfterDays === null && allAfterDays === null
      ? sql`delete from retention_rules where ${isOf(db, rule)}`
      : sql`
        insert into retention_rules (company_id, tenant_id, source, ended_after_days, all_after_days)
        values (${db.companyId}, ${tenantId ?? EVERY}, ${source ?? EVERY}, ${endedAfterDays}, ${allAfterDays})
        on conflict (company_id, tenant_id, source) do update
        set ended_after_days = excluded.ended_after_days, all_after_days = excluded.all_after_days`;
  await change.execute(db);
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
export async function findDueRules(db: Executor, claimedBefore: Instant, limit: number) {
  const { rows } = await sql<DueRule>`
    select company_id as "companyId", ran_at as "ranAt", ${COLUMNS} from retention_rules
    where ran_at is null or ran_at < ${claimedBefore}
    limit ${limit}`.execute(db);
  return rows;
}

/** Claims a due rule for one run: of several servers one does. */
export async function claimDueRule(db: AccountDb, due: DueRule, now: Instant): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update retention_rules set ran_at = ${now}
    where ${isOf(db, due)} and ran_at is not distinct from ${due.ranAt}`.execute(db);
  return numAffectedRows > 0n;
}
