import type { CompanyId, MemoryId } from "./ids.ts";
import type { Instant } from "./instant.ts";

/** The calls of an account that are kept one by one: the last ones. Others are added up by day. */
export const MAX_LOGGED_CALLS = 10_000;
/** The sums of an account; beyond them the oldest are dropped. */
export const MAX_CALL_SUMS = 20_000;
/** How long calls and sums are kept, in days. */
export const CALL_LOG_DAYS = 90;
/** The tenants that are kept of one call: the first ones. */
export const MAX_LOGGED_TENANTS = 10;
/** A longer question or answer is cut, with an ellipsis at its end. */
export const MAX_LOGGED_TEXT_CHARACTERS = 2_000;
/** Each list of a usage has at most so many sums. */
export const MAX_USAGE_GROUPS = 1_000;

/** The calls of models that a call made. */
export interface ModelSums {
  readonly modelCalls: number;
  /** Those of them whose provider does not say the tokens, or not all. */
  readonly uncountedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What was asked, and the memories that it was asked of. */
export interface AskedTexts {
  readonly question: string;
  /** null: only a search was asked for, or it failed. */
  readonly answer: string | null;
  readonly memoryIds: readonly MemoryId[];
}

/** What a call does, noted while it goes on. */
export class CallNotes {
  /** The name of its RPC; null: none was reached. */
  rpc: string | null = null;
  /** The tenants that it names, null for the default one; none: it is about none. */
  tenantIds: readonly (string | null)[] = [];
  /** The `created_at` of the memories that it wrote; null: it wrote none. */
  writtenAt: Instant | null = null;
  savedCount = 0;
  asked: AskedTexts | null = null;
  models: ModelSums = { modelCalls: 0, uncountedCalls: 0, inputTokens: 0, outputTokens: 0 };

  /** A call of a model was answered. */
  modelCalled(usage: {
    readonly operation: string;
    readonly inputTokens: number | null;
    readonly outputTokens: number | null;
  }): void {
    const { operation, inputTokens, outputTokens } = usage;
    // A call for vectors has no output.
    const isCounted = inputTokens !== null && (outputTokens !== null || operation === "embed");
    const before = this.models;
    this.models = {
      modelCalls: before.modelCalls + 1,
      uncountedCalls: before.uncountedCalls + (isCounted ? 0 : 1),
      inputTokens: before.inputTokens + (inputTokens ?? 0),
      outputTokens: before.outputTokens + (outputTokens ?? 0),
    };
  }
}

/** A call of an account that has ended. It holds no text of memories. */
export interface LoggedCall extends ModelSums {
  /** A UUIDv7: newer calls have higher ones. */
  readonly id: string;
  /** When it ended. */
  readonly at: Instant;
  /** The ID of the key, `dashboard` or `retention`. */
  readonly actor: string;
  readonly rpc: string;
  readonly tenantIds: readonly (string | null)[];
  /** Of HTTP, over every protocol; 499: its client left. */
  readonly status: number;
  /** Why it was answered with an error; null: it was not. */
  readonly reason: string | null;
  readonly durationMs: number;
  readonly requestId: string;
  readonly savedCount: number;
  readonly writtenAt: Instant | null;
}

/** The same of one of the accounts, before it is stored. */
export interface EndedCall extends LoggedCall {
  readonly companyId: CompanyId;
  readonly asked: AskedTexts | null;
}

/** Which calls are asked for: all that is set holds of each; null: it narrows nothing. */
export interface CallFilter {
  readonly actor: string | null;
  /** "": the default tenant. */
  readonly tenantId: string | null;
  readonly rpc: string | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly isFailure: boolean | null;
  readonly minMs: number | null;
  readonly minTokens: number | null;
  readonly since: Instant | null;
  readonly before: Instant | null;
}

/** The calls that have what is set in common. */
export interface CallSum extends ModelSums {
  /** A day of UTC, as in `2026-05-01`. */
  readonly day: string | null;
  readonly rpc: string | null;
  readonly actor: string | null;
  readonly tenantIds: readonly (string | null)[] | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly calls: number;
  readonly failures: number;
  readonly totalMs: number;
  /** Of the calls that are kept one by one; null: none of these is. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly savedCount: number;
}
