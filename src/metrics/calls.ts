import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { CallMetrics } from "../edge/observed-calls.ts";

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
