import { invalidField } from "../../domain/failure.ts";
import type { CompanyId } from "../../domain/ids.ts";
import { lockAccount } from "../../storage/accounts.ts";
import { listApiKeys } from "../../storage/api-keys.ts";
import { transaction } from "../../storage/transaction.ts";
import type { ServiceContext } from "../context.ts";
import { accountNotFound } from "./account-fields.ts";
import { type IssuedApiKey, issueApiKey } from "./issue-api-key.ts";

/** Revoked keys count: they stay listed, for the audit events that name them. */
export const MAX_API_KEYS = 10_000;

/** Throws `account_not_found`, and `invalid_field` once the account has MAX_API_KEYS. */
export async function createApiKey(
  context: ServiceContext,
  companyId: CompanyId,
): Promise<IssuedApiKey> {
  return transaction(context.db, async (trx) => {
    if ((await lockAccount(trx, companyId)) === null) throw accountNotFound(companyId);
    if ((await listApiKeys(trx, companyId)).length >= MAX_API_KEYS) {
      throw invalidField("company_id", `has ${MAX_API_KEYS} API keys, and more are not kept`);
    }
    return issueApiKey(context, trx, companyId);
  });
}
