import { setTimeout as sleep } from "node:timers/promises";
import { runEvery } from "../concurrency/bounds.ts";
import { secondsUntil } from "../domain/account.ts";
import { Failure, type FailureReason } from "../domain/failure.ts";
import { earlier, HOUR, type Instant, type Microseconds, SECOND } from "../domain/instant.ts";
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_LEASE_SECONDS } from "../domain/limits.ts";
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  deleteExpiredIdempotencyKeys,
  type IdempotencyClaim,
  type KeptResponse,
  type ResponseToStore,
  releaseIdempotencyKey,
  type TextOf,
} from "../storage/idempotency-keys.ts";
import type { AccountDb, AccountTrx } from "../storage/schema.ts";
import type { Caller, ServiceContext } from "./context.ts";

export const IDEMPOTENCY_LEASE: Microseconds = BigInt(IDEMPOTENCY_LEASE_SECONDS) * SECOND;

/** A request that the caller may repeat without repeating its effect (D33). */
export interface IdempotencyRequest<Result> extends Pick<IdempotencyClaim, "key" | "fingerprint"> {
  /** The response message in protobuf, which is what a repeat is answered with. */
  encode(result: Result): Uint8Array;
}

/** The answer to a request: its result, or the response that its first call got. */
export type Answer<Result> =
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "repeated"; readonly response: KeptResponse };

/** A request that is this call's to do. Another call with its key may take it over once the lease has ended. */
export interface Claim<Result> {
  /** The record for the statement that does the work; null: the request has no key. */
  kept(result: Result, about: KeptAbout): ResponseToStore | null;
  /**
   * Keeps the response in the transaction that does the work, so that both commit or
   * neither does. Throws `idempotency_key_in_use`, which takes the work back, when
   * another call has taken the key over.
   */
  keep(trx: AccountTrx, result: Result, about: KeptAbout): Promise<void>;
}

/** What is stored besides the response. */
export interface KeptAbout extends Pick<KeptResponse, "quotaExceededUntil"> {
  /** Whose text the response holds; null: it holds none, and outlives an erasure. */
  readonly textOf: TextOf | null;
}

const WITHOUT_KEY: Claim<unknown> = { kept: () => null, keep: async () => {} };

/**
 * Does the work of a request, unless a call with the same key did it within 24 hours: then
 * that call's response is the answer. After a failure, the next call with the key does the
 * work. null: the request has no key, and its work is always done.
 *
 * Throws `idempotency_key_in_use` while another call with the key runs,
 * `idempotency_key_reused` for another request under the same key,
 * `idempotency_key_erased` when the first response was deleted, and what `work` throws.
 */
export async function answerOnce<Result>(
  context: ServiceContext,
  caller: Caller,
  request: IdempotencyRequest<Result> | null,
  work: (claim: Claim<Result>) => Promise<Result>,
): Promise<Answer<Result>> {
  if (request === null) return { kind: "result", result: await work(WITHOUT_KEY) };
  const { key, fingerprint } = request;
  const now = context.now();
  const claim: IdempotencyClaim = {
    ...{ companyId: caller.companyId, key, fingerprint, attemptId: context.newId(), now },
    expiresBefore: oldestRecord(now),
    leasedSince: now - IDEMPOTENCY_LEASE,
  };
  const response = await claimKey(context, caller.db, claim);
  if (response !== null) return { kind: "repeated", response };

  const kept = (result: Result, { textOf, quotaExceededUntil }: KeptAbout): ResponseToStore => {
    return { claim, response: { message: request.encode(result), quotaExceededUntil }, textOf };
  };
  async function keep(trx: AccountTrx, result: Result, about: KeptAbout): Promise<void> {
    const isOurs = await completeIdempotencyKey(trx, kept(result, about));
    // This call ran for longer than its lease, and another one took the key over.
    if (!isOurs) throw keyInUse(context.now(), context.now());
  }
  try {
    return { kind: "result", result: await work({ kept, keep }) };
  } catch (error) {
    await context.idempotencyReleases.release(claim);
    throw error;
  }
}

