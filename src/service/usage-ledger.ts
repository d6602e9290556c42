import { type AccountCalls, type DailyCalls, MAX_USAGE_DAYS } from "../domain/daily-usage.ts";
import type { CompanyId } from "../domain/ids.ts";
import { DAY, formatInstant, type Instant } from "../domain/instant.ts";
import { addDailyUsage, deleteDailyUsage, listDailyUsage } from "../storage/daily-usage.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** How long what was counted may wait to be stored. A crash loses no more. */
export const USAGE_FLUSH_MS = 10_000;
/** Accounts, days and RPCs that wait; while the database is away, calls beyond are not counted. */
export const MAX_UNSTORED_USAGE = 50_000;

/** A call of an account that has ended. */
export interface EndedAccountCall {
  readonly companyId: CompanyId;
  readonly rpc: string;
  readonly isFailure: boolean;
  readonly durationMs: number;
}

type LedgerContext = Pick<ServiceContext, "db" | "now" | "log">;

/** Counts the calls of each account by day, and stores the counts every few seconds. */
export class UsageLedger {
  readonly #context: LedgerContext;
  #counted = new Map<string, AccountCalls>();
  #cleanedOn = "";
  #storing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(context: LedgerContext) {
    this.#context = context;
    this.#timer = setInterval(() => this.store(), USAGE_FLUSH_MS).unref();
  }

  record({ companyId, rpc, isFailure, durationMs }: EndedAccountCall): void {
    const day = dayOf(this.#context.now());
    this.#add({ companyId, day, rpc, calls: 1, failures: isFailure ? 1 : 0, totalMs: durationMs });
  }

  /** Stores what was counted by now, or keeps it for the next time. */
  store(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#store());
    return this.#storing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }

  async #store(): Promise<void> {
    const { db, now, log } = this.#context;
    const counted = [...this.#counted.values()];
    if (counted.length === 0) return;
    this.#counted = new Map();
    try {
      await addDailyUsage(db, counted);
    } catch (err) {
      for (const calls of counted) this.#add(calls);
      log.warn({ err }, "the usage of accounts could not be stored");
      return;
    }
    const today = dayOf(now());
    if (this.#cleanedOn === today) return;
    this.#cleanedOn = today;
    await deleteDailyUsage(db, dayOf(now() - BigInt(MAX_USAGE_DAYS) * DAY)).catch((err: unknown) =>
      log.warn({ err }, "old usage of accounts could not be removed"),
    );
  }

  #add(calls: AccountCalls): void {
    const key = `${calls.day} ${calls.rpc} ${calls.companyId}`;
    const before = this.#counted.get(key);
    if (before === undefined && this.#counted.size >= MAX_UNSTORED_USAGE) return;
    this.#counted.set(key, {
      ...calls,
      calls: calls.calls + (before?.calls ?? 0),
      failures: calls.failures + (before?.failures ?? 0),
      totalMs: calls.totalMs + (before?.totalMs ?? 0),
    });
  }
}

/** The caller's calls of the last days, today included. */
export async function getUsage(
  { now }: ServiceContext,
  ledger: UsageLedger,
  { db }: Caller,
  days: number,
): Promise<DailyCalls[]> {
  await ledger.store();
  return listDailyUsage(db, dayOf(now() - BigInt(days - 1) * DAY));
}

/** Of UTC, as in `2026-05-01`. */
function dayOf(instant: Instant): string {
  return formatInstant(instant).slice(0, 10);
}
