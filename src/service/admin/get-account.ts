import type { CompanyId } from "../../domain/ids.ts";
import { findAccount } from "../../storage/accounts.ts";
import type { ServiceContext } from "../context.ts";
import { accountNotFound } from "./account-fields.ts";
import { type AccountOverview, accountOverview } from "./account-overview.ts";

/** Throws `account_not_found`. */
export async function getAccount(
  context: ServiceContext,
  companyId: CompanyId,
): Promise<AccountOverview> {
  const account = await findAccount(context.db, companyId);
  if (account === null) throw accountNotFound(companyId);
  return accountOverview(context.db, account, context.now());
}
