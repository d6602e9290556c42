import { Failure } from "../domain/failure.ts";
import { formatInstant, HOUR, type Instant, MINUTE, parseInstant } from "../domain/instant.ts";
import { IDEMPOTENCY_HOURS } from "../domain/limits.ts";
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  type IdempotencyClaim,
  releaseIdempotencyKey,
} from "../storage/idempotency-keys.ts";
import type { Executor } from "../storage/schema.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** A request that the caller may repeat without repeating its effect (D33). */
export interface IdempotencyRequest {
  readonly key: string;
  /** SHA-256 of the operation and its request. */
  readonly fingerprint: Uint8Array;
}

/** Keeps a result in the transaction that does the work, so that both commit or neither does. */
export type KeepResult<T> = (
  trx: Executor,
  result: T,
  /** undefined: the result holds no text of a memory. */
  tenantId: string | null | undefined,
) => Promise<void>;

/** Longer than any request may run: a claim this old belongs to a process that died. */
const ABANDONED_AFTER = 5n * MINUTE;
const IN_USE_RETRY_AFTER_SECONDS = 1;

/** When a record that is just about to expire was made (D33). */
export function oldestIdempotencyRecord(now: Instant): Instant {
  return now - BigInt(IDEMPOTENCY_HOURS) * HOUR;
}

/**
 * Runs `work` once for an idempotency key and gives its result to every repeat
 * within 24 hours. `work` must call `keep` in its transaction. A failure keeps
 * nothing and frees the key.
 *
 * Throws `idempotency_key_in_use` while the first call runs and
 * `idempotency_key_reused` for another request under the same key.
 */
export async function once<T>(
  context: ServiceContext,
  caller: Caller,
  request: IdempotencyRequest | null,
  work: (keep: KeepResult<T>) => Promise<T>,
): Promise<T> {
  if (request === null) return work(async () => {});
  const now = context.now();
  const claim: IdempotencyClaim = {
    companyId: caller.companyId,
    key: request.key,
    fingerprint: request.fingerprint,
    attemptId: context.newId(),
    now,
    expiresBefore: oldestIdempotencyRecord(now),
    abandonedBefore: now - ABANDONED_AFTER,
  };
  const outcome = await claimIdempotencyKey(context.db, claim);
  switch (outcome.kind) {
    case "completed":
      return decodeResult<T>(outcome.response);
    case "reused":
      throw new Failure(
        "idempotency_key_reused",
        "`Idempotency-Key` was used with another request within 24 hours",
        { field: "Idempotency-Key" },
      );
    case "running":
      throw keyInUse();
    case "claimed":
      return runClaimed(context, claim, work);
  }
}

async function runClaimed<T>(
  context: ServiceContext,
  claim: IdempotencyClaim,
  work: (keep: KeepResult<T>) => Promise<T>,
): Promise<T> {
  try {
    return await work(async (trx, result, tenantId) => {
      const kept = await completeIdempotencyKey(trx, claim, encodeResult(result), tenantId);
      // Another attempt took the key over, because this one ran for too long.
      if (!kept) throw keyInUse();
    });
  } catch (error) {
    // A failed release costs the caller a wait, not the answer.
    await releaseIdempotencyKey(context.db, claim).catch((err: unknown) =>
      context.log.warn({ err }, "an idempotency key could not be released"),
    );
    throw error;
  }
}

function keyInUse(): Failure {
  return new Failure(
    "idempotency_key_in_use",
    "the first request with this `Idempotency-Key` is still running",
    { field: "Idempotency-Key", retryAfterSeconds: IN_USE_RETRY_AFTER_SECONDS },
  );
}

/** JSON has no bigint; an Instant is kept as an object of its own. */
function encodeResult(result: unknown): string {
  return JSON.stringify(result, (_, value: unknown) =>
    typeof value === "bigint" ? { $instant: formatInstant(value) } : value,
  );
}

function decodeResult<T>(text: string): T {
  return JSON.parse(text, (_, value: { $instant?: string } | null) =>
    typeof value?.$instant === "string" ? parseInstant(value.$instant) : value,
  );
}
