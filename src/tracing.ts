import { AsyncLocalStorage } from "node:async_hooks";
import {
  createTraceState,
  type HrTime,
  type Span as OpenSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingConfig } from "./config/config.ts";
import { Failure } from "./domain/failure.ts";
import type { CallTracer, EndedCall, TraceParent } from "./edge/observed-calls.ts";
import type { Log } from "./log.ts";
import type { SpanAttributes, Tracer } from "./service/tracer.ts";

/** Spans that wait to be sent; further ones are dropped. */
export const MAX_WAITING_SPANS = 2_048;
/** Spans that are sent at once. */
const MAX_BATCH_SPANS = 512;
const BATCH_DELAY_MS = 5_000;
/** Of one batch, with its retries. */
const EXPORT_TIMEOUT_MS = 10_000;
/** What is not sent by then is lost: the process ends. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Of a call, pieces of work that are told of with it; further ones are told of at once. */
const MAX_PIECES_OF_CALL = 1_000;
const MAX_ATTRIBUTE_CHARACTERS = 256;

/** The conventions name those that are the server's doing, not the caller's. */
const SERVER_ERRORS = [
  "unknown",
  "deadline_exceeded",
  "unimplemented",
  "internal",
  "unavailable",
  "data_loss",
];
/** How the conventions name a protocol. */
const RPC_SYSTEMS: Readonly<Record<string, string>> = { "grpc-web": "grpc", connect: "connectrpc" };

export interface TracingRuntime {
  /** Of the service. */
  readonly version: string;
  /** Where the API is served. */
  readonly server: { readonly address: string; readonly port: number };
  /** Microseconds since 1970. */
  now(): bigint;
  /** Milliseconds of a clock that only goes forward. */
  monotonicMs(): number;
  readonly log: Log;
}

export interface Tracing extends Tracer, CallTracer {
  /** Sends what waits to be sent, unless that takes too long. */
  close(): Promise<void>;
}

/** What is going on: a call, or a piece of one. */
interface Current {
  readonly span: OpenSpan;
  readonly call: OpenCall | null;
}

/** A call with the ends of its pieces, which count only once it is known to be told of. */
interface OpenCall {
  /** null: it is over. */
  ends: (() => void)[] | null;
}

/**
 * Sends what calls do to an OpenTelemetry collector, in batches. What cannot be sent is
 * dropped: no call waits for it, and none fails.
 */
export function startTracing(config: TracingConfig, runtime: TracingRuntime): Tracing {
  const { version, server, log } = runtime;
  const exporter = new OTLPTraceExporter({
    url: config.url,
    headers: { ...config.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        "service.version": version,
        ...config.resourceAttributes,
        "service.name": config.serviceName,
      }),
    ),
    sampler: samplerOf(config),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, log),
        maxQueueSize: MAX_WAITING_SPANS,
        maxExportBatchSize: MAX_BATCH_SPANS,
        scheduledDelayMillis: BATCH_DELAY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("agent-memory", version);
  const current = new AsyncLocalStorage<Current>();
  const clock = createClock(runtime);

  function end(span: OpenSpan, call: OpenCall | null): void {
    const endTime = clock();
    const ends = call?.ends ?? null;
    if (ends === null || ends.length >= MAX_PIECES_OF_CALL) span.end(endTime);
    else ends.push(() => span.end(endTime));
  }

  return {
    async span(name, attributes, work) {
      const { span: parent, call = null } = current.getStore() ?? {};
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
      const kind = isRemote(attributes) ? SpanKind.CLIENT : SpanKind.INTERNAL;
      const span = tracer.startSpan(name, { kind, attributes, startTime: clock() }, context);
      try {
        const told = { set: (more: SpanAttributes) => void span.setAttributes(more) };
        return await current.run({ span, call }, () => work(told));
      } catch (error) {
        setFailed(span, kindOf(error));
        throw error;
      } finally {
        end(span, call);
      }
    },

    begin(parent) {
      const options = { kind: SpanKind.SERVER, startTime: clock() };
      const span = tracer.startSpan("call", options, contextOf(parent));
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
          for (const endPiece of call.ends ?? []) endPiece();
          call.ends = null;
          span.end(clock());
        },
      };
    },

    async close() {
      const { promise: tooLate, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        log.warn({}, "the last traces were not sent in time");
        resolve();
      }, CLOSE_TIMEOUT_MS);
      // Why it failed was logged.
      await Promise.race([provider.shutdown().catch(() => {}), tooLate]);
      clearTimeout(timer);
    },
  };
}

function samplerOf({ sampler, sampledShare }: TracingConfig): Sampler {
  const kind = sampler.replace("parentbased_", "");
  const root =
    kind === "always_on"
      ? new AlwaysOnSampler()
      : kind === "always_off"
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(sampledShare);
  return sampler === kind ? root : new ParentBasedSampler({ root });
}

/** The library says nothing where nobody set up its own log. */
function reporting(exporter: OTLPTraceExporter, log: Log): SpanExporter {
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

/** One that only goes forward, and finer than the one that tells the time. */
function createClock({ now, monotonicMs }: TracingRuntime): () => HrTime {
  const originUs = Number(now()) - monotonicMs() * 1_000;
  return () => {
    const us = originUs + monotonicMs() * 1_000;
    const seconds = Math.floor(us / 1_000_000);
    return [seconds, Math.round((us - seconds * 1_000_000) * 1_000)];
  };
}

function contextOf(parent: TraceParent | null) {
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, flags, state } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(state !== null && { traceState: createTraceState(state) }),
  });
}

/** By the conventions for RPCs; a call of the JSON API has the code of its RPC. */
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

function isRemote(attributes: SpanAttributes): boolean {
  const { "gen_ai.provider.name": provider = "local" } = attributes;
  return provider !== "local";
}

function setFailed(span: OpenSpan, kind: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttributes({ "error.type": kind });
}

/** Never what an error says: that may be anybody's text. */
function kindOf(error: unknown): string {
  if (error instanceof Failure) return error.reason;
  if (!(error instanceof Error)) return "unknown";
  return error.cause instanceof Failure ? error.cause.reason : error.name;
}
