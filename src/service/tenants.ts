import type { Instant } from "../domain/instant.ts";
import { lastCallsOf, selectTenants, type Tenant, type TenantQuery } from "../storage/tenants.ts";
import type { CallLog, CountedPage } from "./call-log.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { readPageToken, writePageToken } from "./page-token.ts";
import { admitReader } from "./plan.ts";

const PAGE_SIZE = 50;
const QUESTIONS = ["QueryMemories", "StreamQueryMemories", "SearchMemories", "GetContext"];
const PLACE = /^\d{1,9}$/;

export interface ListedTenant extends Tenant {
  /** null: of what the log of calls has, none asked about it. */
  readonly lastQuestionAt: Instant | null;
}

/**
 * One page of the caller's tenants. A page begins behind a number of tenants: what is written
 * meanwhile may move them. Throws `invalid_field` and `plan_blocked`.
 */
export async function listTenants(
  context: ServiceContext,
  log: CallLog,
  caller: Caller,
  query: Pick<TenantQuery, "search" | "order"> & { readonly pageToken: string | null },
): Promise<CountedPage<ListedTenant>> {
  const { pageToken, ...wanted } = query;
  const read = ([place = ""]: readonly string[]) => (PLACE.test(place) ? Number(place) : null);
  const offset = readPageToken(pageToken, read) ?? 0;
  admitReader(context, caller);
  await log.store();
  const page = { now: context.now(), limit: PAGE_SIZE, offset };
  const { tenants, totalCount } = await selectTenants(caller.db, { ...wanted, ...page });
  const asked = await lastCallsOf(
    caller.db,
    tenants.map(({ tenantId }) => tenantId),
    QUESTIONS,
  );
  const next = offset + tenants.length;
  return {
    entries: tenants.map((each) => ({ ...each, lastQuestionAt: asked.get(each.tenantId) ?? null })),
    nextPageToken: next < totalCount ? writePageToken([String(next)]) : null,
    totalCount,
  };
}
