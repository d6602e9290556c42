import type { ApiKey } from "../../domain/account.ts";
import type { CompanyId } from "../../domain/ids.ts";
import { findAccount } from "../../storage/accounts.ts";
import { listApiKeys as listStoredApiKeys } from "../../storage/api-keys.ts";
import type { ServiceContext } from "../context.ts";
import { accountNotFound } from "./account-fields.ts";

/** Every key of an account, oldest first, revoked ones too. Throws `account_not_found`. */
export async function listApiKeys(
  context: ServiceContext,
  companyId: CompanyId,
): Promise<ApiKey[]> {
  if ((await findAccount(context.db, companyId)) === null) throw accountNotFound(companyId);
  return listStoredApiKeys(context.db, companyId);
}
