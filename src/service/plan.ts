import { billingPeriod } from "../domain/billing-period.ts";
import { checkReadAllowed, checkWriteAllowed, type PlanUsage, planUsage } from "../domain/plan.ts";
import type { Settings } from "../domain/settings.ts";
import { findWriterState, findWriteUsage } from "../storage/write-usage.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** The caller's plan at this moment: quota, grace and period (2.7, D29 to D31). */
export async function getPlanStatus(context: ServiceContext, caller: Caller): Promise<PlanUsage> {
  const now = context.now();
  const period = billingPeriod(caller.account.periodAnchor, now);
  const usage = await findWriteUsage(caller.db, period.start);
  return planUsage(caller.account, usage, now);
}

/** A caller that may write. */
export interface Writer {
  readonly plan: PlanUsage;
  readonly settings: Settings;
}

/**
 * The plan and the settings of a caller that may write, read anew: no model is
 * called once the quota is used up (D29). Throws `plan_canceled`,
 * `write_quota_exceeded` or `plan_blocked`.
 */
export async function admitWriter(context: ServiceContext, caller: Caller): Promise<Writer> {
  const { db, apiKeyId, account } = caller;
  const now = context.now();
  const period = billingPeriod(account.periodAnchor, now);
  const { usage, settings } = await findWriterState(db, apiKeyId, period.start);
  const plan = planUsage(account, usage, now);
  checkWriteAllowed(plan);
  return { plan, settings };
}

/**
 * Decides on what was read with the caller's key, up to CALLER_CACHE_MS ago, as is
 * everything else that the operator may change. Throws `plan_blocked` once grace
 * has ended.
 */
export function admitReader(context: ServiceContext, { account, usage }: Caller): void {
  checkReadAllowed(planUsage(account, usage, context.now()));
}
