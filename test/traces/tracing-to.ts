import type { TracingConfig } from "../../src/config/config.ts";

export const COLLECTOR_HEADERS = { "x-collector-key": "collector-key-1" };
// The library of traces reads them by itself.
process.env.OTEL_EXPORTER_OTLP_HEADERS = "x-collector-key=collector-key-1";
process.env.OTEL_SERVICE_NAME = "memories";
process.env.OTEL_RESOURCE_ATTRIBUTES = "deployment.environment.name=test";

/** All that is traced goes to the collector at `origin`. */
export function tracingTo(origin: string, sampledShare = 1): TracingConfig {
  return { url: `${origin}/v1/traces`, sampledShare };
}
