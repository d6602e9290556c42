import { AsyncLocalStorage } from "node:async_hooks";
import {
  defaultTextMapGetter,
  type Span as OpenSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { hrTime, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { inTime } from "./concurrency/bounds.ts";
import type { TracingConfig } from "./config/config.ts";
import { Failure } from "./domain/failure.ts";
import type { CallTracer, EndedCall } from "./edge/observed-calls.ts";
import type { Log } from "./log.ts";
import type { SpanAttributes, Tracer } from "./service/context.ts";

/** Spans that wait to be sent; further ones are dropped. */
export const MAX_WAITING_SPANS = 2_048;
/** Spans of one request to the collector. */
const MAX_BATCH_SPANS = 512;
const BATCH_DELAY_MS = 5_000;
/** Timeout of one batch, with its retries. */
const EXPORT_TIMEOUT_MS = 10_000;
/** The process ends then, and unsent spans are lost. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Child spans that wait for the end of their call; further ones end at once. */
const MAX_WAITING_CHILDREN = 1_000;
const MAX_ATTRIBUTE_CHARACTERS = 256;

/** The conventions count these codes as errors of the server. */
const SERVER_ERRORS = [
  "unknown",
  "deadline_exceeded",
  "unimplemented",
  "internal",
  "unavailable",
  "data_loss",
];
/** Names of protocols in the conventions. */
const RPC_SYSTEMS: Readonly<Record<string, string>> = { "grpc-web": "grpc", connect: "connectrpc" };

export interface TracingRuntime {
  readonly log: Log;
  /** Version of the service. */
  readonly version: string;
  /** Address of the API. */
  readonly server: { readonly address: string; readonly port: number };
}

export interface Tracing extends Tracer, CallTracer {
  /** Sends the waiting spans, within a time limit. */
  close(): Promise<void>;
}

/** The current span and the call that it belongs to. */
interface Current {
  readonly span: OpenSpan;
  readonly call: OpenCall | null;
}

/** A call in progress. Its child spans end with it, so that a call that is not recorded has none. */
interface OpenCall {
  /** Ends its child spans; null: the call has ended. */
  ends: (() => void)[] | null;
}

/**
 * Sends the spans of calls to an OpenTelemetry collector, in batches. Spans that cannot be sent
 * are dropped: no call waits or fails because of them.
 */
export function startTracing(config: TracingConfig, runtime: TracingRuntime): Tracing {
  const { version, server, log } = runtime;
  const { url, sampledShare } = config;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS });
  const service = { "service.version": version, "service.name": "agent-memory" };
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(service))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggingFailures(exporter, log),
        maxQueueSize: MAX_WAITING_SPANS,
        maxExportBatchSize: MAX_BATCH_SPANS,
        scheduledDelayMillis: BATCH_DELAY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("agent-memory", version);
  const current = new AsyncLocalStorage<Current>();
  const propagator = new W3CTraceContextPropagator();

  function end(span: OpenSpan, call: OpenCall | null): void {
    const endTime = hrTime();
    const ends = call?.ends ?? null;
    if (ends === null || ends.length >= MAX_WAITING_CHILDREN) span.end(endTime);
    else ends.push(() => span.end(endTime));
  }

  return {
    async span(name, attributes, work) {
      const { span: parent, call = null } = current.getStore() ?? {};
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
      const { "gen_ai.provider.name": model = "local" } = attributes;
      const kind = model === "local" ? SpanKind.INTERNAL : SpanKind.CLIENT;
      const span = tracer.startSpan(name, { kind, attributes, startTime: hrTime() }, context);
      try {
        const attributeSetter = { set: (more: SpanAttributes) => void span.setAttributes(more) };
        return await current.run({ span, call }, () => work(attributeSetter));
      } catch (error) {
        setFailed(span, kindOf(error));
        throw error;
      } finally {
        end(span, call);
      }
    },

    begin(headers) {
      const options = { kind: SpanKind.SERVER, startTime: hrTime() };
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = tracer.startSpan("call", options, parent);
      const call: OpenCall = { ends: [] };
      return {
        traceId: span.spanContext().traceId,
        run: (work) => current.run({ span, call }, work),
        end(ended) {
          span.updateName(ended.rpc === "none" ? ended.protocol : ended.rpc);
          span.setAttributes({
            ...rpcAttributes(ended),
            "http.request.method": ended.httpMethod,
            "http.response.status_code": ended.httpStatus,
            "server.address": server.address,
            "server.port": server.port,
          });
          if (SERVER_ERRORS.includes(ended.code)) setFailed(span, ended.reason ?? ended.code);
          for (const endChild of call.ends ?? []) endChild();
          call.ends = null;
          span.end(hrTime());
        },
      };
    },

    async close() {
      // The exporter has logged the reason of a failure.
      const closed = provider.shutdown().catch(() => {});
      const warn = () => log.warn({}, "the last traces were not sent in time");
      await inTime(closed, CLOSE_TIMEOUT_MS).catch(warn);
    },
  };
}

/** Logs failed exports: the library logs only to a logger of its own. */
function loggingFailures(exporter: OTLPTraceExporter, log: Log): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined) {
          const code = "code" in result.error ? result.error.code : result.error.name;
          log.warn({ spans: spans.length, code }, "traces could not be sent");
        }
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Attributes by the conventions for RPCs. A call of the JSON API has the code of its RPC. */
function rpcAttributes({ rpc, protocol, code }: EndedCall): SpanAttributes {
  const isConnect = protocol === "connect";
  const status = isConnect ? code : code === "canceled" ? "CANCELLED" : code.toUpperCase();
  return {
    "rpc.system.name": RPC_SYSTEMS[protocol] ?? protocol,
    ...(rpc !== "none" && { "rpc.method": rpc }),
    // Connect has no code for a success.
    ...(!(isConnect && code === "ok") && { "rpc.response.status_code": status }),
  };
}

function setFailed(span: OpenSpan, kind: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttributes({ "error.type": kind });
}

/** The kind of an error, never its message, which may contain text of users. */
function kindOf(error: unknown): string {
  if (error instanceof Failure) return error.reason;
  if (!(error instanceof Error)) return "unknown";
  return error.cause instanceof Failure ? error.cause.reason : error.name;
}
