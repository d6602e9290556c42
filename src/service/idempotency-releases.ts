import { setTimeout as sleep } from "node:timers/promises";
import { type Instant, type Microseconds, SECOND } from "../domain/instant.ts";
import { IDEMPOTENCY_LEASE_SECONDS } from "../domain/limits.ts";
import { type IdempotencyClaim, releaseIdempotencyKey } from "../storage/idempotency-keys.ts";
import type { ServiceDb } from "../storage/service-db.ts";

export const IDEMPOTENCY_LEASE: Microseconds = BigInt(IDEMPOTENCY_LEASE_SECONDS) * SECOND;

const RETRY_MS = 250;
/** The lease ends the claims of more failed requests than these. */
const MAX_WAITING_CLAIMS = 1_000;

interface ReleaseContext {
  readonly db: ServiceDb;
  now(): Instant;
  readonly log: { warn(fields: object, message: string): void };
}

/** Releases the idempotency keys of requests that failed, also after an outage of the database (D33). */
export class IdempotencyReleases {
  readonly #context: ReleaseContext;
  /** Claims that the database could not be asked to release. */
  readonly #waiting = new Set<IdempotencyClaim>();
  readonly #closing = new AbortController();
  #retries: Promise<void> | undefined;

  constructor(context: ReleaseContext) {
    this.#context = context;
  }

  /** Releases a key at once or, where that fails, in the background. Never rejects. */
  async release(claim: IdempotencyClaim): Promise<void> {
    try {
      await releaseIdempotencyKey(this.#context.db.forCall(claim.companyId), claim);
    } catch (err) {
      this.#context.log.warn({ err }, "an idempotency key could not be released yet");
      this.releaseLater(claim);
    }
  }

  /** Releases a key in the background, as soon as the database answers. */
  releaseLater(claim: IdempotencyClaim): void {
    if (this.#waiting.size >= MAX_WAITING_CLAIMS) return;
    this.#waiting.add(claim);
    this.#retries ??= this.#retry();
  }

  /** Leaves the keys that are still waiting to their leases. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#retries;
  }

  /** Releases one key after the other: others need the database as well when it is back. */
  async #retry(): Promise<void> {
    const context = this.#context;
    const { signal } = this.#closing;
    while (this.#waiting.size > 0 && !signal.aborted) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      for (const claim of this.#waiting) {
        if (signal.aborted) break;
        const isLeased = context.now() <= claim.now + IDEMPOTENCY_LEASE;
        try {
          if (isLeased) await releaseIdempotencyKey(context.db.forCall(claim.companyId), claim);
          this.#waiting.delete(claim);
        } catch {
          break;
        }
      }
    }
    this.#retries = undefined;
  }
}
