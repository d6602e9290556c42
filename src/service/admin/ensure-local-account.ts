import { toCompanyId } from "../../domain/ids.ts";
import { insertAccount, listAccounts } from "../../storage/accounts.ts";
import { transaction } from "../../storage/transaction.ts";
import type { ServiceContext } from "../context.ts";
import { newAccount } from "./create-account.ts";
import { issueApiKey } from "./issue-api-key.ts";

export const LOCAL_COMPANY_ID = toCompanyId("local");

/**
 * Gives an empty database the account `local` with one API key, so that a fresh
 * machine can be used at once. Returns the key, this once; null when there are
 * accounts. Of two servers that start together one inserts the account; the
 * other waits for it and then finds it there.
 */
export async function ensureLocalAccount(context: ServiceContext): Promise<string | null> {
  return transaction(context.db, async (trx) => {
    const existing = await listAccounts(trx, { afterCompanyId: null, limit: 1 });
    if (existing.length > 0) return null;
    const account = newAccount(LOCAL_COMPANY_ID, context.newId(), context.now());
    if (!(await insertAccount(trx, account))) return null;
    return (await issueApiKey(context, trx, account.companyId)).secret;
  });
}
