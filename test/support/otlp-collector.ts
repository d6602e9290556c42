import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  type JsonObject,
  toJson,
} from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";

/** A span as it came over the wire; IDs in hexadecimal. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** "": it has none. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "other";
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly statusMessage: string;
  /** Of the service that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector of OpenTelemetry on loopback, which takes OTLP over HTTP in protobuf. */
export interface OtlpCollector {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** In the order in which they came. */
  readonly spans: readonly ReceivedSpan[];
  /** The bytes of all requests, to look for what must not be there. */
  contains(text: string): boolean;
  /** The HTTP status that is answered from now on. */
  answerWith(status: number): void;
  /** Answers no more, until the returned function is called. */
  stall(): () => void;
  close(): Promise<void>;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  let stalled: ServerResponse[] | null = null;
  let status = 200;
  const http = createServer(async (request, response) => {
    const body = await buffer(request);
    requests.push({ path: request.url ?? "", headers: request.headers });
    bodies.push(body);
    spans.push(...readSpans(body));
    response.statusCode = status;
    response.setHeader("content-type", "application/x-protobuf");
    if (stalled === null) response.end();
    else stalled.push(response);
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    spans,
    contains: (text) => bodies.some((body) => body.includes(text)),
    answerWith(next) {
      status = next;
    },
    stall() {
      stalled = [];
      return () => {
        for (const response of stalled ?? []) response.end();
        stalled = null;
      };
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** What the messages of OTLP hold, by the numbers of its specification, as far as it is looked at. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, FieldShape>>>> = {
  ExportTraceServiceRequest: { resourceSpans: [1, "ResourceSpans", "many"] },
  ResourceSpans: { resource: [1, "Resource"], scopeSpans: [2, "ScopeSpans", "many"] },
  Resource: { attributes: [1, "KeyValue", "many"] },
  ScopeSpans: { spans: [2, "Span", "many"] },
  Span: {
    traceId: [1, Type.BYTES],
    spanId: [2, Type.BYTES],
    traceState: [3, Type.STRING],
    parentSpanId: [4, Type.BYTES],
    name: [5, Type.STRING],
    kind: [6, Type.INT32],
    startTimeUnixNano: [7, Type.FIXED64],
    endTimeUnixNano: [8, Type.FIXED64],
    attributes: [9, "KeyValue", "many"],
    status: [15, "Status"],
  },
  Status: { message: [2, Type.STRING], code: [3, Type.INT32] },
  KeyValue: { key: [1, Type.STRING], value: [2, "AnyValue"] },
  AnyValue: {
    stringValue: [1, Type.STRING],
    boolValue: [2, Type.BOOL],
    intValue: [3, Type.INT64],
    doubleValue: [4, Type.DOUBLE],
  },
};
type FieldShape = readonly [number: number, type: Type | string, many?: "many"];

const REQUEST = compileMessages();

function compileMessages(): DescMessage {
  const messageType = Object.entries(MESSAGES).map(
    ([name, fields]): DescriptorProto =>
      create(DescriptorProtoSchema, {
        name,
        field: Object.entries(fields).map(([field, [number, type, many]]) => ({
          name: field,
          jsonName: field,
          number,
          label: many === undefined ? Label.OPTIONAL : Label.REPEATED,
          ...(typeof type === "string"
            ? { type: Type.MESSAGE, typeName: `.otlp.${type}` }
            : { type }),
        })),
      }),
  );
  const file = { name: "otlp.proto", package: "otlp", syntax: "proto3", messageType };
  const registry = createFileRegistry(create(FileDescriptorProtoSchema, file), () => undefined);
  const request = registry.getMessage("otlp.ExportTraceServiceRequest");
  if (request === undefined) throw new Error("unreachable: it is in the table");
  return request;
}

type Json = Readonly<Record<string, never>>;
const KINDS = ["other", "internal", "server", "client"] as const;
const STATUS_ERROR = 2;

function readSpans(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = toJson(REQUEST, fromBinary(REQUEST, body)) as unknown as {
    readonly resourceSpans: readonly {
      readonly resource: { readonly attributes: readonly Json[] };
      readonly scopeSpans: readonly { readonly spans: readonly JsonObject[] }[];
    }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: hexOf(span.traceId),
        spanId: hexOf(span.spanId),
        parentSpanId: hexOf(span.parentSpanId),
        traceState: String(span.traceState ?? ""),
        name: String(span.name),
        kind: KINDS[Number(span.kind)] ?? "other",
        startNs: BigInt(String(span.startTimeUnixNano)),
        endNs: BigInt(String(span.endTimeUnixNano)),
        attributes: attributesOf(span.attributes),
        isError: (span.status as JsonObject | undefined)?.code === STATUS_ERROR,
        statusMessage: String((span.status as JsonObject | undefined)?.message ?? ""),
        resource: attributesOf(resource.attributes),
      })),
    ),
  );
}

function hexOf(base64: unknown): string {
  return Buffer.from(String(base64 ?? ""), "base64").toString("hex");
}

function attributesOf(entries: unknown): Record<string, unknown> {
  const list = (entries ?? []) as readonly {
    readonly key: string;
    readonly value?: Readonly<Record<string, string | number>>;
  }[];
  return Object.fromEntries(
    list.map(({ key, value = {} }) => [
      key,
      "intValue" in value ? Number(value.intValue) : Object.values(value)[0],
    ]),
  );
}
