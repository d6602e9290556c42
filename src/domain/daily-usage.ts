import type { CompanyId } from "./ids.ts";

/** How long what was counted of a day is known, in days. */
export const MAX_USAGE_DAYS = 90;

/** The calls of one RPC on one day. */
export interface DailyCalls {
  /** A day of UTC, as in `2026-05-01`. */
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

/** The tokens of one operation's model calls on one day, as far as their providers report them. */
export interface DailyTokens {
  /** A day of UTC, as in `2026-05-01`. */
  readonly day: string;
  /** What the models were called for: `extract`, `verify`, `classify`, `answer` or `embed`. */
  readonly operation: string;
  /** Those that were answered. */
  readonly calls: number;
  /** Those of them whose provider does not say, or not all of it. */
  readonly uncountedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The same of one of the accounts. */
export interface AccountTokens extends DailyTokens {
  readonly companyId: CompanyId;
}
