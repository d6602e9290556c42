import { type CompanyId, isUuid } from "../domain/ids.ts";
import { DAY, type Instant } from "../domain/instant.ts";
import { MAX_PAGE_TEXT_BYTES } from "../domain/limits.ts";
import {
  CALL_LOG_DAYS,
  type CallFilter,
  type CallSum,
  type EndedCall,
  type LoggedCall,
} from "../domain/logged-call.ts";
import type { Memory } from "../domain/memory.ts";
import type { KeptRejectedFact } from "../domain/rejected-fact.ts";
import {
  addCalls,
  addUpOldCalls,
  type CallWithTexts,
  countCalls,
  deleteOldCalls,
  findCall,
  keepTexts,
  listCalls,
  selectKeysWithTexts,
  sumCalls,
  type UsageGroup,
} from "../storage/calls.ts";
import { selectReplacedBy, selectWrittenAt } from "../storage/memory-list.ts";
import { listRejectedFacts } from "../storage/rejected-facts.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { type Page, pageOf, readPageToken } from "./page-token.ts";

/** How long a call may wait to be stored. A crash loses no more. */
export const CALL_LOG_FLUSH_MS = 2_000;
/** Calls that wait; while the database is away, what is beyond is forgotten. */
export const MAX_UNSTORED_CALLS = 20_000;
/** Calls of them that wait with their texts. */
const MAX_UNSTORED_TEXTS = 1_000;
const CALLS_A_STATEMENT = 1_000;
/** An account's calls are added up each time that so many more were stored. */
const CALLS_A_SUM = 1_000;

/** The calls of every account, each stored within seconds of its end, off its path. */
export class CallLog {
  readonly #context: Pick<ServiceContext, "db" | "now" | "log">;
  #unstored: EndedCall[] = [];
  #unstoredTexts = 0;
  readonly #storedSinceSum = new Map<CompanyId, number>();
  #cleanedOn: Instant | null = null;
  #storing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(context: Pick<ServiceContext, "db" | "now" | "log">) {
    this.#context = context;
    this.#timer = setInterval(() => this.store(), CALL_LOG_FLUSH_MS).unref();
  }

  record(call: EndedCall): void {
    if (this.#unstored.length >= MAX_UNSTORED_CALLS) return;
    const hasTexts = call.asked !== null && isUuid(call.actor);
    const keeps = hasTexts && this.#unstoredTexts < MAX_UNSTORED_TEXTS;
    if (keeps) this.#unstoredTexts++;
    this.#unstored.push(keeps ? call : { ...call, asked: null });
  }

  /** Stores the calls that have ended by now, or keeps them for the next time. */
  store(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#store());
    return this.#storing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }

  async #store(): Promise<void> {
    const { log, now } = this.#context;
    try {
      while (this.#unstored.length > 0) {
        const calls = this.#unstored.slice(0, CALLS_A_STATEMENT);
        await this.#storeSome(calls);
        this.#unstored.splice(0, calls.length);
        this.#unstoredTexts -= calls.filter(({ asked }) => asked !== null).length;
      }
      if (this.#cleanedOn !== null && now() < this.#cleanedOn + DAY) return;
      await deleteOldCalls(this.#context.db, now() - BigInt(CALL_LOG_DAYS) * DAY);
      this.#cleanedOn = now();
    } catch (err) {
      log.warn({ err }, "the log of calls could not be stored");
    }
  }

  /** To store them again changes nothing. */
  async #storeSome(calls: readonly EndedCall[]): Promise<void> {
    const { db } = this.#context;
    await addCalls(db, calls);
    const asking = calls.filter(({ asked }) => asked !== null);
    if (asking.length > 0) {
      const keys = await selectKeysWithTexts(db, [...new Set(asking.map(({ actor }) => actor))]);
      for (const call of asking.filter(({ actor }) => keys.has(actor))) {
        await keepTexts(db.of(call.companyId), call);
      }
    }
    for (const [companyId, ended] of Map.groupBy(calls, (call) => call.companyId)) {
      const stored = (this.#storedSinceSum.get(companyId) ?? 0) + ended.length;
      this.#storedSinceSum.set(companyId, stored % CALLS_A_SUM);
      if (stored >= CALLS_A_SUM) await addUpOldCalls(db.of(companyId));
    }
  }
}

const PAGE_SIZE = 50;

/** A page of a list, and how many entries the whole list has. */
export interface CountedPage<T> extends Page<T> {
  readonly totalCount: number;
}

/**
 * One page of the account's last calls, newest first. Throws `invalid_field`. It works on
 * every plan: it says why other calls were refused.
 */
export async function listOwnCalls(
  log: CallLog,
  { db }: Caller,
  filter: CallFilter,
  pageToken: string | null,
): Promise<CountedPage<LoggedCall>> {
  const beforeId = readPageToken(pageToken, ([id = ""]) => (isUuid(id) ? id : null));
  await log.store();
  const found = await listCalls(db, filter, { beforeId, limit: PAGE_SIZE + 1 });
  const totalCount = await countCalls(db, filter);
  return { ...pageOf(found, PAGE_SIZE, ({ id }) => [id]), totalCount };
}

/** Memories, and rejected facts, of one call that are told at once. */
const MAX_TOLD = 100;

/** A call, and what became of what was said in it. */
export interface ToldCall {
  readonly call: CallWithTexts;
  /** What it wrote, of which its statements are the messages. */
  readonly written: readonly Memory[];
  /** What the memories that it wrote replaced. */
  readonly replaced: readonly Memory[];
  readonly rejected: readonly KeptRejectedFact[];
}

/** One call of the caller's account; null: the log has none of this ID, or no longer. */
export async function findOwnCall(
  log: CallLog,
  { db }: Caller,
  id: string,
): Promise<ToldCall | null> {
  await log.store();
  const call = await findCall(db, id);
  if (call === null) return null;
  const { writtenAt, tenantIds } = call;
  if (writtenAt === null) return { call, written: [], replaced: [], rejected: [] };
  const limits = { limit: MAX_TOLD, maxTextBytes: MAX_PAGE_TEXT_BYTES };
  const written = await selectWrittenAt(db, { tenantIds, writtenAt }, limits);
  const replaced = await selectReplacedBy(
    db,
    written.map((memory) => memory.id),
    limits,
  );
  const rejected = await listRejectedFacts(db, {
    beforeId: null,
    limit: MAX_TOLD,
    rejectedAt: writtenAt,
  });
  const isOfCall = (fact: KeptRejectedFact) => tenantIds.includes(fact.tenantId);
  return { call, written, replaced, rejected: rejected.filter(isOfCall) };
}

/** The sums of the caller's calls of the last days, today included. */
export async function getUsage(
  { now }: Pick<ServiceContext, "now">,
  log: CallLog,
  { db }: Pick<Caller, "db">,
  days: number,
): Promise<ReadonlyMap<UsageGroup, readonly CallSum[]>> {
  await log.store();
  const today = now() - (now() % DAY);
  return sumCalls(db, (today - BigInt(days - 1) * DAY) as Instant);
}
