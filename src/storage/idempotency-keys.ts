import type { Instant } from "../domain/instant.ts";
import type { Executor } from "./schema.ts";

export interface IdempotencyClaim {
  readonly companyId: string;
  readonly key: string;
  /** SHA-256 of the operation and its request. */
  readonly fingerprint: Uint8Array;
  /** UUID of this attempt: only it may complete or release the claim. */
  readonly attemptId: string;
  readonly now: Instant;
  /** Older records count as gone. */
  readonly expiresBefore: Instant;
  /** A claim that runs since before this was abandoned by a process that died. */
  readonly abandonedBefore: Instant;
}

export type ClaimOutcome =
  | { readonly kind: "claimed" }
  | { readonly kind: "running"; readonly since: Instant }
  | { readonly kind: "reused" }
  | { readonly kind: "completed"; readonly response: string };

/** Claims a key for one attempt, or tells what became of the first one. Commits by itself. */
export declare function claimIdempotencyKey(
  db: Executor,
  claim: IdempotencyClaim,
): Promise<ClaimOutcome>;

/**
 * Keeps the response (JSON text) in the transaction that did the work. false:
 * the claim is no longer this attempt's, and the transaction must not commit.
 * `tenantId` undefined: the response holds no text of a memory.
 */
export declare function completeIdempotencyKey(
  trx: Executor,
  claim: IdempotencyClaim,
  response: string,
  tenantId: string | null | undefined,
): Promise<boolean>;

/** Gives the key back after a failure. */
export declare function releaseIdempotencyKey(db: Executor, claim: IdempotencyClaim): Promise<void>;

/** Removes expired records of every account, at most `limit`; returns how many. */
export declare function deleteExpiredIdempotencyKeys(
  db: Executor,
  expiresBefore: Instant,
  limit: number,
): Promise<number>;
