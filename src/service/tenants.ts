import { selectLastQuestions } from "../storage/calls.ts";
import { selectTenants, type TenantQuery } from "../storage/tenants.ts";
import type { CallLog } from "./call-log.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { numberIn, readPageToken, tokenBehind } from "./page-token.ts";
import { admitReader } from "./plan.ts";

export type { TenantQuery };

const PAGE_SIZE = 50;

/**
 * One page of the caller's tenants. A page begins behind a number of tenants: what is written
 * meanwhile may move them. Throws `invalid_field` and `plan_blocked`.
 */
export async function listTenants(
  context: ServiceContext,
  log: CallLog,
  caller: Caller,
  wanted: Pick<TenantQuery, "search" | "order">,
  pageToken: string | null,
) {
  const { offset } = readPageToken(pageToken, { offset: numberIn }) ?? { offset: 0 };
  admitReader(context, caller);
  await log.store();
  const page = { now: context.now(), limit: PAGE_SIZE + 1, offset };
  // Two statements: of a distributed database the calls stand on another node.
  const questions = await selectLastQuestions(caller.db);
  const asked = wanted.order === "last_question_at" ? [...questions.keys()] : [];
  const found = await selectTenants(caller.db, { ...wanted, ...page }, asked);
  const tenants = found.map((tenant) => ({
    ...tenant,
    lastQuestionAt: questions.get(tenant.tenantId ?? "") ?? null,
  }));
  const next = [{ offset: offset + PAGE_SIZE }];
  const nextPageToken = tokenBehind(next, tenants.length > PAGE_SIZE, { offset: numberIn });
  const { total: totalCount, isMore } = found[0] ?? { total: 0, isMore: false };
  return { entries: tenants.slice(0, PAGE_SIZE), nextPageToken, totalCount, isMore };
}
