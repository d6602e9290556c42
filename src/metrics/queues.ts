import { Counter, Gauge, type Registry } from "prom-client";
import type { QueueState } from "../concurrency/fair-semaphore.ts";
import type { BreakerState } from "../providers/upstream/upstream.ts";

const BREAKER_STATES: readonly BreakerState[] = ["closed", "half_open", "open"];

/** Registers queues and breakers, whose states are read with the metrics. */
export interface QueueMetrics {
  watchQueue(queue: string, state: () => QueueState): void;
  /** The circuit breaker of a model provider. */
  watchBreaker(provider: string, state: () => BreakerState): void;
}

/** The queues and breakers count; the metrics only read them. */
export function createQueueMetrics(registers: Registry[]): QueueMetrics {
  const queues = new Map<string, () => QueueState>();
  const breakers = new Map<string, () => BreakerState>();

  function gauge(name: string, help: string, of: (state: QueueState) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ["queue"] as const,
      registers,
      collect() {
        for (const [queue, state] of queues) this.set({ queue }, of(state()));
      },
    });
  }
  gauge(
    "agent_memory_queue_capacity",
    "Pieces of work that may be in progress at once.",
    ({ capacity }) => capacity,
  );
  gauge("agent_memory_queue_in_use", "Pieces of work in progress.", ({ inUse }) => inUse);
  gauge("agent_memory_queue_waiting", "Pieces of work that wait.", (state) => {
    return state.waiting;
  });
  new Counter({
    name: "agent_memory_queue_refusals_total",
    help: "Pieces of work that were refused because too many waited, or that waited too long.",
    labelNames: ["queue"] as const,
    registers,
    collect() {
      this.reset();
      for (const [queue, state] of queues) this.inc({ queue }, state().refused);
    },
  });
  new Gauge({
    name: "agent_memory_model_breaker_state",
    help: "1 for the state that the circuit breaker of a model provider is in: while it is open no call is made.",
    labelNames: ["provider", "state"] as const,
    registers,
    collect() {
      for (const [provider, state] of breakers) {
        const present = state();
        for (const each of BREAKER_STATES) {
          this.set({ provider, state: each }, each === present ? 1 : 0);
        }
      }
    },
  });
  return {
    watchQueue: (queue, state) => void queues.set(queue, state),
    watchBreaker: (provider, state) => void breakers.set(provider, state),
  };
}
