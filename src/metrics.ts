import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { QueueState } from "./concurrency/fair-semaphore.ts";
import type { CallMetrics } from "./edge/observed-calls.ts";
import type { BreakerState } from "./providers/upstream/upstream.ts";
import type { RedisBuckets } from "./redis/shared-buckets.ts";
import type { ModelMetrics, ServiceMetrics } from "./service/context.ts";

/** The metrics of one service, and how they are read. */
export type Metrics = ReturnType<typeof createMetrics>;

const CALL_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const MODEL_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const RETRIEVAL_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SCANNED_BUCKETS = [10, 100, 1_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const RETURNED_BUCKETS = [0, 1, 5, 10, 20, 50, 100];

/**
 * Creates the metrics of a service of this version. Labels hold names of RPCs, reasons, queues,
 * providers and models that the operator chose: never text, tenants, accounts or keys.
 */
export function createMetrics(version: string) {
  const registry = new Registry();
  const make = makersFor(registry);
  make
    .gauge("build_info", "1, with the version of the service and of Node.js.", ["version", "node"])
    .set({ version, node: process.version }, 1);
  return {
    ...callMetrics(make),
    ...modelMetrics(make),
    ...memoryMetrics(make),
    ...watchedMetrics(make),
    contentType: registry.contentType,
    /** Everything, in the Prometheus text format. */
    render: () => Registry.merge([registry, metricsOfProcess()]).metrics(),
  };
}

type Make = ReturnType<typeof makersFor>;

function makersFor(registry: Registry) {
  const named = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => ({ name: `agent_memory_${name}`, help, labelNames, registers: [registry] });
  /** `collect` sets the samples anew, each time that they are read. */
  const collected = <Metric extends { reset(): void }>(collect?: (metric: Metric) => void) =>
    collect && {
      collect(this: Metric) {
        this.reset();
        collect(this);
      },
    };
  return {
    counter: <Label extends string = never>(
      name: string,
      help: string,
      labels: readonly Label[] = [],
      collect?: (counter: Counter<Label>) => void,
    ) => new Counter({ ...named(name, help, labels), ...collected(collect) }),
    gauge: <Label extends string = never>(
      name: string,
      help: string,
      labels: readonly Label[] = [],
      collect?: (gauge: Gauge<Label>) => void,
    ) => new Gauge({ ...named(name, help, labels), ...collected(collect) }),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labels: readonly Label[] = [],
    ) => new Histogram({ ...named(name, help, labels), buckets }),
  };
}

/** Calls of the API, as a caller sees them. */
function callMetrics({ counter, gauge, histogram }: Make): CallMetrics {
  const duration = histogram(
    "call_duration_seconds",
    "Time of calls of the API until their answers were sent, by RPC, protocol and gRPC code.",
    CALL_BUCKETS_S,
    ["rpc", "protocol", "code"],
  );
  const errors = counter(
    "call_errors_total",
    "Calls of the API that were answered with an error, by RPC and reason.",
    ["rpc", "reason"],
  );
  const inFlight = gauge(
    "calls_in_flight",
    "Calls of the API that are not answered yet, or whose answers are not read.",
  );
  return {
    began: () => inFlight.inc(),
    ended({ durationMs, reason, ...labels }) {
      inFlight.dec();
      duration.observe(labels, durationMs / 1_000);
      if (reason !== null) errors.inc({ rpc: labels.rpc, reason });
    },
  };
}

