import type { Account } from "../../domain/account.ts";
import { billingPeriod } from "../../domain/billing-period.ts";
import type { CompanyId } from "../../domain/ids.ts";
import type { Instant } from "../../domain/instant.ts";
import { effectiveLimits } from "../../domain/plan.ts";
import { lockAccount, updateAccount as updateStoredAccount } from "../../storage/accounts.ts";
import type { Trx } from "../../storage/schema.ts";
import { transaction } from "../../storage/transaction.ts";
import { admitWrites, findWriteUsage, updateWriteUsage } from "../../storage/write-usage.ts";
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
 * Changes the given fields of an account. A limit raised above what was used ends
 * the state of a reached quota; one lowered to it or below starts it, and with it
 * the grace period, now. Other servers that have just seen a key of the account act on
 * what they saw for as long as they remember a caller (CALLER_CACHE_MS).
 *
 * Throws `account_not_found` and `invalid_field`.
 */
export async function updateAccount(
  context: ServiceContext,
  companyId: CompanyId,
  change: AccountChange,
): Promise<AccountOverview> {
  const now = context.now();
  const overview = await transaction(context.db, async (trx) => {
    const before = await lockAccount(trx, companyId);
    if (before === null) throw accountNotFound(companyId);
    const after = withFields(before, change, now);
    await updateStoredAccount(trx, after);
    if (quotaMoved(before, after)) await settleQuota(trx, after, now);
    if (change.graceEndsAt !== undefined) {
      const { start } = billingPeriod(after.periodAnchor, now);
      await updateWriteUsage(trx, companyId, start, { graceEndsAt: change.graceEndsAt });
    }
    return accountOverview(trx, after, now);
  });
  context.callers.forget(companyId);
  return overview;
}

function quotaMoved(before: Account, after: Account): boolean {
  return (
    effectiveLimits(before).writesLimit !== effectiveLimits(after).writesLimit ||
    before.periodAnchor !== after.periodAnchor
  );
}

/** Notes now that the quota is reached, or that it no longer is. */
async function settleQuota(trx: Trx, account: Account, now: Instant): Promise<void> {
  const { companyId } = account;
  const { writesLimit } = effectiveLimits(account);
  const { start: periodStart } = billingPeriod(account.periodAnchor, now);
  // To admit none notes a quota that is reached, and locks the usage until the
  // commit: no write can reach the old limit between here and the note's removal.
  await admitWrites(trx, { companyId, periodStart, writesLimit, wanted: 0, now });
  const usage = await findWriteUsage(trx, companyId, periodStart);
  if (usage !== null && usage.writesUsed < writesLimit && usage.quotaReachedAt !== null) {
    await updateWriteUsage(trx, companyId, periodStart, { quotaReachedAt: null });
  }
}
