import { setTimeout as sleep } from "node:timers/promises";
import type { CompanyId } from "../domain/ids.ts";
import { type Instant, type Microseconds, SECOND } from "../domain/instant.ts";
import { IDEMPOTENCY_LEASE_SECONDS } from "../domain/limits.ts";
import {
  type IdempotencyClaim,
  releaseIdempotencyKey,
  renewIdempotencyKey,
} from "../storage/idempotency-keys.ts";
import type { ServiceDb } from "../storage/service-db.ts";

export const IDEMPOTENCY_LEASE: Microseconds = BigInt(IDEMPOTENCY_LEASE_SECONDS) * SECOND;

/** A third of the lease, so that one renewal may fail. */
const RENEW_INTERVAL_MS = (IDEMPOTENCY_LEASE_SECONDS * 1_000) / 3;
const RELEASE_RETRY_MS = 1_000;
/** What is beyond is left to the lease. */
const MAX_LATE_RELEASES = 1_000;

interface LeaseContext {
  readonly db: ServiceDb;
  now(): Instant;
  readonly log: { warn(fields: object, message: string): void };
}

interface LeaseOptions {
  /** How often a call that runs says so. */
  readonly renewIntervalMs?: number;
  /** The wait between two attempts to give a key back. */
  readonly releaseRetryMs?: number;
}

/**
 * The idempotency keys that calls of this process hold (D33): renews their leases while
 * the calls run, and gives back the keys of those that failed, also when the database
 * cannot be reached at that moment.
 */
export class IdempotencyLeases {
  readonly #context: LeaseContext;
  readonly #renewIntervalMs: number;
  readonly #releaseRetryMs: number;
  /** By attempt, with the timer that renews it. */
  readonly #running = new Map<IdempotencyClaim, NodeJS.Timeout>();
  /** Failed attempts whose keys are still to be given back, and when their leases have ended. */
  readonly #late = new Map<IdempotencyClaim, Instant>();
  #releasing: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(
    context: LeaseContext,
    { renewIntervalMs = RENEW_INTERVAL_MS, releaseRetryMs = RELEASE_RETRY_MS }: LeaseOptions = {},
  ) {
    this.#context = context;
    this.#renewIntervalMs = renewIntervalMs;
    this.#releaseRetryMs = releaseRetryMs;
  }

  /** Renews the lease of a claim until what is returned is disposed. */
  hold(claim: IdempotencyClaim): Disposable {
    const timer = setInterval(() => void this.#renew(claim), this.#renewIntervalMs);
    this.#running.set(claim, timer);
    return { [Symbol.dispose]: () => this.#end(claim) };
  }

  /**
   * Whether a call of this process runs under the key. It does not lose it to another
   * call here, even when the process was stopped, or its clock moved, for longer than
   * the lease.
   */
  isHeld(companyId: CompanyId, key: string): boolean {
    return this.#running.keys().some(isOf(companyId, key));
  }

  /** Gives back the key of a call that failed: at once or, where that fails, in the background. */
  async release(claim: IdempotencyClaim): Promise<void> {
    try {
      await releaseIdempotencyKey(this.#context.db.forCall(claim.companyId), claim);
    } catch (err) {
      this.#context.log.warn({ err }, "an idempotency key could not be released yet");
      this.releaseLater(claim);
    }
  }

  /** Gives back a key in the background, as soon as the database can be reached. */
  releaseLater(claim: IdempotencyClaim): void {
    if (this.#late.size >= MAX_LATE_RELEASES) return;
    this.#late.set(claim, this.#context.now() + IDEMPOTENCY_LEASE);
    this.#releasing ??= this.#releaseLate();
  }

  /** Gives back the key, where a call of this process that has failed still holds it. */
  async settle(companyId: CompanyId, key: string): Promise<void> {
    for (const claim of this.#late.keys().filter(isOf(companyId, key))) {
      await releaseIdempotencyKey(this.#context.db.forCall(claim.companyId), claim);
      this.#late.delete(claim);
    }
  }

  /** Leaves all keys to their leases. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const claim of this.#running.keys()) this.#end(claim);
    await this.#releasing;
  }

  async #renew(claim: IdempotencyClaim): Promise<void> {
    try {
      const isOurs = await renewIdempotencyKey(
        this.#context.db.forCall(claim.companyId),
        claim,
        this.#context.now(),
      );
      // It was taken over, or is about to be done: what it keeps is decided by `keep`.
      if (!isOurs) clearInterval(this.#running.get(claim));
    } catch (err) {
      this.#context.log.warn({ err }, "the lease of an idempotency key could not be renewed");
    }
  }

  #end(claim: IdempotencyClaim): void {
    clearInterval(this.#running.get(claim));
    this.#running.delete(claim);
  }

  /** One after the other: when the database is back, others need it too. */
  async #releaseLate(): Promise<void> {
    const context = this.#context;
    const { signal } = this.#closing;
    while (this.#late.size > 0 && !signal.aborted) {
      await sleep(this.#releaseRetryMs, undefined, { signal }).catch(() => {});
      for (const [claim, leaseEnd] of this.#late) {
        if (signal.aborted) break;
        try {
          if (context.now() <= leaseEnd)
            await releaseIdempotencyKey(context.db.forCall(claim.companyId), claim);
          this.#late.delete(claim);
        } catch {
          break;
        }
      }
    }
    this.#releasing = undefined;
  }
}

function isOf(companyId: CompanyId, key: string) {
  return (claim: IdempotencyClaim) => claim.companyId === companyId && claim.key === key;
}
