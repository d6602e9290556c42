import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { QueueState } from "./concurrency/fair-semaphore.ts";
import type { CallMetrics } from "./edge/observed-calls.ts";
import type { BreakerState } from "./providers/upstream/upstream.ts";
import type { SharedLimitsState } from "./redis/shared-buckets.ts";
import type { ModelMetrics, ServiceMetrics } from "./service/context.ts";

/** Versions of what runs. */
export interface Build {
  /** Version of the service. */
  readonly version: string;
  /** Version of Node.js, such as `v24.1.0`. */
  readonly node: string;
}

/** The metrics of one service, and how they are read. */
export interface Metrics extends ServiceMetrics, CallMetrics, QueueMetrics, SharedLimitMetrics {
  readonly contentType: string;
  /** Everything, in the Prometheus text format. */
  render(): Promise<string>;
}

let processRegistry: Registry | null = null;

/**
 * Labels hold names of RPCs, reasons, queues, providers and models that the operator
 * chose: never text, tenants, accounts or keys.
 */
export function createMetrics(build: Build): Metrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: "agent_memory_build_info",
    help: "1, with the version of the service and of Node.js.",
    labelNames: ["version", "node"] as const,
    registers,
  }).set({ ...build }, 1);
  return {
    ...createCallMetrics(registers),
    ...createModelMetrics(registers),
    ...createMemoryMetrics(registers),
    ...createQueueMetrics(registers),
    ...createSharedLimitMetrics(registers),
    contentType: registry.contentType,
    render: () => Registry.merge([registry, metricsOfProcess()]).metrics(),
  };
}

/**
 * CPU, memory, garbage collection and event loop lag. A process has one set, however many
 * services run in it: its observers of the event loop and of the collector never end.
 */
