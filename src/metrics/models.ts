import { Counter, Histogram, type Registry } from "prom-client";
import type { ModelMetrics } from "../service/context.ts";

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
