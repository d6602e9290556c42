import { billingPeriod } from "../../domain/billing-period.ts";
import type { Instant } from "../../domain/instant.ts";
import { quotaReachedAfterChange } from "../../domain/plan.ts";
import { lockAccount, updateAccount as updateStoredAccount } from "../../storage/accounts.ts";
import { transaction } from "../../storage/transaction.ts";
import { lockWriteUsage, updateWriteUsage } from "../../storage/write-usage.ts";
import type { ServiceContext } from "../context.ts";
import { type AccountFields, accountNotFound, withFields } from "./account-fields.ts";
import { type AccountOverview, accountOverview } from "./account-overview.ts";

export interface AccountChange extends AccountFields {
  /**
   * Where the billing periods are counted from. Usage belongs to a period's
   * start: with a start that had no period yet, `writes_used` is 0 again, and
   * what was written before stays counted in the period that it was written in.
   */
  readonly periodStart?: Instant;
  /**
   * The end of grace in the current billing period (after `periodStart` took
   * effect), whether the quota is reached already or later in that period. In
   * the past: grace has ended.
   */
  readonly graceEndsAt?: Instant;
}

/**
 * Changes the given fields of an account. A limit raised above what was used
 * ends the state of a reached quota; one lowered to it or below starts it, and
 * with it the grace period, now. Takes effect on every server within the life of
 * a cached caller. Throws `account_not_found`.
 */
export async function updateAccount(
  context: ServiceContext,
  companyId: string,
  change: AccountChange,
): Promise<AccountOverview> {
  const now = context.now();
  return transaction(context.db, async (trx) => {
    const before = await lockAccount(trx, companyId);
    if (before === null) throw accountNotFound(companyId);
    const after = withFields(before, change, now);
    await updateStoredAccount(trx, after);

    const { start } = billingPeriod(after.periodAnchor, now);
    // Locked: a write that reaches the quota at this moment counts either before or after.
    const usage = await lockWriteUsage(trx, companyId, start);
    await updateWriteUsage(trx, companyId, start, {
      quotaReachedAt: quotaReachedAfterChange(before, after, usage, now),
      graceEndsAt: change.graceEndsAt,
    });
    return accountOverview(trx, after, now);
  });
}
