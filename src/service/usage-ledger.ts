import {
  type AccountCalls,
  type AccountTokens,
  type DailyCalls,
  type DailyTokens,
  MAX_USAGE_DAYS,
} from "../domain/daily-usage.ts";
import type { CompanyId } from "../domain/ids.ts";
import { DAY, formatInstant, type Instant } from "../domain/instant.ts";
import type { ModelUsage } from "../providers/model-call.ts";
import {
  addDailyTokens,
  addDailyUsage,
  deleteDailyCounts,
  listDailyTokens,
  listDailyUsage,
} from "../storage/daily-usage.ts";
import type { Caller, ModelUsageLedger, ServiceContext } from "./context.ts";

/** How long what was counted may wait to be stored. A crash loses no more. */
export const USAGE_FLUSH_MS = 10_000;
/**
 * Accounts, days and RPCs that wait, and accounts, days and operations of models; while the
 * database is away, what is beyond is not counted.
 */
export const MAX_UNSTORED_USAGE = 50_000;

/** A call of an account that has ended. */
export interface EndedAccountCall {
  readonly companyId: CompanyId;
  readonly rpc: string;
  readonly isFailure: boolean;
  readonly durationMs: number;
}

type LedgerContext = Pick<ServiceContext, "db" | "now" | "log">;

/**
 * Counts the calls of each account by day, and the tokens that models took for them, and
 * stores the counts every few seconds.
 */
export class UsageLedger implements ModelUsageLedger {
  readonly #context: LedgerContext;
  readonly #calls = new Counted<AccountCalls>();
  readonly #tokens = new Counted<AccountTokens>();
  #cleanedOn = "";
  #storing: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(context: LedgerContext) {
    this.#context = context;
    this.#timer = setInterval(() => this.store(), USAGE_FLUSH_MS).unref();
  }

  record({ companyId, rpc, isFailure, durationMs }: EndedAccountCall): void {
    const day = dayOf(this.#context.now());
    const failures = isFailure ? 1 : 0;
    this.#calls.add({ companyId, day, rpc, calls: 1, failures, totalMs: durationMs });
  }

  recordModelCall(companyId: CompanyId, usage: ModelUsage): void {
    const { operation, inputTokens, outputTokens } = usage;
    // A call for vectors has no output.
    const isCounted = inputTokens !== null && (outputTokens !== null || operation === "embed");
    this.#tokens.add({
      companyId,
      day: dayOf(this.#context.now()),
      operation,
      calls: 1,
      uncountedCalls: isCounted ? 0 : 1,
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
    });
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
    try {
      await this.#calls.store((calls) => addDailyUsage(db, calls));
      await this.#tokens.store((tokens) => addDailyTokens(db, tokens));
    } catch (err) {
      log.warn({ err }, "the usage of accounts could not be stored");
      return;
    }
    const today = dayOf(now());
    if (this.#cleanedOn === today) return;
    this.#cleanedOn = today;
    const before = dayOf(now() - BigInt(MAX_USAGE_DAYS) * DAY);
    try {
      await deleteDailyCounts(db, before);
    } catch (err) {
      log.warn({ err }, "old usage of accounts could not be removed");
    }
  }
}

/** Numbers that were counted and are not stored yet: one sum of each for the texts beside them. */
class Counted<T extends AccountCalls | AccountTokens> {
  #byTexts = new Map<string, T>();

  add(counted: T): void {
    const { day, companyId } = counted;
    const texts = `${day} ${"rpc" in counted ? counted.rpc : counted.operation} ${companyId}`;
    const before = this.#byTexts.get(texts);
    if (before === undefined && this.#byTexts.size >= MAX_UNSTORED_USAGE) return;
    this.#byTexts.set(texts, before === undefined ? counted : sumOf(before, counted));
  }

  /** Has all of it stored; where that fails keeps it, and rejects as `store` does. */
  async store(store: (all: readonly T[]) => Promise<void>): Promise<void> {
    const all = [...this.#byTexts.values()];
    if (all.length === 0) return;
    this.#byTexts = new Map();
    try {
      await store(all);
    } catch (error) {
      for (const counted of all) this.add(counted);
      throw error;
    }
  }
}

function sumOf<T extends object>(before: T, more: T): T {
  const sums = Object.entries(more).map(([name, value]) => {
    const known = before[name as keyof T];
    return [name, typeof value === "number" ? Number(known) + value : value];
  });
  return Object.fromEntries(sums);
}

/** The calls of an account by day, and the tokens that models took for it. */
export interface Usage {
  readonly calls: readonly DailyCalls[];
  readonly tokens: readonly DailyTokens[];
}

/** The caller's usage of the last days, today included. */
export async function getUsage(
  { now }: ServiceContext,
  ledger: UsageLedger,
  { db }: Caller,
  days: number,
): Promise<Usage> {
  await ledger.store();
  const since = dayOf(now() - BigInt(days - 1) * DAY);
  return { calls: await listDailyUsage(db, since), tokens: await listDailyTokens(db, since) };
}

/** A day of UTC, as in `2026-05-01`. */
function dayOf(instant: Instant): string {
  return formatInstant(instant).slice(0, 10);
}
