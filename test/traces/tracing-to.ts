import type { TracingConfig } from "../../src/config/config.ts";

export const COLLECTOR_HEADERS = { "x-collector-key": "collector-key-1" };

/** All that is traced goes to the collector at `origin`. */
export function tracingTo(origin: string, more: Partial<TracingConfig> = {}): TracingConfig {
  return {
    url: `${origin}/v1/traces`,
    headers: COLLECTOR_HEADERS,
    serviceName: "memories",
    resourceAttributes: { "deployment.environment.name": "test" },
    sampler: "parentbased_always_on",
    sampledShare: 1,
    ...more,
  };
}
