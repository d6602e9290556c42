import {
  breakOff,
  isAbandoned,
  isEncrypted,
  type NodeRequest,
  type NodeResponse,
  onBodyRead,
  waitBeforeParsing,
} from "@agent-memory/transcoding/node-http";
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextKey,
  createContextValues,
} from "@connectrpc/connect";
import type { QueueState } from "../concurrency/fair-semaphore.ts";
import type { LoopTurns } from "../concurrency/loop-turns.ts";
import { checkNotSuspended } from "../domain/account.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { MAX_BODY_BYTES } from "../domain/limits.ts";
import type { KnownCaller } from "../service/context.ts";
import {
  ADMISSION_LIMITS,
  type AdmissionLimits,
  AdmissionQueues,
  type Release,
} from "./admission-queues.ts";
import { FAILURE_STATUS } from "./error-mapping.ts";
import { sendRefusal } from "./http/answers.ts";
import { remoteAddressOf } from "./http/connections.ts";
import { type RateLimiter, RequestRate } from "./rate-limit.ts";

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
  readonly queues: AdmissionQueues;
  /** Requests that belong to no account. The one that began first is first. */
  readonly #withoutAccount = new Set<Admission>();

  constructor(options: AdmissionOptions) {
    this.options = options;
    this.queues = new AdmissionQueues({ ...ADMISSION_LIMITS, ...options.limits });
  }

  /** The requests that wait to begin, for the operator. */
  get queue(): QueueState {
    return this.queues.begun.state;
  }

  /**
   * Begins a request: a few in each turn of the event loop, addresses in turn. So the loop
   * turns soon, however many requests arrive at once. null: the request is answered already,
   * or its client has left.
   */
  async begin(request: NodeRequest, response: NodeResponse): Promise<Admission | null> {
    const address = remoteAddressOf(request, this.options.trustProxy);
    try {
      const endTurn = await this.queues.begun.acquire(address);
      if (isAbandoned(request, response)) {
        endTurn();
        return null;
      }
      setImmediate(endTurn);
      const admission = new Admission(this, request, response, address);
      this.#countForAddress(admission);
      return admission;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { reason, message, retryAfterSeconds } = error;
      const headers = { ...(retryAfterSeconds && { "retry-after": String(retryAfterSeconds) }) };
      sendRefusal(response, FAILURE_STATUS[reason].http, reason, message, headers);
      return null;
    }
  }

  /**
   * Counts a request for its address; where that is full, for the account whose key is known.
   * So requests without an account at an address do not shut out the accounts that call from there.
   */
  #countForAddress(admission: Admission): void {
    const { address, request } = admission;
    let release: Release;
    try {
      release = this.queues.withoutAccount.acquireNow(`address ${address}`);
    } catch (error) {
      const account = this.options.knownAccountOf(request);
      if (account === null) throw error;
      release = this.queues.withoutAccount.acquireNow(`account ${account}`);
    }
    this.#withoutAccount.add(admission);
    admission.releaseAddress = () => {
      release();
      this.#withoutAccount.delete(admission);
    };
    admission.hold(admission.releaseAddress);
    const [oldest] = this.#withoutAccount;
    if (oldest !== undefined && this.#withoutAccount.size > this.queues.limits.withoutAccount) {
      oldest.releaseAddress();
      breakOff(oldest.response);
    }
  }
}

/** A longer body reserves its memory before its end has come. */
const SMALL_BODY_BYTES = 64 * 1024;

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
  /** Who was let in by a key or a session; null: nobody was. */
  caller: KnownCaller | null = null;
  /** The address no longer answers for the request. */
  releaseAddress: Release = () => {};
  readonly #control: AdmissionControl;
  readonly #held: Release[] = [];
  readonly #over = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #rate: RequestRate | null = null;
  #unpackedBytes = 0;
  #hasMemory = false;
  #hasHistory = false;

  constructor(
    control: AdmissionControl,
    request: NodeRequest,
    response: NodeResponse,
    address: string,
  ) {
    this.#control = control;
    this.request = request;
    this.response = response;
    this.address = address;
    // The service redirects what a proxy received over plain HTTP.
    this.isSecure = control.options.trustProxy || isEncrypted(request);
    response.once("close", () => this.#end());
    waitBeforeParsing(request, (bytes) => this.#parse(bytes));
    onBodyRead(request, (bytes) => this.#read(bytes));
    admissions.set(request, this);
  }

  /** Aborted when the response has ended, mostly because the client left. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Resolves when the response has ended, read or broken off. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Has the request hold something until it ends. */
  hold(release: Release): void {
    if (this.signal.aborted) release();
    else this.#held.push(release);
  }

  /** Counts a call that needs no key. Throws `too_many_in_flight`. */
  countPublic(permits = 1): void {
    this.hold(this.#control.queues.publicCalls.acquireNow(this.address, permits));
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
      this.#rate = new RequestRate(rateLimiter, caller, this.response);
      await this.#rate.admit();
    }
    if (!isFree) {
      this.hold(this.#control.queues.inFlight.acquireNow(caller.companyId));
      this.releaseAddress();
    }
    checkNotSuspended(caller.account);
  }

  /** Waits until the account may have another export or import. It ends with the request. */
  async transfer(companyId: CompanyId, signal: AbortSignal): Promise<void> {
    this.hold(await this.#control.queues.transfer(companyId, signal));
  }

  /**
   * Waits until the account may be sent another large answer. The caller calls the returned
   * function when the answer is sent, or gives it to `hold`.
   */
  largeAnswer(companyId: CompanyId, signal: AbortSignal): Promise<Release> {
    return this.#control.queues.largeAnswer(companyId, signal);
  }

  /**
   * Reserves memory for events of an import whose memory has yet to come. Once: it is as much
   * as the longest history of a memory takes.
   */
  async reserveHistory(): Promise<void> {
    if (this.#hasHistory) return;
    this.#hasHistory = true;
    this.hold(await this.#control.queues.history(this.#owner, this.signal));
  }

  /** The answer has so many more rows, which may cost more than the request did. */
  chargeRows(count: number): void {
    this.#rate?.rows(count);
  }

  /** So many bytes of the body have come. A long body has its memory reserved before it goes on. */
  async #read(bytes: number): Promise<void> {
    this.#rate?.body(bytes);
    if (bytes > SMALL_BODY_BYTES) await this.#reserveMemory(MAX_BODY_BYTES);
  }

  /** A message of so many bytes is whole and unpacked. It is parsed when there is room for it. */
  async #parse(bytes: number): Promise<void> {
    this.#unpackedBytes += bytes;
    this.#rate?.body(this.#unpackedBytes);
    await this.#reserveMemory(bytes);
    const { options, queues } = this.#control;
    const share = bytes / queues.limits.parsedBytesPerTurn;
    await options.loopTurns.next(this.#owner, this.signal, share);
  }

  /** Reserves once, so that no two requests hold memory and wait for that of the other. */
  async #reserveMemory(bytes: number): Promise<void> {
    if (this.#hasMemory) return;
    this.#hasMemory = true;
    this.hold(await this.#control.queues.body(this.#owner, bytes, this.signal));
  }

  get #owner(): string {
    return this.caller?.companyId ?? this.address;
  }

  #end(): void {
    this.#over.abort(CLIENT_LEFT);
    this.#ended.resolve();
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
