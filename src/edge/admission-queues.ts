import { FairSemaphore, type FairSemaphoreLimits } from "../concurrency/fair-semaphore.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import {
  MAX_BODY_VALUES,
  MAX_IMPORTED_HISTORY_BYTES,
  MAX_IMPORTED_HISTORY_VALUES,
  MAX_LARGE_RESPONSES,
  MAX_REQUESTS_IN_FLIGHT,
  MAX_REQUESTS_WITHOUT_ACCOUNT,
  MAX_TRANSFERS,
} from "../domain/limits.ts";

const KIB = 1024;
const MIB_IN_KIB = 1024;

/** What one process takes on at once, of all requests. An owner is an account or an address. */
export interface AdmissionLimits {
  /** Requests that begin in one turn of the event loop. Owners are addresses. */
  readonly begun: FairSemaphoreLimits;
  /** Requests of an address that belong to no account yet. */
  readonly withoutAccountPerAddress: number;
  /** The same of all addresses. Each request holds some kilobytes; the oldest one ends first. */
  readonly withoutAccount: number;
  /** Of an address, for calls that need no key; a sign-in takes several. */
  readonly publicPermitsPerAddress: number;
  /** Requests of an account, until their responses end. */
  readonly inFlightPerAccount: number;
  /** Of bodies parsed in one turn of the event loop: the costliest take some milliseconds. */
  readonly parsedBytesPerTurn: number;
  /** Memory for bodies and what is parsed of them, in KiB. Owners are accounts. */
  readonly bodyKib: FairSemaphoreLimits;
  /** Answers of some megabytes each. Owners are accounts. */
  readonly largeAnswers: FairSemaphoreLimits;
  /** Exports and imports. Owners are accounts. */
  readonly transfers: FairSemaphoreLimits;
}

export const ADMISSION_LIMITS: AdmissionLimits = {
  begun: {
    // Each turn accepts one connection, so later connections wait for what a turn does.
    concurrent: 16,
    concurrentPerOwner: 4,
    maxWaiting: 20_000,
    maxWaitingPerOwner: 5_000,
    waitMs: 30_000,
  },
  withoutAccountPerAddress: MAX_REQUESTS_WITHOUT_ACCOUNT,
  withoutAccount: 10_000,
  publicPermitsPerAddress: 32,
  inFlightPerAccount: MAX_REQUESTS_IN_FLIGHT,
  parsedBytesPerTurn: 64 * KIB,
  bodyKib: {
    concurrent: 256 * MIB_IN_KIB,
    concurrentPerOwner: 128 * MIB_IN_KIB,
    maxWaiting: 2_000,
    maxWaitingPerOwner: MAX_REQUESTS_IN_FLIGHT,
    waitMs: 10_000,
  },
  largeAnswers: {
    concurrent: 128,
    concurrentPerOwner: MAX_LARGE_RESPONSES,
    maxWaiting: 2_000,
    maxWaitingPerOwner: MAX_REQUESTS_IN_FLIGHT,
    waitMs: 10_000,
  },
  transfers: {
    concurrent: 64,
    concurrentPerOwner: MAX_TRANSFERS,
    maxWaiting: 500,
    maxWaitingPerOwner: MAX_TRANSFERS,
    waitMs: 10_000,
  },
};

/** To release what was acquired. A second call does nothing. */
export type Release = () => void;

const RETRY_AFTER_SECONDS = 5;

/** What requests wait for or are counted in, of all requests of a process. */
export class AdmissionQueues {
  readonly limits: AdmissionLimits;
  readonly begun: FairSemaphore;
  readonly withoutAccount: FairSemaphore;
  readonly publicCalls: FairSemaphore;
  readonly inFlight: FairSemaphore;
  readonly #bodyKib: FairSemaphore;
  readonly #largeAnswers: FairSemaphore;
  readonly #transfers: FairSemaphore;

  constructor(limits: AdmissionLimits) {
    this.limits = limits;
    this.begun = new FairSemaphore(limits.begun, "too many requests arrive at once");
    this.withoutAccount = FairSemaphore.counting(
      limits.withoutAccountPerAddress,
      `an address may have ${limits.withoutAccountPerAddress} requests at once that belong to no account, until their responses are read`,
    );
    this.publicCalls = FairSemaphore.counting(
      limits.publicPermitsPerAddress,
      `an address may have ${limits.publicPermitsPerAddress} calls open at once that need no key; a sign-in counts as several`,
    );
    this.inFlight = FairSemaphore.counting(
      limits.inFlightPerAccount,
      `an account may have ${limits.inFlightPerAccount} requests at once, until their responses are read`,
    );
    this.#bodyKib = new FairSemaphore(limits.bodyKib, "too many large requests are in progress");
    this.#largeAnswers = new FairSemaphore(
      limits.largeAnswers,
      "too many responses wait to be sent",
    );
    this.#transfers = new FairSemaphore(
      limits.transfers,
      "too many exports and imports are going on",
    );
  }

  /** Memory for a body, and for what is parsed of it. Rejects with `overloaded`. */
  body(owner: string, bytes: number, signal: AbortSignal): Promise<Release> {
    return this.#bodyKib.acquire(owner, signal, memoryOfBody(bytes));
  }

  /** Memory for the longest history of one memory of an import. Rejects with `overloaded`. */
  history(owner: string, signal: AbortSignal): Promise<Release> {
    return this.#bodyKib.acquire(owner, signal, HISTORY_KIB);
  }

  /** Rejects with `too_many_in_flight`, or `overloaded` where other accounts have too many. */
  async largeAnswer(companyId: CompanyId, signal: AbortSignal): Promise<Release> {
    const most = this.limits.largeAnswers.concurrentPerOwner;
    try {
      return await this.#largeAnswers.acquire(companyId, signal);
    } catch (error) {
      if (signal.aborted || this.#largeAnswers.heldBy(companyId) < most) throw error;
      const sentence = `${most} large responses were sent to this account and not read yet`;
      throw tooManyInFlight(sentence, error);
    }
  }

  /** Rejects with `too_many_in_flight`, or `overloaded` where other accounts have too many. */
  async transfer(companyId: CompanyId, signal: AbortSignal): Promise<Release> {
    const most = this.limits.transfers.concurrentPerOwner;
    if (this.#transfers.heldBy(companyId) >= most) {
      throw tooManyInFlight(`an account may have ${most} exports and imports at once`);
    }
    return this.#transfers.acquire(companyId, signal);
  }
}

function tooManyInFlight(sentence: string, cause?: unknown): Failure {
  return new Failure("too_many_in_flight", sentence, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** The shortest value of JSON takes so many bytes with what separates it from the next one. */
const MIN_BYTES_PER_VALUE = 2;
/** An empty object, with its place in a list. */
const HEAP_BYTES_PER_VALUE = 64;

const HISTORY_KIB =
  (MAX_IMPORTED_HISTORY_BYTES + MAX_IMPORTED_HISTORY_VALUES * HEAP_BYTES_PER_VALUE) / KIB;

/** How much memory a body may take with all that is parsed of it, in KiB. */
function memoryOfBody(bytes: number): number {
  const values = Math.min(bytes / MIN_BYTES_PER_VALUE, MAX_BODY_VALUES);
  return Math.ceil((bytes + values * HEAP_BYTES_PER_VALUE) / KIB);
}
