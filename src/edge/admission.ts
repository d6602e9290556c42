import {
  bodyHooksOf,
  breakOff,
  isAbandoned,
  isEncrypted,
  isHttp2,
  type NodeRequest,
  type NodeResponse,
} from "@agent-memory/transcoding/node-http";
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextKey,
  createContextValues,
} from "@connectrpc/connect";
import { FairSemaphore, type QueueState } from "../concurrency/fair-semaphore.ts";
import type { LoopTurns } from "../concurrency/loop-turns.ts";
import { checkNotSuspended } from "../domain/account.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import {
  MAX_BODY_BYTES,
  MAX_BODY_VALUES,
  MAX_IMPORTED_HISTORY_BYTES,
  MAX_IMPORTED_HISTORY_VALUES,
  MAX_LARGE_RESPONSES,
  MAX_REQUESTS_IN_FLIGHT,
  MAX_REQUESTS_WITHOUT_ACCOUNT,
  MAX_TRANSFERS,
} from "../domain/limits.ts";
import type { KnownCaller } from "../service/context.ts";
import { toHttpError } from "./error-mapping.ts";
import { type Exchange, sendRefusal } from "./http/answers.ts";
import { remoteAddressOf } from "./http/connections.ts";
import { createRequestRate, type RateLimiter, type RequestRate } from "./rate-limit.ts";

const KIB = 1024;

/** The limits of one process, for all requests together. An owner is an account or an address. */
export const ADMISSION_LIMITS = {
  /** Requests that begin in one turn of the event loop. Owners are accounts, else addresses. */
  begun: {
    // Each turn accepts one connection, so later connections wait for what a turn does.
    concurrent: 16,
    concurrentPerOwner: 4,
    maxWaiting: 20_000,
    maxWaitingPerOwner: 5_000,
    waitMs: 30_000,
  },
  /** Requests of an address that belong to no account yet. */
  withoutAccountPerAddress: MAX_REQUESTS_WITHOUT_ACCOUNT,
  /** The same of all addresses. Each request holds some kilobytes; the oldest one ends first. */
  withoutAccount: 10_000,
  /** Permits of an address for calls that need no key. A sign-in takes several. */
  publicPermitsPerAddress: 32,
  /** Requests of an account, until their responses end. */
  inFlightPerAccount: MAX_REQUESTS_IN_FLIGHT,
  /** Bytes of bodies parsed in one turn of the event loop. The costliest take some milliseconds. */
  parsedBytesPerTurn: 64 * KIB,
  /** Memory for bodies and what is parsed of them, in KiB. Owners are accounts. */
  bodyKib: {
    concurrent: 256 * KIB,
    concurrentPerOwner: 128 * KIB,
    maxWaiting: 2_000,
    maxWaitingPerOwner: MAX_REQUESTS_IN_FLIGHT,
    waitMs: 10_000,
  },
  /** Answers of some megabytes each. Owners are accounts. */
  largeAnswers: {
    concurrent: 128,
    concurrentPerOwner: MAX_LARGE_RESPONSES,
    maxWaiting: 2_000,
    maxWaitingPerOwner: MAX_REQUESTS_IN_FLIGHT,
    waitMs: 10_000,
  },
  /** Exports and imports. Owners are accounts. */
  transfers: {
    concurrent: 64,
    concurrentPerOwner: MAX_TRANSFERS,
    maxWaiting: 500,
    maxWaitingPerOwner: MAX_TRANSFERS,
    waitMs: 10_000,
  },
};
export type AdmissionLimits = Readonly<typeof ADMISSION_LIMITS>;

export interface AdmissionOptions {
  /** null: every key may ask as often as it likes. */
  readonly rateLimiter: RateLimiter | null;
  /** Shares out the event loop, also with other work of the process. */
  readonly loopTurns: LoopTurns;
  /** Whether a proxy before the service says who its clients are. */
  readonly trustProxy: boolean;
  /** The account whose key a request has, where this process knows it without a look-up. */
  readonly knownAccountOf: (request: NodeRequest) => CompanyId | null;
  readonly limits?: Partial<AdmissionLimits>;
}

/** Releases what was acquired. A second call does nothing. */
export type Release = () => void;

/** Bounds what a process does at once for all requests. One for each process. */
export class AdmissionControl {
  readonly options: AdmissionOptions;
  readonly limits: AdmissionLimits;
  readonly publicCalls: FairSemaphore;
  readonly inFlight: FairSemaphore;
  readonly bodyKib: FairSemaphore;
  readonly largeAnswers: FairSemaphore;
  readonly transfers: FairSemaphore;
  readonly #begun: FairSemaphore;
  readonly #perAddress: FairSemaphore;
  /** Requests that belong to no account. The one that began first is first. */
  readonly #withoutAccount = new Set<Admission>();

