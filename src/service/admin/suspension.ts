import type { CompanyId } from "../../domain/ids.ts";
import type { Instant } from "../../domain/instant.ts";
import { setSuspension } from "../../storage/accounts.ts";
import type { ServiceContext } from "../context.ts";
import { accountNotFound } from "./account-fields.ts";
import { type AccountOverview, overviewOf } from "./accounts.ts";

/**
 * Suspends an account: every request of its keys is refused, on this server at once, and
 * on others once they have forgotten the caller (CALLER_CACHE_MS). What it holds stays as
 * it is. A write in progress is refused at its end. An account that is suspended already
 * keeps its time. Throws `account_not_found`.
 */
export async function suspendAccount(
  context: ServiceContext,
  companyId: CompanyId,
): Promise<AccountOverview> {
  return setSuspended(context, companyId, context.now());
}

/** Lifts a suspension, if there is one. Throws `account_not_found`. */
export async function unsuspendAccount(
  context: ServiceContext,
  companyId: CompanyId,
): Promise<AccountOverview> {
  return setSuspended(context, companyId, null);
}

async function setSuspended(
  context: ServiceContext,
  companyId: CompanyId,
  at: Instant | null,
): Promise<AccountOverview> {
  const db = context.db.of(companyId);
  const account = await setSuspension(db, at);
  if (account === null) throw accountNotFound(companyId);
  context.callers.forget(companyId);
  const what = at === null ? "the suspension of an account was lifted" : "an account was suspended";
  context.log.info({ companyId }, what);
  return overviewOf(db, account, context.now());
}
