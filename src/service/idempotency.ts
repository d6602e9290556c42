import { Failure } from "../domain/failure.ts";
import { HOUR, type Instant, MINUTE } from "../domain/instant.ts";
import { IDEMPOTENCY_HOURS } from "../domain/limits.ts";
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  deleteExpiredIdempotencyKeys,
  type IdempotencyClaim,
  type KeptResponse,
  releaseIdempotencyKey,
} from "../storage/idempotency-keys.ts";
import type { Trx } from "../storage/schema.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** A request that the caller may repeat without repeating its effect (D33). */
export interface IdempotencyRequest<Result> {
  readonly key: string;
  /** SHA-256 of the operation and its request. */
  readonly fingerprint: Uint8Array;
  /** The response message in protobuf, which is what a repeat is answered with. */
  encode(result: Result): Uint8Array;
}

/** What came of a request: its result, or the response that its first call got. */
export type Answer<Result> =
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "repeated"; readonly response: KeptResponse };

/** A request that is this call's to do. */
export interface Claim<Result> {
  readonly kind: "claimed";
  /** In the transaction that does the work, so that both commit or neither does. */
  keep(trx: Trx, result: Result, about: KeptAbout): Promise<void>;
  /** After a failure: the next call with the key does the work. */
  release(): Promise<void>;
}

/** What besides the response is kept. */
export interface KeptAbout {
  /** Whose memories' text the response holds; undefined: it holds none, and outlives an erasure. */
  readonly textOfTenant: string | null | undefined;
  /** End of the billing period whose quota cut the response short (D29); null: it is whole. */
  readonly quotaExceededUntil: Instant | null;
}

/** Longer than any request may run: a claim this old belongs to a process that died. */
const ABANDONED_AFTER = 5n * MINUTE;
const IN_USE_RETRY_AFTER_SECONDS = 1;

const WITHOUT_KEY: Claim<unknown> = {
  kind: "claimed",
  keep: async () => {},
  release: async () => {},
};

/**
 * Claims the key of a request for this call; null: the request has none, and is
 * always this call's. Its response is given to every repeat within 24 hours.
 *
 * Throws `idempotency_key_in_use` while the first call runs and
 * `idempotency_key_reused` for another request under the same key.
 */
export async function claimRequest<Result>(
  context: ServiceContext,
  caller: Caller,
  request: IdempotencyRequest<Result> | null,
): Promise<Claim<Result> | (Answer<Result> & { readonly kind: "repeated" })> {
  if (request === null) return WITHOUT_KEY;
  const now = context.now();
  const claim: IdempotencyClaim = {
    companyId: caller.companyId,
    key: request.key,
    fingerprint: request.fingerprint,
    attemptId: context.newId(),
    now,
    expiresBefore: oldestRecord(now),
    abandonedBefore: now - ABANDONED_AFTER,
  };
  const outcome = await claimIdempotencyKey(context.db, claim);
  switch (outcome.kind) {
    case "completed":
      return { kind: "repeated", response: outcome.response };
    case "reused":
      throw new Failure(
        "idempotency_key_reused",
        "`Idempotency-Key` was used with another request within 24 hours",
        { field: "Idempotency-Key" },
      );
    case "running":
      throw keyInUse();
    case "claimed":
      return claimed(context, claim, request);
  }
}

function claimed<Result>(
  context: ServiceContext,
  claim: IdempotencyClaim,
  request: IdempotencyRequest<Result>,
): Claim<Result> {
  return {
    kind: "claimed",
    async keep(trx, result, { textOfTenant, quotaExceededUntil }) {
      const response = { message: request.encode(result), quotaExceededUntil };
      const kept = await completeIdempotencyKey(trx, claim, response, textOfTenant);
      // Another attempt took the key over, because this one ran for too long.
      if (!kept) throw keyInUse();
    },
    async release() {
      try {
        await releaseIdempotencyKey(context.db, claim);
      } catch (err) {
        // It costs the caller a wait, not the answer.
        context.log.warn({ err }, "an idempotency key could not be released");
      }
    },
  };
}

function keyInUse(): Failure {
  return new Failure(
    "idempotency_key_in_use",
    "the first request with this `Idempotency-Key` is still running",
    { field: "Idempotency-Key", retryAfterSeconds: IN_USE_RETRY_AFTER_SECONDS },
  );
}

const HOUSEKEEPING_INTERVAL_MS = 60 * 60 * 1000;
/** One statement removes this many, so that it holds no lock for long. */
const DELETE_BATCH = 1_000;

/**
 * Removes records that have expired, once an hour, until the returned function is
 * called. Nothing depends on it but disk space: they count as gone already.
 */
export function startHousekeeping(context: ServiceContext): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = removeExpired(context).catch((err: unknown) =>
      context.log.warn({ err }, "expired idempotency keys could not be removed"),
    );
  }, HOUSEKEEPING_INTERVAL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function removeExpired(context: ServiceContext): Promise<void> {
  const expiresBefore = oldestRecord(context.now());
  let removed: number;
  do {
    removed = await deleteExpiredIdempotencyKeys(context.db, expiresBefore, DELETE_BATCH);
  } while (removed === DELETE_BATCH);
}

/** When a record that is just about to expire was made (D33). */
function oldestRecord(now: Instant): Instant {
  return now - BigInt(IDEMPOTENCY_HOURS) * HOUR;
}
