import { isUuid } from "../domain/ids.ts";
import type { KeptRejectedFact } from "../domain/rejected-fact.ts";
import { deleteRejectedFact, listRejectedFacts } from "../storage/rejected-facts.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { type Page, pageOf, readPageToken } from "./page-token.ts";
import { admitReader } from "./plan.ts";

const PAGE_SIZE = 20;

/**
 * One page of what was said in conversations and came to nothing, of every tenant, newest
 * first. Throws `invalid_field` and `plan_blocked`.
 */
export async function listRejected(
  context: ServiceContext,
  caller: Caller,
  pageToken: string | null,
): Promise<Page<KeptRejectedFact>> {
  const beforeId = readPageToken(pageToken, ([id = ""]) => (isUuid(id) ? id : null));
  admitReader(context, caller);
  const found = await listRejectedFacts(caller.db, { beforeId, limit: PAGE_SIZE + 1 });
  return pageOf(found, PAGE_SIZE, ({ id }) => [id]);
}

/**
 * Takes one off the list, for good; does nothing where the account has none of this ID.
 * Throws `plan_blocked`.
 */
export async function dismissRejected(
  context: ServiceContext,
  caller: Caller,
  id: string,
): Promise<void> {
  admitReader(context, caller);
  await deleteRejectedFact(caller.db, id);
}
