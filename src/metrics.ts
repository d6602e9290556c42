import { Counter, Histogram, Registry } from "prom-client";
import type { CallMetrics } from "./edge/observed-calls.ts";
import type { ServiceMetrics } from "./service/context.ts";

const CALL_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DURATION_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** The metrics of one process, and how they are read. */
export interface Metrics extends ServiceMetrics, CallMetrics {
  readonly contentType: string;
  /** Everything, in the Prometheus text format. */
  render(): Promise<string>;
}

/** Labels hold names of providers and models only: never text, tenants, accounts or keys. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ["operation", "provider", "model"] as const;
  const apiCalls = new Histogram({
    name: "agent_memory_call_duration_seconds",
    help: "Time of calls of the API until their answers were sent, by RPC, protocol and gRPC code.",
    labelNames: ["rpc", "protocol", "code"] as const,
    buckets: CALL_BUCKETS_S,
    registers,
  });
  const calls = new Counter({
    name: "agent_memory_model_calls_total",
    help: "Calls of models that succeeded.",
    labelNames,
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
    help: "Time of calls of models, retries and waits included.",
    labelNames,
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const firstText = new Histogram({
    name: "agent_memory_first_text_seconds",
    help: "Time from a question until the first text of its answer, where the answer is given while it comes.",
    buckets: CALL_BUCKETS_S,
    registers,
  });
  const statedFacts = new Counter({
    name: "agent_memory_stated_facts_total",
    help: "Facts that a model stated of a conversation, believed or not.",
    labelNames: ["provider", "model"] as const,
    registers,
  });
  const doubtedFacts = new Counter({
    name: "agent_memory_doubted_facts_total",
    help: "Stated facts that were in doubt, by the gravest reason: what calls of the operation verify ask about.",
    labelNames: ["provider", "model", "reason"] as const,
    registers,
  });
  const rejectedFacts = new Counter({
    name: "agent_memory_rejected_facts_total",
    help: "Facts that a model stated and that were not believed, by the reason.",
    labelNames: ["provider", "model", "reason"] as const,
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
  return {
    called: ({ durationMs, ...labels }) => apiCalls.observe(labels, durationMs / 1_000),
    modelCalled({ operation, provider, model, ...usage }) {
      const labels = { operation, provider, model };
      calls.inc(labels);
      attempts.inc(labels, usage.attempts);
      duration.observe(labels, usage.durationMs / 1_000);
      tokens.inc({ ...labels, direction: "input" }, usage.inputTokens ?? 0);
      tokens.inc({ ...labels, direction: "output" }, usage.outputTokens ?? 0);
      if (usage.facts === undefined) return;
      const { stated, doubts, rejections } = usage.facts;
      statedFacts.inc({ provider, model }, stated);
      for (const reason of doubts) doubtedFacts.inc({ provider, model, reason });
      for (const reason of rejections) rejectedFacts.inc({ provider, model, reason });
    },
    answerBegan: (durationMs) => firstText.observe(durationMs / 1_000),
    classified: (outcome) => classifications.inc({ outcome }),
    restored: () => restores.inc(),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}