function metricsOfProcess(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** Registers the shared rate limits, whose state is read with the metrics. */
export interface SharedLimitMetrics {
  watchSharedLimits(state: () => SharedLimitsState): void;
}

/** There are no samples where servers share nothing. */
export function createSharedLimitMetrics(registers: Registry[]): SharedLimitMetrics {
  let watched: (() => SharedLimitsState) | null = null;
  new Gauge({
    name: "agent_memory_rate_limits_shared",
    help: "1 while rate limits are shared by Redis; 0 while it is out of reach and each server counts by itself.",
    registers,
    collect() {
      if (watched === null) this.remove();
      else this.set(watched().isShared ? 1 : 0);
    },
  });
  new Counter({
    name: "agent_memory_rate_limit_fallbacks_total",
    help: "Requests that this server counted by itself because Redis was out of reach.",
    registers,
    collect() {
      this.reset();
      if (watched !== null) this.inc(watched().fallbacks);
    },
  });
  return {
    watchSharedLimits(state) {
      watched = state;
    },
  };
}

const BREAKER_STATES: readonly BreakerState[] = ["closed", "half_open", "open"];

/** Registers queues and breakers, whose states are read with the metrics. */
interface QueueMetrics {
  watchQueue(queue: string, state: () => QueueState): void;
  /** The circuit breaker of a model provider. */
  watchBreaker(provider: string, state: () => BreakerState): void;
}

/** The queues and breakers count; the metrics only read them. */
function createQueueMetrics(registers: Registry[]): QueueMetrics {
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

const DURATION_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** Metrics of calls of models: their number, cost and failures. */
export function createModelMetrics(registers: Registry[]): ModelMetrics {
  const labelNames = ["operation", "provider", "model"] as const;
  const calls = new Counter({
    name: "agent_memory_model_calls_total",
    help: "Calls of models that were answered.",
    labelNames,
    registers,
  });
  const failures = new Counter({
    name: "agent_memory_model_failures_total",
    help: "Calls of models that failed, after their retries, or whose answers were of no use, by the cause.",
    labelNames: [...labelNames, "cause"] as const,
    registers,
  });
  const attempts = new Counter({
    name: "agent_memory_model_attempts_total",
    help: "Requests that calls of models took, retries included.",
    labelNames,
    registers,
  });
  const tokens = new Counter({
    name: "agent_memory_model_tokens_total",
    help: "Tokens of calls of models, as far as the provider tells.",
    labelNames: [...labelNames, "direction"] as const,
    registers,
  });
  const duration = new Histogram({
    name: "agent_memory_model_call_duration_seconds",
    help: "Time of calls of models that were answered, retries and waits included.",
    labelNames,
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const statedFacts = new Counter({
    name: "agent_memory_stated_facts_total",
    help: "Facts that a model stated of a conversation, believed or not.",
    labelNames: ["provider", "model"] as const,
    registers,
  });
  const askedFacts = new Counter({
    name: "agent_memory_asked_facts_total",
    help: "Stated facts that calls of the operation verify asked about.",
    labelNames: ["provider", "model"] as const,
    registers,
  });
  const rejectedFacts = new Counter({
    name: "agent_memory_rejected_facts_total",
    help: "Facts that a model stated and that were not believed, by the reason.",
    labelNames: ["provider", "model", "reason"] as const,
    registers,
  });
  return {
    modelCalled({ operation, provider, model, ...usage }) {
      const labels = { operation, provider, model };
      calls.inc(labels);
      attempts.inc(labels, usage.attempts);
      duration.observe(labels, usage.durationMs / 1_000);
      tokens.inc({ ...labels, direction: "input" }, usage.inputTokens ?? 0);
      tokens.inc({ ...labels, direction: "output" }, usage.outputTokens ?? 0);
      if (usage.facts === undefined) return;
      const { stated, asked, rejections } = usage.facts;
      statedFacts.inc({ provider, model }, stated);
      askedFacts.inc({ provider, model }, asked);
      for (const reason of rejections) rejectedFacts.inc({ provider, model, reason });
    },
    modelFailed: ({ operation, provider, model }, cause) =>
      failures.inc({ operation, provider, model, cause }),
  };
}

const RETRIEVAL_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SCANNED_BUCKETS = [10, 100, 1_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const RETURNED_BUCKETS = [0, 1, 5, 10, 20, 50, 100];

const FIRST_TEXT_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

type MemoryMetrics = Pick<
  ServiceMetrics,
  "retrievalBegan" | "answerBegan" | "classified" | "restored" | "erased"
>;

/** Metrics of searches, of the first text of answers, and of the classifier. */
function createMemoryMetrics(registers: Registry[]): MemoryMetrics {
  const duration = new Histogram({
    name: "agent_memory_retrieval_duration_seconds",
    help: "Time of searches for the memories of a question, the wait for a connection included.",
    buckets: RETRIEVAL_BUCKETS_S,
    registers,
  });
  const scanned = new Histogram({
    name: "agent_memory_retrieval_scanned_memories",
    help: "Memories that a search looked at: all of its scope.",
    buckets: SCANNED_BUCKETS,
    registers,
  });
  const returned = new Histogram({
    name: "agent_memory_retrieval_returned_memories",
    help: "Memories that a search brought.",
    buckets: RETURNED_BUCKETS,
    registers,
  });
  const firstText = new Histogram({
    name: "agent_memory_first_text_seconds",
    help: "Time from a question until the first text of its answer, where the answer is given while it comes.",
    buckets: FIRST_TEXT_BUCKETS_S,
    registers,
  });
  const classifications = new Counter({
    name: "agent_memory_classifications_total",
    help: "Runs of the supersession classifier by what came of them.",
    labelNames: ["outcome"] as const,
    registers,
  });
  const restores = new Counter({
    name: "agent_memory_restores_total",
    help: "Automatic supersessions and retractions that were taken back. Over those that were applied: the false-retire rate.",
    registers,
  });
  const erasures = new Counter({
    name: "agent_memory_erased_memories_total",
    help: "Memories that were erased, by who did it: an API key, a person in the dashboard, the operator or retention.",
    labelNames: ["by"] as const,
    registers,
  });
  return {
    retrievalBegan() {
      const ended = duration.startTimer();
      return (found) => {
        ended();
        scanned.observe(found.scanned);
        returned.observe(found.returned);
      };
    },
    answerBegan: (durationMs) => firstText.observe(durationMs / 1_000),
    classified: (outcome) => classifications.inc({ outcome }),
    restored: () => restores.inc(),
    erased: (count, by) => erasures.inc({ by }, count),
  };
}

const CALL_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of the API's calls, as a caller sees them. */
export function createCallMetrics(registers: Registry[]): CallMetrics {
  const duration = new Histogram({
    name: "agent_memory_call_duration_seconds",
    help: "Time of calls of the API until their answers were sent, by RPC, protocol and gRPC code.",
    labelNames: ["rpc", "protocol", "code"] as const,
    buckets: CALL_BUCKETS_S,
    registers,
  });
  const errors = new Counter({
    name: "agent_memory_call_errors_total",
    help: "Calls of the API that were answered with an error, by RPC and reason.",
    labelNames: ["rpc", "reason"] as const,
    registers,
  });
  const inFlight = new Gauge({
    name: "agent_memory_calls_in_flight",
    help: "Calls of the API that are not answered yet, or whose answers are not read.",
    registers,
  });
  return {
    began: () => inFlight.inc(),
    ended({ durationMs, reason, ...labels }) {
      inFlight.dec();
      duration.observe(labels, durationMs / 1_000);
      if (reason !== null) errors.inc({ rpc: labels.rpc, reason });
    },
  };
}
