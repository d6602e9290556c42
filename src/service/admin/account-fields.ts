import type { Account, PlanStatus, PlanTier } from "../../domain/account.ts";
import { Failure, invalidField } from "../../domain/failure.ts";
import type { CompanyId } from "../../domain/ids.ts";
import type { Instant } from "../../domain/instant.ts";
import { PLAN_TIERS } from "../../domain/plan.ts";

export const MAX_WRITES_LIMIT = 2_147_483_647;
export const MAX_GRACE_DAYS = 365;
/** Requests a second. */
export const MAX_RATE = 1_000_000;
export const MAX_BURST = 1_000_000;

const PLAN_STATUSES: readonly PlanStatus[] = ["active", "past_due", "canceled"];

/** The fields of an account that the operator sets, as they were given. undefined: not given. */
export interface AccountFields {
  readonly planTier?: string;
  readonly planStatus?: string;
  readonly writesLimit?: number;
  readonly graceDays?: number;
  readonly rate?: number;
  readonly burst?: number;
  readonly periodStart?: Instant;
}

/** The account with the given fields in place of its own. Throws `invalid_field`. */
export function withFields(account: Account, fields: AccountFields, now: Instant): Account {
  const { writesLimit, graceDays, rate, burst, periodStart } = fields;
  checkWholeNumber("writes_limit", writesLimit, 0, MAX_WRITES_LIMIT);
  checkWholeNumber("grace_days", graceDays, 0, MAX_GRACE_DAYS);
  checkWholeNumber("burst", burst, 1, MAX_BURST);
  if (rate !== undefined && !(rate > 0 && rate <= MAX_RATE)) {
    throw invalidField("rate", `must be more than 0 and at most ${MAX_RATE} requests a second`);
  }
  if (periodStart !== undefined && periodStart > now) {
    throw invalidField("period_start", "must not be in the future");
  }
  return {
    ...account,
    planTier: oneOf("plan_tier", fields.planTier, planTiers()) ?? account.planTier,
    planStatus: oneOf("plan_status", fields.planStatus, PLAN_STATUSES) ?? account.planStatus,
    writesLimit: writesLimit ?? account.writesLimit,
    graceDays: graceDays ?? account.graceDays,
    rate: rate ?? account.rate,
    burst: burst ?? account.burst,
    periodAnchor: periodStart ?? account.periodAnchor,
  };
}

/** The operator named an account that does not exist (404). */
export function accountNotFound(companyId: CompanyId): Failure {
  return new Failure("account_not_found", `no account has the company_id ${companyId}`, {
    field: "company_id",
  });
}

function planTiers(): readonly PlanTier[] {
  return Object.keys(PLAN_TIERS) as PlanTier[];
}

function checkWholeNumber(
  field: string,
  value: number | undefined,
  least: number,
  most: number,
): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw invalidField(field, `must be a whole number from ${least} to ${most}`);
}

function oneOf<T extends string>(
  field: string,
  value: string | undefined,
  words: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw invalidField(field, `must be one of ${words.join(", ")}`);
  return word;
}
