import { setTimeout as sleep } from "node:timers/promises";
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from "cockatiel";
import { startDeadline } from "../../concurrency/deadline.ts";
import { FairSemaphore, type QueueState } from "../../concurrency/fair-semaphore.ts";
import type { ModelCall } from "../model-call.ts";
import { type GivesDispatcher, runExchange } from "./exchange.ts";
import { modelUnavailable, UpstreamError } from "./upstream-error.ts";

/** Tries of one call, the first included. */
export const MAX_TRIES = 4;
/** Waits between tries, jittered. A longer wait that the provider asks for takes precedence. */
const BACKOFF = new ExponentialBackoff({ initialDelay: 200, maxDelay: 4_000 });

/** Of the calls at once, and of those that wait, how much one account may take: others find room. */
export const MAX_SHARE_OF_ACCOUNT = 3 / 4;

/** Pieces of long work that wait for their turn; further ones are refused. */
const MAX_WAITING_TURNS = 4_096;
const MAX_WAITING_TURNS_OF_ACCOUNT = 1_024;
/** No request waits longer: its own deadline comes first. */
const MAX_TURN_WAIT_MS = 5 * 60 * 1_000;

/** Tries of any calls that fail in a row before the provider gets a rest. */
export const MAX_FAILURES_IN_A_ROW = 8;
const REST_MS = 10_000;

export interface UpstreamLimits {
  /** For one call, with its wait in the queue, its retries and their waits. */
  readonly timeoutMs: number;
  /** Calls at once; as many again may wait for their turn. */
  readonly maxInFlight: number;
}

export interface UpstreamOptions extends UpstreamLimits {
  /** "gemini" or "openai"; callers read it in messages. */
  readonly provider: string;
  readonly dispatcher: GivesDispatcher | null;
  /**
   * Whether failures in a row stop further calls for a while. Not for callers' own
   * models: one caller's bad address or key must not stop another's calls.
   */
  readonly breaksCircuit: boolean;
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
}

/** What a call brought, and what it took. */
export interface UpstreamAnswer<T> {
  readonly value: T;
  /** Requests that it took; 1: the first succeeded. */
  readonly attempts: number;
  /** With retries and waits. */
  readonly durationMs: number;
}

/** Closed: calls are made. Open: none is, for a while. Half open: one try decides. */
export type BreakerState = "closed" | "open" | "half_open";

/** One address of a model provider, with the limits and the circuit breaker for its calls. */
export interface Upstream {
  /** Calls at once; as many again may wait for their turn. */
  readonly maxInFlight: number;
  /** Of its calls, for the operator. */
  readonly queue: QueueState;
  readonly breaker: BreakerState;
  /**
   * Calls the provider: `request` runs a vendor's library, once for each try, and
   * throws an `UpstreamError` of its own for an answer that is of no use. Once it says,
   * by `begin`, that a part of an answer was made use of, nothing is tried again.
   *
   * Throws `model_unavailable` or `overloaded`, both with a wait. Aborting the
   * signal ends the call at once, its waits included, with the signal's reason;
   * that says nothing about the provider.
   */
  call<T>(request: (begin: () => void) => Promise<T>, call: ModelCall): Promise<UpstreamAnswer<T>>;
  /** Does one of many pieces of work in its turn: see `ChatModel`. */
  inTurn<T>(work: () => Promise<T>, call: ModelCall): Promise<T>;
}

/** One model at an address that speaks a vendor's API. */
export interface RemoteModel {
  /** null: the address asks for none, as on one's own machine. */
  readonly apiKey: string | null;
  /** What the API's paths are appended to, without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly upstream: Upstream;
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { provider, timeoutMs, maxInFlight, dispatcher, monotonicMs } = options;
  const ofAccount = Math.max(1, Math.floor(maxInFlight * MAX_SHARE_OF_ACCOUNT));
  const semaphore = new FairSemaphore(
    {
      concurrent: maxInFlight,
      concurrentPerOwner: ofAccount,
      maxWaiting: maxInFlight,
      maxWaitingPerOwner: ofAccount,
      waitMs: timeoutMs,
    },
    "too many calls of the model are in progress",
  );
  const breaker = options.breaksCircuit ? createBreaker() : null;

  // Fewer at once than calls may be, so that no piece of work waits within its call.
  const turns = new FairSemaphore(
    {
      concurrent: ofAccount,
      concurrentPerOwner: ofAccount,
      maxWaiting: MAX_WAITING_TURNS,
      maxWaitingPerOwner: MAX_WAITING_TURNS_OF_ACCOUNT,
      waitMs: MAX_TURN_WAIT_MS,
    },
    "too many long texts wait for the model",
  );

  return {
    maxInFlight,
    get queue() {
      return semaphore.state;
    },
    get breaker() {
      return breaker?.state ?? "closed";
    },
    inTurn: (work, { owner, signal }) => turns.run(owner, work, signal),
    async call(request, { owner, signal }) {
      const startedAt = monotonicMs();
      const leftMs = () => startedAt + timeoutMs - monotonicMs();
      let attempts = 0;
      let hasBegun = false;
      const begin = () => {
        hasBegun = true;
      };
      try {
        const value = await semaphore.run(owner, tryUntilDone, signal);
        return { value, attempts, durationMs: Math.round(monotonicMs() - startedAt) };
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof UpstreamError ? modelUnavailable(provider, error) : error;
      }

      /**
       * The retries are here because those of `cockatiel` wait to the end even when
       * the caller has left or the deadline comes first.
       */
      async function tryUntilDone() {
        using deadline = startDeadline(Math.max(0, Math.ceil(leftMs())));
        const bounded = AbortSignal.any([signal, deadline.signal]);
        const exchange = { signal: bounded, dispatcher, onRequest: () => attempts++ };
        const tryOnce = () => runExchange(exchange, () => request(begin)).catch(explain);
        function explain(error: unknown): never {
          signal.throwIfAborted();
          throw deadline.signal.aborted ? new UpstreamError({ kind: "timed_out" }) : error;
        }

        let backoff = BACKOFF.next();
        for (let tries = 1; ; tries++) {
          try {
            return await (breaker === null ? tryOnce() : breaker.run(tryOnce));
          } catch (error) {
            if (hasBegun || !(error instanceof UpstreamError && error.isTransient)) throw error;
            const waitMs = Math.max(backoff.duration, error.waitMs);
            if (tries === MAX_TRIES || waitMs >= leftMs()) throw error;
            await sleep(waitMs, undefined, { signal: bounded }).catch(explain);
            backoff = backoff.next(undefined);
          }
        }
      }
    },
  };
}

/** After enough failures in a row nothing is tried for a while; then one try decides. */
function createBreaker() {
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof UpstreamError && error.isOutage),
    { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(MAX_FAILURES_IN_A_ROW) },
  );
  return {
    get state(): BreakerState {
      if (breaker.state === CircuitState.Closed) return "closed";
      return breaker.state === CircuitState.HalfOpen ? "half_open" : "open";
    },
    async run<T>(work: () => Promise<T>): Promise<T> {
      // The library would make this call wait for the try that decides, past its own deadline.
      if (breaker.state === CircuitState.HalfOpen) throw new UpstreamError({ kind: "resting" });
      try {
        return await breaker.execute(work);
      } catch (error) {
        throw error instanceof BrokenCircuitError ? new UpstreamError({ kind: "resting" }) : error;
      }
    },
  };
}
