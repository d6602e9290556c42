import {
  fraction,
  headerList,
  nameValueList,
  oneOf,
  url,
  type ValuesOf,
  visibleText,
} from "./variable.ts";

/** Where traces are sent, and which. */
export interface TracingConfig {
  /** What spans are posted to, as OTLP in protobuf. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: TraceSampler;
  /** Of the traces that begin here, for samplers by ratio. */
  readonly sampledShare: number;
}

const TRACE_SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type TraceSampler = (typeof TRACE_SAMPLERS)[number];

const DEFAULT_SERVICE_NAME = "agent-memory";
const MAX_SERVICE_NAME_CHARACTERS = 256;
const MAX_HEADERS = 16;
const MAX_RESOURCE_ATTRIBUTES = 64;
const TRACES_PATH = "v1/traces";

/** By the names that the OpenTelemetry specification gives them. */
export const TRACING_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    ["https", "http"],
    "OpenTelemetry collector that traces are sent to, at `/v1/traces` below this address; unset: nothing is traced.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(
    ["https", "http"],
    "The whole address that traces are sent to, in place of OTEL_EXPORTER_OTLP_ENDPOINT.",
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(
    "http/protobuf",
    ["http/protobuf"],
    "How traces are sent; there is no other way.",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: headerList(
    MAX_HEADERS,
    "Headers that are sent along, as `name=value`, separated by commas, values percent-encoded.",
  ),
  OTEL_SERVICE_NAME: visibleText(
    MAX_SERVICE_NAME_CHARACTERS,
    `What traces call the service; unset: ${DEFAULT_SERVICE_NAME}.`,
  ),
  OTEL_RESOURCE_ATTRIBUTES: nameValueList(
    MAX_RESOURCE_ATTRIBUTES,
    "What else traces say of the service, as OTEL_EXPORTER_OTLP_HEADERS, such as `deployment.environment.name=production`.",
  ),
  OTEL_TRACES_SAMPLER: oneOf(
    "parentbased_always_on",
    TRACE_SAMPLERS,
    "Which calls are traced: `parentbased_` follows what the caller's traceparent says.",
  ),
  OTEL_TRACES_SAMPLER_ARG: fraction(
    1,
    "Share of the traces begun here that the samplers by traceidratio take.",
  ),
} as const;

/** null: nothing is traced. */
export function assembleTracing(values: ValuesOf<typeof TRACING_VARIABLES>): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = values;
  if (base === null && whole === null) return null;
  return Object.freeze({
    url: whole ?? `${(base ?? "").replace(/\/+$/, "")}/${TRACES_PATH}`,
    headers: Object.freeze(values.OTEL_EXPORTER_OTLP_HEADERS ?? {}),
    serviceName: values.OTEL_SERVICE_NAME ?? DEFAULT_SERVICE_NAME,
    resourceAttributes: Object.freeze(values.OTEL_RESOURCE_ATTRIBUTES ?? {}),
    sampler: values.OTEL_TRACES_SAMPLER,
    sampledShare: values.OTEL_TRACES_SAMPLER_ARG,
  });
}
