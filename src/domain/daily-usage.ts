import type { CompanyId } from "./ids.ts";

/** How long the calls of a day are known, in days. */
export const MAX_USAGE_DAYS = 90;
export const DEFAULT_USAGE_DAYS = 30;

/** The calls of one RPC on one day. */
export interface DailyCalls {
  /** Of UTC, as in `2026-05-01`. */
  readonly day: string;
  /** Its name, as in `QueryMemories`. */
  readonly rpc: string;
  readonly calls: number;
  /** Those of them that were answered with an error. */
  readonly failures: number;
  readonly totalMs: number;
}

/** The same of one of the accounts. */
export interface AccountCalls extends DailyCalls {
  readonly companyId: CompanyId;
}
