import type { Account } from "../../domain/account.ts";
import { billingPeriod } from "../../domain/billing-period.ts";
import type { Instant } from "../../domain/instant.ts";
import { effectiveLimits, type PlanLimits, type PlanUsage, planUsage } from "../../domain/plan.ts";
import type { Executor } from "../../storage/schema.ts";
import { findWriteUsage } from "../../storage/write-usage.ts";

/** An account as the operator sees it: with the limits that apply and what it has used. */
export interface AccountOverview {
  readonly account: Account;
  readonly limits: PlanLimits;
  readonly usage: PlanUsage;
}

/** The account with its use of the billing period that `now` is in. */
export async function accountOverview(
  db: Executor,
  account: Account,
  now: Instant,
): Promise<AccountOverview> {
  const period = billingPeriod(account.periodAnchor, now);
  const usage = await findWriteUsage(db, account.companyId, period.start);
  return {
    account,
    limits: effectiveLimits(account),
    usage: planUsage(account, usage, now),
  };
}