/** Calls of models: their number, cost and failures. */
function modelMetrics({ counter, histogram }: Make): ModelMetrics {
  const ofCall = ["operation", "provider", "model"] as const;
  const ofModel = ["provider", "model"] as const;
  const calls = counter("model_calls_total", "Calls of models that were answered.", ofCall);
  const failures = counter(
    "model_failures_total",
    "Calls of models that failed, after their retries, or whose answers were of no use, by the cause.",
    [...ofCall, "cause"],
  );
  const attempts = counter(
    "model_attempts_total",
    "Requests that calls of models took, retries included.",
    ofCall,
  );
  const tokens = counter(
    "model_tokens_total",
    "Tokens of calls of models, as far as the provider tells.",
    [...ofCall, "direction"],
  );
  const duration = histogram(
    "model_call_duration_seconds",
    "Time of calls of models that were answered, retries and waits included.",
    MODEL_BUCKETS_S,
    ofCall,
  );
  const statedFacts = counter(
    "stated_facts_total",
    "Facts that a model stated of a conversation, believed or not.",
    ofModel,
  );
  const askedFacts = counter(
    "asked_facts_total",
    "Stated facts that calls of the operation verify asked about.",
    ofModel,
  );
  const rejectedFacts = counter(
    "rejected_facts_total",
    "Facts that a model stated and that were not believed, by the reason.",
    [...ofModel, "reason"],
  );
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

/** Searches, the first text of answers, the classifier, and what became of its decisions. */
function memoryMetrics({ counter, histogram }: Make): Omit<ServiceMetrics, keyof ModelMetrics> {
  const duration = histogram(
    "retrieval_duration_seconds",
    "Time of searches for the memories of a question, the wait for a connection included.",
    RETRIEVAL_BUCKETS_S,
  );
  const scanned = histogram(
    "retrieval_scanned_memories",
    "Memories that a search looked at: all of its scope.",
    SCANNED_BUCKETS,
  );
  const returned = histogram(
    "retrieval_returned_memories",
    "Memories that a search brought.",
    RETURNED_BUCKETS,
  );
  const firstText = histogram(
    "first_text_seconds",
    "Time from a question until the first text of its answer, where the answer is given while it comes.",
    MODEL_BUCKETS_S,
  );
  const classifications = counter(
    "classifications_total",
    "Runs of the supersession classifier by what came of them.",
    ["outcome"],
  );
  const restores = counter(
    "restores_total",
    "Automatic supersessions and retractions that were taken back. Over those that were applied: the false-retire rate.",
  );
  const erasures = counter(
    "erased_memories_total",
    "Memories that were erased, by who did it: an API key, a person in the dashboard, the operator or retention.",
    ["by"],
  );
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

const BREAKER_STATES: readonly BreakerState[] = ["closed", "half_open", "open"];

/** Parts that count by themselves. Their states are read with the metrics. */
function watchedMetrics({ counter, gauge }: Make) {
  const queues = new Map<string, () => QueueState>();
  const breakers = new Map<string, () => BreakerState>();
  let sharedLimits: (() => RedisBuckets["state"]) | null = null;
  const queueGauge = (name: string, help: string, of: (state: QueueState) => number) =>
    gauge(name, help, ["queue"], (each) => {
      for (const [queue, state] of queues) each.set({ queue }, of(state()));
    });
  const capacityHelp = "Pieces of work that may be in progress at once.";
  queueGauge("queue_capacity", capacityHelp, ({ capacity }) => capacity);
  queueGauge("queue_in_use", "Pieces of work in progress.", ({ inUse }) => inUse);
  queueGauge("queue_waiting", "Pieces of work that wait.", ({ waiting }) => waiting);
  counter(
    "queue_refusals_total",
    "Pieces of work that were refused because too many waited, or that waited too long.",
    ["queue"],
    (each) => {
      for (const [queue, state] of queues) each.inc({ queue }, state().refused);
    },
  );
  gauge(
    "model_breaker_state",
    "1 for the state that the circuit breaker of a model provider is in: while it is open no call is made.",
    ["provider", "state"],
    (each) => {
      for (const [provider, state] of breakers) {
        const present = state();
        for (const word of BREAKER_STATES) {
          each.set({ provider, state: word }, word === present ? 1 : 0);
        }
      }
    },
  );
  gauge(
    "rate_limits_shared",
    "1 while rate limits are shared by Redis; 0 while it is out of reach and each server counts by itself.",
    [],
    (each) => {
      if (sharedLimits === null) each.remove();
      else each.set(sharedLimits().isShared ? 1 : 0);
    },
  );
  counter(
    "rate_limit_fallbacks_total",
    "Requests that this server counted by itself because Redis was out of reach.",
    [],
    (each) => {
      if (sharedLimits !== null) each.inc(sharedLimits().fallbacks);
    },
  );
  return {
    watchQueue: (queue: string, state: () => QueueState) => void queues.set(queue, state),
    /** The circuit breaker of a model provider. */
    watchBreaker: (provider: string, state: () => BreakerState) =>
      void breakers.set(provider, state),
    /** There are no samples where servers share nothing. */
    watchSharedLimits(state: () => RedisBuckets["state"]) {
      sharedLimits = state;
    },
  };
}

/** Gauges with the name of a counter, by the library; their parts by type have right names. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

let processRegistry: Registry | null = null;

/** Metrics of the process, which has one set: its observers never end, whatever runs in it. */
function metricsOfProcess(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
    for (const name of MISNAMED) processRegistry.removeSingleMetric(name);
  }
  return processRegistry;
}
