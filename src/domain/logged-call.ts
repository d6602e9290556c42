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

/** What was asked, and the memories that it was asked of. */
export interface AskedTexts {
  readonly question: string;
  /** null: it was only searched, or it failed. */
  readonly answer: string | null;
  readonly memoryIds: readonly MemoryId[];
}

/** What a call does, noted while it goes on. */
export class CallNotes {
  /** The name of its RPC; null: none was reached. */
  rpc: string | null = null;
  /** The tenants that it names, "" for the default one. */
  tenantIds: readonly string[] = [];
  /** The `created_at` of the memories that it wrote; null: it wrote none. */
  writtenAt: Instant | null = null;
  savedCount = 0;
  asked: AskedTexts | null = null;
  modelCalls = 0;
  /** Those of them whose provider does not say the tokens, or not all. */
  uncountedCalls = 0;
  inputTokens = 0;
  outputTokens = 0;

  nameTenants(tenantIds: readonly (string | null)[]): void {
    const names = new Set(tenantIds.map((tenantId) => tenantId ?? ""));
    this.tenantIds = [...names].slice(0, MAX_LOGGED_TENANTS);
  }

  modelCalled(operation: string, inputTokens: number | null, outputTokens: number | null): void {
    // A call for vectors has no output.
    const isCounted = inputTokens !== null && (outputTokens !== null || operation === "embed");
    this.modelCalls++;
    if (!isCounted) this.uncountedCalls++;
    this.inputTokens += inputTokens ?? 0;
    this.outputTokens += outputTokens ?? 0;
  }
}

/** A call of an account that has ended. It holds no text of memories. */
export interface LoggedCall
  extends Omit<CallNotes, "rpc" | "asked" | "nameTenants" | "modelCalled"> {
  /** A UUIDv7: newer calls have higher ones. */
  readonly id: string;
  /** When it ended. */
  readonly at: Instant;
  /** The ID of the key, or `dashboard`. */
  readonly actor: string;
  readonly rpc: string;
  /** Of HTTP, over every protocol; 499: its client left. */
  readonly status: number;
  /** Why it was answered with an error; null: it was not. */
  readonly reason: string | null;
  readonly totalMs: number;
  readonly requestId: string;
}

/** The same of one of the accounts, before it is stored. */
export interface CallToStore extends LoggedCall {
  readonly companyId: CompanyId;
  readonly asked: AskedTexts | null;
}