  constructor(options: AdmissionOptions) {
    this.options = options;
    const limits = { ...ADMISSION_LIMITS, ...options.limits };
    this.limits = limits;
    const { withoutAccountPerAddress, publicPermitsPerAddress, inFlightPerAccount } = limits;
    this.#begun = new FairSemaphore(limits.begun, "too many requests arrive at once");
    this.#perAddress = FairSemaphore.counting(
      withoutAccountPerAddress,
      `an address may have ${withoutAccountPerAddress} requests at once that belong to no account, until their responses are read`,
    );
    this.publicCalls = FairSemaphore.counting(
      publicPermitsPerAddress,
      `an address may have ${publicPermitsPerAddress} calls open at once that need no key; a sign-in counts as several`,
    );
    this.inFlight = FairSemaphore.counting(
      inFlightPerAccount,
      `an account may have ${inFlightPerAccount} requests at once, until their responses are read`,
    );
    const { bodyKib, largeAnswers, transfers } = limits;
    this.bodyKib = new FairSemaphore(bodyKib, "too many large requests are in progress");
    this.largeAnswers = new FairSemaphore(largeAnswers, "too many responses wait to be sent");
    this.transfers = new FairSemaphore(transfers, "too many exports and imports are going on");
  }

  /** The requests that wait to begin, for the operator. */
  get queue(): QueueState {
    return this.#begun.state;
  }

  /**
   * Begins a request, a few in each turn of the event loop, so that it turns soon. An account with
   * a known key does not wait for strangers at its address. null: it is answered, or its client has
   * left.
   */
  async begin(request: NodeRequest, response: NodeResponse): Promise<Admission | null> {
    const address = remoteAddressOf(request, this.options.trustProxy);
    const account = this.options.knownAccountOf(request);
    try {
      const endTurn = await this.#begun.acquire(account ? `account ${account}` : address);
      if (isAbandoned(request, response)) {
        endTurn();
        return null;
      }
      setImmediate(endTurn);
      const admission = new Admission(this, { request, response }, address);
      this.#countForAddress(admission, account);
      return admission;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { status, body, headers } = toHttpError(error);
      sendRefusal(response, status, body, headers);
      // What is open on the connection ends; what comes next takes another one.
      if (isHttp2(request)) request.stream.session?.close();
      return null;
    }
  }

  /**
   * Counts a request for its address; where that is full, for the account whose key is known.
   * So requests without an account at an address do not shut out the accounts that call from there.
   */
  #countForAddress(admission: Admission, account: CompanyId | null): void {
    const { address } = admission;
    let release: Release;
    try {
      release = this.#perAddress.acquireNow(`address ${address}`);
    } catch (error) {
      if (account === null) throw error;
      release = this.#perAddress.acquireNow(`account ${account}`);
    }
    this.#withoutAccount.add(admission);
    admission.releaseAddress = () => {
      release();
      this.#withoutAccount.delete(admission);
    };
    admission.hold(admission.releaseAddress);
    const [oldest] = this.#withoutAccount;
    if (oldest !== undefined && this.#withoutAccount.size > this.limits.withoutAccount) {
      oldest.releaseAddress();
      breakOff(oldest.response);
    }
  }
}

/** A longer body reserves its memory before its end has come. */
const SMALL_BODY_BYTES = 64 * KIB;

/** Ends the work for a request. Made once, since its stack costs as much as a refusal. */
export const CLIENT_LEFT = new ConnectError("the client went away", Code.Canceled);

/**
 * One request, and all that it takes of the process. It begins for an address; `known` says
 * whose it is; its bodies wait to be parsed, its large answers to be made. All that it holds
 * is free again when its response ends, read or broken off.
 */
export class Admission {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  /** The remote address, or its network where it is one of IPv6. */
  readonly address: string;
  /** Whether it came over TLS, to the service or to the proxy before it. */
  readonly isSecure: boolean;
  /** The caller that a key or a session let in. Null: there is none yet. */
  caller: KnownCaller | null = null;
  /** The address no longer answers for the request. */
  releaseAddress: Release = () => {};
  readonly #control: AdmissionControl;
  readonly #held: Release[] = [];
  readonly #over = new AbortController();
  /** Aborted when the response has ended, mostly because the client left. */
  readonly signal = this.#over.signal;
  /** Resolves when the response has ended, read or broken off. */
  readonly ended: Promise<void>;
  #rate: RequestRate | null = null;
  #unpackedBytes = 0;
  readonly #reserved = { body: false, history: false };

