import { billingPeriod } from "../domain/billing-period.ts";
import { checkReadAllowed, checkWriteAllowed, type PlanUsage, planUsage } from "../domain/plan.ts";
import { findWriteUsage } from "../storage/write-usage.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** The caller's plan at this moment: quota, grace and period (2.7, D29 to D31). */
export async function getPlanStatus(context: ServiceContext, caller: Caller): Promise<PlanUsage> {
  const now = context.now();
  const period = billingPeriod(caller.account.periodAnchor, now);
  const usage = await findWriteUsage(context.db, caller.companyId, period.start);
  return planUsage(caller.account, usage, now);
}

/**
 * The plan of a caller that may write. Throws `plan_canceled`,
 * `write_quota_exceeded` or `plan_blocked`.
 */
export async function admitWriter(context: ServiceContext, caller: Caller): Promise<PlanUsage> {
  const plan = await getPlanStatus(context, caller);
  checkWriteAllowed(plan);
  return plan;
}

/** Throws `plan_blocked` once grace has ended. */
export async function admitReader(context: ServiceContext, caller: Caller): Promise<void> {
  checkReadAllowed(await getPlanStatus(context, caller));
}
