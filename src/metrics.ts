import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { CallMetrics } from "./edge/observed-calls.ts";
import { createCallMetrics } from "./metrics/calls.ts";
import { createMemoryMetrics } from "./metrics/memories.ts";
import { createModelMetrics } from "./metrics/models.ts";
import { createQueueMetrics, type QueueMetrics } from "./metrics/queues.ts";
import { createSharedLimitMetrics, type SharedLimitMetrics } from "./metrics/shared-limits.ts";
import type { ServiceMetrics } from "./service/context.ts";

/** The metrics of one service, and how they are read. */
export interface Metrics extends ServiceMetrics, CallMetrics, QueueMetrics, SharedLimitMetrics {
  readonly contentType: string;
  /** Everything, in the Prometheus text format. */
  render(): Promise<string>;
}

let processRegistry: Registry | null = null;

/**
 * Of a service of this version. Labels hold names of RPCs, reasons, queues, providers and models that the operator
 * chose: never text, tenants, accounts or keys.
 */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: "agent_memory_build_info",
    help: "1, with the version of the service and of Node.js.",
    labelNames: ["version", "node"] as const,
    registers,
  }).set({ version, node: process.version }, 1);
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

/** Gauges with the name of a counter, by the library; their parts by type have right names. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

/**
 * CPU, memory, garbage collection and event loop lag. A process has one set, however many
 * services run in it: its observers of the event loop and of the collector never end.
 */
function metricsOfProcess(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
    for (const name of MISNAMED) processRegistry.removeSingleMetric(name);
  }
  return processRegistry;
}
