import { LruMap, runEvery } from "../concurrency/bounds.ts";
import { Failure } from "../domain/failure.ts";
import { type CompanyId, isUuid } from "../domain/ids.ts";
import { DAY, type Instant } from "../domain/instant.ts";
import { MAX_PAGE_TEXT_BYTES } from "../domain/limits.ts";
import { CALL_LOG_DAYS, type CallToStore } from "../domain/logged-call.ts";
import { MAX_KEPT_REJECTED_FACTS } from "../domain/rejected-fact.ts";
import { findSettings } from "../storage/api-keys.ts";
import {
  addCalls,
  addUpOldCalls,
  type CallFilter,
  deleteOldCalls,
  findCall,
  keepTexts,
  listCalls,
  sumCalls,
} from "../storage/calls.ts";
import { selectOfWrite } from "../storage/memories.ts";
import { listRejectedFacts } from "../storage/rejected-facts.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { pageOf, readPageToken, uuidIn } from "./page-token.ts";

export { CALL_FILTERS } from "../storage/calls.ts";

/** How long a call may wait to be stored. A crash loses no more. */
export const CALL_LOG_FLUSH_MS = 2_000;
/** Calls that wait; while the database is away, what is beyond is forgotten. */
export const MAX_UNSTORED_CALLS = 20_000;
/** Calls of a statement, and of an account from one sum to the next; as many wait with texts. */
const CALLS_A_STATEMENT = 1_000;
/** Accounts whose calls since their last sum are counted; one beyond them is counted anew. */
const MAX_COUNTED_ACCOUNTS = 100_000;

export type CallLog = ReturnType<typeof openCallLog>;

/** The calls of every account, each stored within seconds of its end, off its path. */
export function openCallLog({ db, now, log }: Pick<ServiceContext, "db" | "now" | "log">) {
  const unstored: CallToStore[] = [];
  const storedSinceSum = new LruMap<CompanyId, number>(MAX_COUNTED_ACCOUNTS);
  let cleanedAt: Instant | null = null;
  let storing: Promise<void> = Promise.resolve();
  const stop = runEvery(CALL_LOG_FLUSH_MS, store);

  /** Stores the calls that have ended by now, or keeps them for the next time. */
  function store(): Promise<void> {
    storing = storing.then(storeAll);
    return storing;
  }

  async function storeAll(): Promise<void> {
    try {
      while (unstored.length > 0) {
        const calls = unstored.slice(0, CALLS_A_STATEMENT);
        await add(calls);
        // What fails from here on loses texts or a sum for later, and holds nothing up.
        unstored.splice(0, calls.length);
        for (const [companyId, ended] of Map.groupBy(calls, (call) => call.companyId)) {
          await storeTexts(companyId, ended);
          const stored = (storedSinceSum.get(companyId) ?? 0) + ended.length;
          storedSinceSum.set(companyId, stored % CALLS_A_STATEMENT);
          if (stored >= CALLS_A_STATEMENT) await addUpOldCalls(db.of(companyId));
        }
      }
      if (cleanedAt !== null && now() < cleanedAt + DAY) return;
      cleanedAt = now();
      await deleteOldCalls(db, now() - BigInt(CALL_LOG_DAYS) * DAY);
    } catch (err) {
      log.warn({ err }, "the log of calls could not be stored");
    }
  }

  /**
   * Stores calls; again changes nothing. What cannot be stored of one, such as a count that
   * cannot be, loses that call alone. While the database is away, all of them wait.
   */
  async function add(calls: readonly CallToStore[]): Promise<void> {
    try {
      await addCalls(db, calls);
    } catch (err) {
      if (err instanceof Failure) throw err;
      if (calls.length === 1) return log.warn({ err }, "a call could not be logged");
      const half = calls.length >> 1;
      await add(calls.slice(0, half));
      await add(calls.slice(half));
    }
  }

  async function storeTexts(companyId: CompanyId, calls: readonly CallToStore[]): Promise<void> {
    const asking = calls.filter(({ asked }) => asked !== null);
    for (const [actor, ofKey] of Map.groupBy(asking, (call) => call.actor)) {
      if (!(await findSettings(db.of(companyId), actor)).logQuestions) continue;
      for (const call of ofKey) await keepTexts(db.of(companyId), call);
    }
  }

  return {
    store,
    record(call: CallToStore): void {
      if (unstored.length >= MAX_UNSTORED_CALLS) return;
      // Sessions have no settings, which say whether texts are kept.
      const mayKeep = isUuid(call.actor) && unstored.length < CALLS_A_STATEMENT;
      unstored.push(mayKeep ? call : { ...call, asked: null });
    },
    async close(): Promise<void> {
      await stop();
      await store();
    },
  };
}

const PAGE_SIZE = 50;

/** One page of the account's last calls, on every plan: it says why other calls were refused. */
export async function listOwnCalls(
  log: CallLog,
  { db }: Caller,
  filter: CallFilter,
  pageToken: string | null,
) {
  const before = readPageToken(pageToken, { id: uuidIn });
  await log.store();
  const page = { beforeId: before?.id ?? null, limit: PAGE_SIZE + 1 };
  const { calls, totalCount } = await listCalls(db, filter, page);
  return { ...pageOf(calls, PAGE_SIZE, { id: uuidIn }), totalCount };
}

const MAX_TOLD = 100;

/**
 * One call of the caller's account, the memories that it wrote, what they replaced, and what
 * it rejected; null: the log has none of this ID, or no longer.
 */
export async function findOwnCall(log: CallLog, { db }: Caller, id: string) {
  await log.store();
  const call = await findCall(db, id);
  if (call === null) return null;
  const { writtenAt, tenantIds } = call;
  if (writtenAt === null) return { call, written: [], replaced: [], rejected: [] };
  const limits = { limit: MAX_TOLD, maxTextBytes: MAX_PAGE_TEXT_BYTES };
  const memories = await selectOfWrite(db, { tenantIds, writtenAt }, limits);
  const { written = [], replaced = [] } = Object.groupBy(memories, ({ createdAt }) =>
    createdAt === writtenAt ? "written" : "replaced",
  );
  const kept = await listRejectedFacts(db, null, MAX_KEPT_REJECTED_FACTS);
  const rejected = kept.filter(({ rejectedAt, tenantId }) => {
    return rejectedAt === writtenAt && tenantIds.includes(tenantId ?? "");
  });
  return { call, written, replaced, rejected: rejected.slice(0, MAX_TOLD) };
}

/** The sums of the caller's calls of the last days, today included. */
export async function getUsage(
  { now }: Pick<ServiceContext, "now">,
  log: CallLog,
  { db }: Pick<Caller, "db">,
  days: number,
): ReturnType<typeof sumCalls> {
  await log.store();
  const today = now() - (now() % DAY);
  return sumCalls(db, today - BigInt(days - 1) * DAY);
}
