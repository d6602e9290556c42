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
import { FairSemaphore, type QueueState, type Release } from "../concurrency/fair-semaphore.ts";
import type { LoopTurns } from "../concurrency/loop-turns.ts";
import { checkNotSuspended } from "../domain/account.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import {
  LONG_BODY_SECONDS,
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
import { type Exchange, sendAtOnce } from "./http/answers.ts";
import { remoteAddressOf } from "./http/connections.ts";
import { createRequestRate, type RateLimiter, type RequestRate } from "./rate-limit.ts";

const KIB = 1024;
const QUEUE = { maxWaiting: 2_000, maxWaitingPerOwner: MAX_REQUESTS_IN_FLIGHT, waitMs: 10_000 };

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
  /** Memory for bodies and what is parsed of them, in KiB; none waits for that of another kind. */
  memoryKib: {
    /** Bodies of more than 64 KiB, while they arrive. */
    arriving: { ...QUEUE, concurrent: 32 * KIB, concurrentPerOwner: 4 * KIB },
    /** Messages of up to 64 KiB. */
    small: { ...QUEUE, concurrent: 32 * KIB, concurrentPerOwner: 4 * KIB },
    large: { ...QUEUE, concurrent: 96 * KIB, concurrentPerOwner: 12 * KIB },
    /** Histories of imports, one of each account. */
    history: { ...QUEUE, concurrent: 96 * KIB, concurrentPerOwner: 48 * KIB },
  },
  /** Answers of some megabytes each. Owners are accounts. */
  largeAnswers: { ...QUEUE, concurrent: 128, concurrentPerOwner: MAX_LARGE_RESPONSES },
  /** Exports and imports. Owners are accounts. */
  transfers: { ...QUEUE, concurrent: 64, concurrentPerOwner: MAX_TRANSFERS },
};
export type AdmissionLimits = Readonly<typeof ADMISSION_LIMITS>;
type MemoryKind = keyof AdmissionLimits["memoryKib"];

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

/** Bounds what a process does at once for all requests. One for each process. */
export class AdmissionControl {
  readonly options: AdmissionOptions;
  readonly limits: AdmissionLimits;
  readonly publicCalls: FairSemaphore;
  readonly inFlight: FairSemaphore;
  readonly memoryKib: Readonly<Record<MemoryKind, FairSemaphore>>;
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
    const { memoryKib, largeAnswers, transfers } = limits;
    const ofMemory = (kind: MemoryKind) =>
      new FairSemaphore(memoryKib[kind], "too many large requests are in progress");
    const [arriving, small] = [ofMemory("arriving"), ofMemory("small")];
    this.memoryKib = { arriving, small, large: ofMemory("large"), history: ofMemory("history") };
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
      this.count(admission, account);
      return admission;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { status, body, headers } = toHttpError(error);
      sendAtOnce(response, status, body, headers);
      // What is open on the connection ends; what comes next takes another one.
      if (isHttp2(request)) request.stream.session?.close();
      return null;
    }
  }

  /** Counts a request that is not in progress: for its account where that is known, or its address. */
  count(admission: Admission, account: CompanyId | null): void {
    const owner = account === null ? `address ${admission.address}` : `account ${account}`;
    admission.releaseAddress();
    const release = this.#perAddress.acquireNow(owner);
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

/** A longer body reserves memory before its end has come; a longer message waits for others. */
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
  /** Release the memory of a long body that arrives, and of the message that was parsed last. */
  readonly #memory: { arriving?: Release; message?: Release } = {};
  #isCounted = false;
  #history: Promise<void> | null = null;

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
    this.#control.count(this, caller.companyId);
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
    this.#history ??= this.#reserve("history", HISTORY_KIB).then((release) => this.hold(release));
    return this.#history;
  }

  /** The one message was parsed, maybe into another, and holds so many values: mostly few. */
  parsed(values: number): void {
    if (!this.#isCounted) this.#memory.message?.(memoryOfBody(this.#unpackedBytes, 2 * values));
    this.#isCounted = true;
  }

  /** The answer has so many more rows, which may cost more than the request did. */
  chargeRows(count: number): void {
    this.#rate?.rows(count);
  }

  /** The body has so many bytes by now. A long one has its memory reserved before it goes on. */
  async #read(bytes: number): Promise<void> {
    this.#rate?.body(bytes);
    const { arrivesInParts, arrivalLimit } = bodyHooksOf(this.request);
    // Few imports go on at once, each for long, of which one line is here.
    if (bytes <= SMALL_BODY_BYTES || arrivesInParts || this.#memory.arriving) return;
    const length = Number(this.request.headers["content-length"]) || MAX_BODY_BYTES;
    this.#memory.arriving = await this.#reserve("arriving", Math.ceil(length / KIB));
    if (!this.request.complete) arrivalLimit?.restart(LONG_BODY_SECONDS * 1_000);
  }

  /** A message of so many bytes is whole and unpacked. It is parsed when there is room for it. */
  async #parse(bytes: number): Promise<void> {
    this.#unpackedBytes += bytes;
    this.#rate?.body(this.#unpackedBytes);
    // Of an import the one before was taken.
    this.#memory.message?.();
    const kind = bytes > SMALL_BODY_BYTES ? "large" : "small";
    this.#memory.message = await this.#reserve(kind, memoryOfBody(bytes));
    this.#memory.arriving?.();
    const { options, limits } = this.#control;
    const share = bytes / limits.parsedBytesPerTurn;
    await options.loopTurns.next(this.#owner, this.signal, share);
  }

  /** Who holds memory of a kind waits for no more of it: two requests could wait for each other. */
  async #reserve(kind: MemoryKind, kib: number): Promise<Release> {
    const release = await this.#control.memoryKib[kind].acquire(this.#owner, this.signal, kib);
    if (this.signal.aborted) release();
    return release;
  }

  get #owner(): string {
    return this.caller?.companyId ?? this.address;
  }

  #end(): void {
    this.#over.abort(CLIENT_LEFT);
    for (const release of [...this.#held, ...Object.values(this.#memory)]) release();
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
function memoryOfBody(bytes: number, most = bytes / MIN_BYTES_PER_VALUE): number {
  const values = Math.min(most, MAX_BODY_VALUES);
  return Math.ceil((bytes + values * HEAP_BYTES_PER_VALUE) / KIB);
}
