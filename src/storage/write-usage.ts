import type { WriteUsage } from "../domain/account.ts";
import type { Instant } from "../domain/instant.ts";
import type { Executor } from "./schema.ts";

/** Usage of one billing period; zero where nothing was recorded yet. */
export declare function findWriteUsage(
  db: Executor,
  companyId: string,
  periodStart: Instant,
): Promise<WriteUsage>;

/**
 * Counts up to `wanted` writes against the quota, exactly, whatever runs at the
 * same time, and returns how many it admitted: 0 to `wanted`. Notes the moment
 * when the quota is reached.
 */
export declare function admitWrites(
  trx: Executor,
  admission: {
    readonly companyId: string;
    readonly periodStart: Instant;
    readonly writesLimit: number;
    readonly wanted: number;
    readonly now: Instant;
  },
): Promise<number>;

/** Sets or clears what the operator decides for a period; fields left out stay. */
export declare function updateWriteUsage(
  trx: Executor,
  companyId: string,
  periodStart: Instant,
  change: { readonly quotaReachedAt?: Instant | null; readonly graceEndsAt?: Instant | null },
): Promise<void>;

/** As findWriteUsage, locked for a change that depends on what was read; the row is made if need be. */
export declare function lockWriteUsage(
  trx: Executor,
  companyId: string,
  periodStart: Instant,
): Promise<WriteUsage>;
