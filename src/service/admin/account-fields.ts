import type { Account } from "../../domain/account.ts";
import { Failure, invalidField } from "../../domain/failure.ts";
import type { CompanyId } from "../../domain/ids.ts";
import type { Instant } from "../../domain/instant.ts";

export const MAX_WRITES_LIMIT = 2_147_483_647;
export const MAX_GRACE_DAYS = 365;
/** Requests a second. */
export const MAX_RATE = 1_000_000;
export const MAX_BURST = 1_000_000;

type OwnLimits = Pick<Account, "writesLimit" | "graceDays" | "rate" | "burst">;

/** The fields of an account that the operator sets. A limit that is null follows the tier. */
export interface AccountFields
  extends Partial<OwnLimits>,
    Partial<Pick<Account, "planTier" | "planStatus">> {
  /**
   * Where the billing periods are counted from. Usage belongs to a period's
   * start: with a start that had no period yet, `writes_used` is 0 again, and
   * what was written before stays counted in the period that it was written in.
   */
  readonly periodStart?: Instant;
}

/** An active starter account with no limits of its own. */
export function newAccount(companyId: CompanyId, orgId: string, now: Instant): Account {
  return {
    companyId,
    orgId,
    planTier: "starter",
    planStatus: "active",
    writesLimit: null,
    graceDays: null,
    rate: null,
    burst: null,
    periodAnchor: now,
    createdAt: now,
    suspendedAt: null,
  };
}

/** The account with the given fields in place of its own. Throws `invalid_field`. */
export function withFields(account: Account, fields: AccountFields, now: Instant): Account {
  const { planTier, planStatus, writesLimit, graceDays, rate, burst, periodStart } = fields;
  checkWholeNumber("writes_limit", writesLimit, 0, MAX_WRITES_LIMIT);
  checkWholeNumber("grace_days", graceDays, 0, MAX_GRACE_DAYS);
  checkWholeNumber("burst", burst, 1, MAX_BURST);
  if (rate != null && !(rate > 0 && rate <= MAX_RATE)) {
    throw invalidField("rate", `must be more than 0 and at most ${MAX_RATE} requests a second`);
  }
  if (periodStart !== undefined && periodStart > now) {
    throw invalidField("period_start", "must not be in the future");
  }
  return {
    ...account,
    planTier: planTier ?? account.planTier,
    planStatus: planStatus ?? account.planStatus,
    // Null clears a limit; undefined leaves it.
    writesLimit: writesLimit === undefined ? account.writesLimit : writesLimit,
    graceDays: graceDays === undefined ? account.graceDays : graceDays,
    rate: rate === undefined ? account.rate : rate,
    burst: burst === undefined ? account.burst : burst,
    periodAnchor: periodStart ?? account.periodAnchor,
  };
}

/** The operator named an account that does not exist (404). */
export function accountNotFound(companyId: CompanyId): Failure {
  return new Failure("account_not_found", `no account has the company_id ${companyId}`, {
    field: "company_id",
  });
}

function checkWholeNumber(
  field: string,
  value: number | null | undefined,
  least: number,
  most: number,
): void {
  if (value == null || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw invalidField(field, `must be a whole number from ${least} to ${most}`);
}