/** null: the request is this call's to do; else what the first call answered. */
async function claimKey(
  { idempotencyReleases }: ServiceContext,
  db: AccountDb,
  claim: IdempotencyClaim,
): Promise<KeptResponse | null> {
  const outcome = await claimIdempotencyKey(db, claim).catch((error: unknown) => {
    // The key may have been claimed all the same, by a statement whose answer was lost or that nobody
    // waited for.
    if (!(error instanceof Failure) || error.reason === "storage_unavailable") {
      idempotencyReleases.releaseLater(claim);
    }
    throw error;
  });
  switch (outcome.kind) {
    case "claimed":
      return null;
    case "completed":
      return outcome.response;
    case "running":
      throw keyInUse(outcome.since, claim.now);
    case "reused": {
      const sentence = "`Idempotency-Key` was used with another request within 24 hours";
      throw keyFailure("idempotency_key_reused", sentence);
    }
    case "erased": {
      const done = "the first request with this `Idempotency-Key` was done, and its response";
      const sentence = `${done} was deleted with memories since; use another key to write again`;
      throw keyFailure("idempotency_key_erased", sentence);
    }
  }
}

/** `since`: when the running call claimed the key. */
function keyInUse(since: Instant, now: Instant): Failure {
  const sentence = "the first request with this `Idempotency-Key` is still running";
  // As long as it has run already: who waits asks seldom, and not long after the end.
  const age = now - earlier(since, now);
  const waitSeconds = secondsUntil(now + earlier(age, IDEMPOTENCY_LEASE - age), now);
  return keyFailure("idempotency_key_in_use", sentence, waitSeconds);
}

function keyFailure(reason: FailureReason, message: string, retryAfterSeconds?: number): Failure {
  return new Failure(reason, message, { field: "Idempotency-Key", retryAfterSeconds });
}

const RETRY_MS = 250;
/** The lease ends the claims of more failed requests than these. */
const MAX_WAITING_CLAIMS = 1_000;

/** Releases the idempotency keys of requests that failed, also after an outage of the database (D33). */
export function createIdempotencyReleases({
  db,
  now,
  log,
}: Pick<ServiceContext, "db" | "now" | "log">) {
  /** Claims that the database could not be asked to release. */
  const waiting = new Set<IdempotencyClaim>();
  const closing = new AbortController();
  let retries: Promise<void> | undefined;
  const tryToRelease = (claim: IdempotencyClaim) =>
    releaseIdempotencyKey(db.forCall(claim.companyId), claim);
  const wait = () => sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});

  /** Releases one key after the other: others need the database as well when it is back. */
  async function retry(): Promise<void> {
    await wait();
    for (const claim of waiting) {
      while (!closing.signal.aborted && now() <= claim.now + IDEMPOTENCY_LEASE) {
        const release = tryToRelease(claim).then(() => true);
        if (await release.catch(() => false)) break;
        await wait();
      }
      waiting.delete(claim);
    }
    retries = undefined;
  }

  function releaseLater(claim: IdempotencyClaim): void {
    if (waiting.size >= MAX_WAITING_CLAIMS) return;
    waiting.add(claim);
    retries ??= retry();
  }

  return {
    releaseLater,
    async release(claim: IdempotencyClaim): Promise<void> {
      try {
        await tryToRelease(claim);
      } catch (err) {
        log.warn({ err }, "an idempotency key could not be released yet");
        releaseLater(claim);
      }
    },
    /** Leaves the keys that are still waiting to their leases. */
    async close(): Promise<void> {
      closing.abort();
      await retries;
    },
  };
}

const HOUSEKEEPING_INTERVAL_MS = 60 * 60 * 1000;
/** One statement removes this many, so that it holds no lock for long. */
const DELETE_BATCH = 1_000;

/** Removes expired records once an hour, for the disk alone, until it is stopped. */
export function startHousekeeping(context: ServiceContext): () => Promise<void> {
  return runEvery(HOUSEKEEPING_INTERVAL_MS, () =>
    removeExpired(context).catch((err: unknown) =>
      context.log.warn({ err }, "expired idempotency keys could not be removed"),
    ),
  );
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
