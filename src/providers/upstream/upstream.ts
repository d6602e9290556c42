import { setTimeout as sleep } from "node:timers/promises";
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from "cockatiel";
import { startDeadline } from "../../concurrency/bounds.ts";
import { FairSemaphore, type QueueState } from "../../concurrency/fair-semaphore.ts";
import type { CallEffort, ModelCall } from "../model-call.ts";
import { type GivesDispatcher, runExchange } from "./exchange.ts";
import { modelUnavailable, UpstreamError } from "./upstream-error.ts";

/** Tries of one call, including the first. */
export const MAX_TRIES = 4;
/** Waits between tries, jittered. A longer wait that the provider asks for takes precedence. */
const BACKOFF = new ExponentialBackoff({ initialDelay: 200, maxDelay: 4_000 });

/** Parts of long work that wait for their turn; further ones are refused. */
const MAX_WAITING_TURNS = 4_096;
const MAX_WAITING_TURNS_OF_ACCOUNT = 1_024;
/** The deadline of every request comes first. */
const MAX_TURN_WAIT_MS = 5 * 60 * 1_000;

/** Consecutive failed tries that open the circuit breaker. */
export const MAX_FAILURES_IN_A_ROW = 8;
const REST_MS = 10_000;

export interface UpstreamLimits {
  /** Timeout of one call, with its wait in the queue, its retries and their waits. */
  readonly timeoutMs: number;
  /** Calls in flight; as many again may wait. */
  readonly maxInFlight: number;
}

export interface UpstreamOptions extends UpstreamLimits {
  /** "gemini" or "openai"; messages to callers name it. */
  readonly provider: string;
  readonly dispatcher: GivesDispatcher | null;
  /**
   * Whether consecutive failures open the circuit breaker. Never for callers' own models:
   * one caller's bad address or key must not stop another's calls.
   */
  readonly breaksCircuit: boolean;
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
}

/** Closed: calls are made. Open: none for a while. Half open: one try decides. */
export type BreakerState = "closed" | "open" | "half_open";

/** One address of a model provider, with the limits and the circuit breaker for its calls. */
export interface Upstream {
  /** Calls in flight; as many again may wait. */
  readonly maxInFlight: number;
  /** The queue of its calls, for the operator. */
  readonly queue: QueueState;
  readonly breaker: BreakerState;
  /**
   * Calls the provider. `request` runs a vendor's library, once for each try, and throws an
   * `UpstreamError` for a useless answer. Once it calls `begin`, no further try follows.
   *
   * Throws `model_unavailable` or `overloaded`, both with a wait. An abort of the signal ends the
   * call and its waits with the signal's reason; it is no failure of the provider.
   */
  call<T>(
    request: (begin: () => void) => Promise<T>,
    call: ModelCall,
  ): Promise<CallEffort & { readonly value: T }>;
  /** Runs one part of long work when its turn comes: see `ChatModel`. */
  inTurn<T>(work: () => Promise<T>, call: ModelCall): Promise<T>;
}

/** What calls have shown of a model. */
export interface ModelHabit {
  /** Its hidden thoughts count against the limit of its answer. */
  thinksWithinLimit: boolean;
}

/** One model at an address that speaks a vendor's API. */
export interface RemoteModel {
  /** null: the address needs none. */
  readonly apiKey: string | null;
  /** The API's paths are appended to it. It has no slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly upstream: Upstream;
  /** Default: nothing is known. */
  readonly habit?: ModelHabit;
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { provider, timeoutMs, maxInFlight, dispatcher, monotonicMs } = options;
  const ofAccount = FairSemaphore.shareOfAccount(maxInFlight);
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

  // Fewer than the calls in flight, so that no part of long work waits within its call.
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

      /** The retries of `cockatiel` would wait on after the caller has left or the time is up. */
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

/** Opens after consecutive failures; after a while one try decides. */
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
      // The library would make this call wait for the deciding try, past its own deadline.
      if (breaker.state === CircuitState.HalfOpen) throw new UpstreamError({ kind: "resting" });
      try {
        return await breaker.execute(work);
      } catch (error) {
        throw error instanceof BrokenCircuitError ? new UpstreamError({ kind: "resting" }) : error;
      }
    },
  };
}