  constructor(control: AdmissionControl, { request, response }: Exchange, address: string) {
    this.#control = control;
    this.request = request;
    this.response = response;
    this.address = address;
    // The service redirects what a proxy received over plain HTTP.
    this.isSecure = control.options.trustProxy || isEncrypted(request);
    this.ended = new Promise((resolve) => response.once("close", () => resolve(this.#end())));
    bodyHooksOf(request).beforeParsing = (bytes) => this.#parse(bytes);
    bodyHooksOf(request).onRead = (bytes) => this.#read(bytes);
    admissions.set(request, this);
  }

  /** Has the request hold something until it ends. */
  hold(release: Release): void {
    if (this.signal.aborted) release();
    else this.#held.push(release);
  }

  /** Counts a call that needs no key. Throws `too_many_in_flight`. */
  countPublic(permits = 1): void {
    this.hold(this.#control.publicCalls.acquireNow(this.address, permits));
  }

  /**
   * The owner of the key or the session is known: from now on the account answers for the
   * request. One that `isFree` is not counted among those in progress, and what is not
   * `isRated` takes nothing of the account's rate.
   *
   * Rejects with `rate_limited`, `too_many_in_flight` or `account_suspended`, in this order.
   */
  async known(caller: KnownCaller, isFree: boolean, isRated = true): Promise<void> {
    this.caller = caller;
    const { rateLimiter } = this.#control.options;
    if (rateLimiter !== null && isRated) {
      this.#rate = createRequestRate(rateLimiter, caller, this.response);
      await this.#rate.admit();
    }
    if (!isFree) {
      this.hold(this.#control.inFlight.acquireNow(caller.companyId));
      this.releaseAddress();
    }
    checkNotSuspended(caller.account);
  }

  /**
   * Waits until the account may have another export or import. Rejects with `too_many_in_flight`, or
   * with `overloaded` where other accounts have too many.
   */
  async transfer(signal: AbortSignal): Promise<void> {
    const { limits, transfers } = this.#control;
    const most = limits.transfers.concurrentPerOwner;
    if (transfers.heldBy(this.#owner) >= most) {
      throw tooManyInFlight(`an account may have ${most} exports and imports at once`);
    }
    this.hold(await transfers.acquire(this.#owner, signal));
  }

  /**
   * Waits until the account may be sent another large answer. The caller calls the returned
   * function when the answer is sent, or gives it to `hold`. Rejects as `transfer`.
   */
  async largeAnswer(signal: AbortSignal): Promise<Release> {
    const { limits, largeAnswers } = this.#control;
    const most = limits.largeAnswers.concurrentPerOwner;
    try {
      return await largeAnswers.acquire(this.#owner, signal);
    } catch (error) {
      if (signal.aborted || largeAnswers.heldBy(this.#owner) < most) throw error;
      const sentence = `${most} large responses were sent to this account and not read yet`;
      throw tooManyInFlight(sentence, error);
    }
  }

  /** Reserves memory, once, for an import's longest history. Rejects with `overloaded`. */
  reserveHistory(): Promise<void> {
    return this.#reserve("history", HISTORY_KIB);
  }

  /** The answer has so many more rows, which may cost more than the request did. */
  chargeRows(count: number): void {
    this.#rate?.rows(count);
  }

  /** The body has so many bytes by now. A long one has its memory reserved before it goes on. */
  async #read(bytes: number): Promise<void> {
    this.#rate?.body(bytes);
    if (bytes > SMALL_BODY_BYTES) await this.#reserve("body", memoryOfBody(MAX_BODY_BYTES));
  }

  /** A message of so many bytes is whole and unpacked. It is parsed when there is room for it. */
  async #parse(bytes: number): Promise<void> {
    this.#unpackedBytes += bytes;
    this.#rate?.body(this.#unpackedBytes);
    await this.#reserve("body", memoryOfBody(bytes));
    const { options, limits } = this.#control;
    const share = bytes / limits.parsedBytesPerTurn;
    await options.loopTurns.next(this.#owner, this.signal, share);
  }

  /** Reserves once, so that no two requests hold memory and wait for that of the other. */
  async #reserve(what: "body" | "history", kib: number): Promise<void> {
    if (this.#reserved[what]) return;
    this.#reserved[what] = true;
    this.hold(await this.#control.bodyKib.acquire(this.#owner, this.signal, kib));
  }

  get #owner(): string {
    return this.caller?.companyId ?? this.address;
  }

  #end(): void {
    this.#over.abort(CLIENT_LEFT);
    for (const release of this.#held) release();
  }
}

const admissions = new WeakMap<NodeRequest, Admission>();
const admissionKey = createContextKey<Admission | null>(null, { description: "the admission" });

/** The values that every call of an admitted request starts with. */
export function contextValuesOf(request: NodeRequest): ContextValues {
  return createContextValues().set(admissionKey, admissions.get(request) ?? null);
}

/** The admission of the request that a call came by. */
export function admissionOf(values: ContextValues): Admission {
  const admission = values.get(admissionKey);
  if (admission === null) throw new Error("a call was not admitted");
  return admission;
}

const RETRY_AFTER_SECONDS = 5;

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
