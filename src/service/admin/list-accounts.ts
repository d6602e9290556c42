import { invalidField } from "../../domain/failure.ts";
import { type CompanyId, toCompanyId } from "../../domain/ids.ts";
import { listAccounts as listStoredAccounts } from "../../storage/accounts.ts";
import type { ServiceContext } from "../context.ts";
import { type AccountOverview, accountOverview } from "./account-overview.ts";

export interface AccountPage {
  /** By company_id. */
  readonly accounts: readonly AccountOverview[];
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

/** One page of all accounts, behind the last one of the page before. */
export async function listAccounts(
  context: ServiceContext,
  { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken?: string },
): Promise<AccountPage> {
  const afterCompanyId = pageToken === undefined ? null : readPageToken(pageToken);
  const found = await listStoredAccounts(context.db, { afterCompanyId, limit: pageSize + 1 });

  const now = context.now();
  const accounts: AccountOverview[] = [];
  // One after the other: a page must not take every connection of the pool.
  for (const account of found.slice(0, pageSize)) {
    accounts.push(await accountOverview(context.db, account, now));
  }
  const last = accounts.at(-1);
  const hasMore = found.length > accounts.length && last !== undefined;
  return { accounts, nextPageToken: hasMore ? writePageToken(last.account.companyId) : null };
}

/** A token is the company_id behind which the next page starts. */
function writePageToken(companyId: CompanyId): string {
  return Buffer.from(companyId, "utf8").toString("base64url");
}

function readPageToken(token: string): CompanyId {
  const companyId = toCompanyId(Buffer.from(token, "base64url").toString("utf8"));
  if (token === "" || writePageToken(companyId) !== token || companyId.includes("\0")) {
    throw invalidField("page_token", "must be the `next_page_token` of an earlier answer");
  }
  return companyId;
}
