import type { Account } from "../../domain/account.ts";
import { Failure } from "../../domain/failure.ts";
import type { CompanyId } from "../../domain/ids.ts";
import type { Instant } from "../../domain/instant.ts";
import { insertAccount } from "../../storage/accounts.ts";
import type { ServiceContext } from "../context.ts";
import { withFields } from "./account-fields.ts";
import { type AccountOverview, accountOverview } from "./account-overview.ts";

export interface NewAccount {
  readonly companyId: CompanyId;
  /** `starter` when it is left out. */
  readonly planTier?: string;
  /** The tier's when it is left out. */
  readonly writesLimit?: number;
}

/**
 * Creates an account whose first billing period starts now. Throws
 * `account_exists`; of several calls at once for one company_id, one succeeds.
 */
export async function createAccount(
  context: ServiceContext,
  { companyId, planTier, writesLimit }: NewAccount,
): Promise<AccountOverview> {
  const now = context.now();
  const account = withFields(
    newAccount(companyId, context.newId(), now),
    { planTier, writesLimit },
    now,
  );
  if (!(await insertAccount(context.db, account))) {
    throw new Failure("account_exists", `an account with the company_id ${companyId} exists`, {
      field: "company_id",
    });
  }
  return accountOverview(context.db, account, now);
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
  };
}
