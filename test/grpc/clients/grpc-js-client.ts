import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ClientReadableStream,
  type ClientWritableStream,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceError,
  status as statusCode,
} from "@grpc/grpc-js";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";
import { file_agentmemory_v1_memory_service } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { file_agentmemory_v1_plan_service } from "../../../gen/agentmemory/v1/plan_service_pb.ts";
import { file_agentmemory_v1_settings_service } from "../../../gen/agentmemory/v1/settings_service_pb.ts";
import {
  type ApiClient,
  type ApiError,
  type ApiRequest,
  type CallOptions,
  type Json,
  kindOfLine,
  metadataOf,
  type Outcome,
  type Rpc,
  type Streamed,
  type StreamOutcome,
  type StreamRpc,
} from "./api-client.ts";
import { fromRestForm, type PlainMessage, toRestForm, toStreamed } from "./rest-form.ts";

const GOOGLE_PROTOS = dirname(
  fileURLToPath(import.meta.resolve("google-proto-files/package.json")),
);

/**
 * The protos themselves, read by protobufjs: nothing of this client, neither its
 * HTTP/2 nor its encoding, is shared with the service.
 */
const definitions = loadSync(
  [
    "agentmemory/v1/memory_service.proto",
    "agentmemory/v1/settings_service.proto",
    "agentmemory/v1/plan_service.proto",
    "google/rpc/status.proto",
    "google/rpc/error_details.proto",
  ],
  {
    includeDirs: [join(import.meta.dirname, "../../../proto"), GOOGLE_PROTOS],
    keepCase: true,
    longs: Number,
    defaults: true,
  },
);

const SERVICES = [
  file_agentmemory_v1_memory_service,
  file_agentmemory_v1_settings_service,
  file_agentmemory_v1_plan_service,
].flatMap(({ services }) => services);

/** Which fields of requests are times. */
const TIMES = [
  "valid_from",
  "valid_to",
  "as_of",
  "known_at",
  "created_after",
  "created_before",
  "created_at",
  "superseded_at",
  "stated_at",
  "at",
];

/** Which fields of messages are any JSON objects. */
const STRUCTS = ["content_parts", "tool_calls", "function_call", "annotations", "audio", "detail"];

/** Which fields of requests are messages that have such fields. */
const MESSAGES = ["messages", "memory", "format", "events", "history"];

type Done = (error: ServiceError | null, response: PlainMessage) => void;
type UnaryCall = (request: object, metadata: Metadata, done: Done) => void;

/** gRPC by `@grpc/grpc-js` and `@grpc/proto-loader`. */
export function grpcJs(baseUrl: string): ApiClient {
  const root = loadPackageDefinition(definitions) as Json;
  const address = new URL(baseUrl).host;
  const stubs = SERVICES.map(
    ({ name }) => new root.agentmemory.v1[name](address, credentials.createInsecure()),
  );
  return {
    protocol: "rpc",
    call(rpc, request, options) {
      const stub = stubs.find((each) => rpc in each);
      const metadata = metadataFor(options);
      return new Promise<Outcome>((resolve) => {
        const done: Done = (error, response) =>
          resolve(
            error === null
              ? { ok: true, body: toRestForm(outputOf(rpc), response) }
              : { ok: false, error: apiError(error) },
          );
        if (rpc !== "ImportMemories") {
          (stub[rpc] as UnaryCall).call(stub, requestObject(rpc, request), metadata, done);
          return;
        }
        const call: ClientWritableStream<object> = stub[rpc](metadata, done);
        for (const line of request.lines as readonly Json[]) {
          call.write(messageObject({ [kindOfLine(line)]: line }));
        }
        call.end();
      });
    },
    stream(rpc, request, { signal, ...options }, onMessage) {
      const stub = stubs.find((each) => rpc in each);
      const call: ClientReadableStream<PlainMessage> = stub[rpc](
        messageObject(request),
        metadataFor(options),
      );
      signal?.addEventListener("abort", () => call.cancel(), { once: true });
      const messages: Streamed[] = [];
      const { promise, resolve, reject } = Promise.withResolvers<StreamOutcome>();
      call.on("data", (message: PlainMessage) => {
        const streamed = toStreamed(outputOf(rpc), message);
        messages.push(streamed);
        onMessage?.(streamed);
      });
      call.on("end", () => resolve({ messages, error: null }));
      call.on("error", (error: ServiceError) => {
        if (signal?.aborted) reject(signal.reason);
        else resolve({ messages, error: apiError(error) });
      });
      return promise;
    },
    close: () => {
      for (const stub of stubs) stub.close();
    },
  };
}

function metadataFor(options: CallOptions): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(metadataOf(options))) metadata.set(name, value);
  return metadata;
}

function requestObject(rpc: Rpc, request: ApiRequest): object {
  return rpc === "UpdateSettings"
    ? { settings: request, update_mask: { paths: Object.keys(request) } }
    : messageObject(request);
}

function messageObject(request: ApiRequest): object {
  return fieldsObject(fromRestForm(request));
}

function valueObject(field: string, value: unknown): unknown {
  if (value === null) return value;
  if (TIMES.includes(field)) return timestampObject(String(value));
  if (STRUCTS.includes(field)) return Array.isArray(value) ? value.map(struct) : struct(value);
  // Of an import's line it is an object or a list, of an export's format a text.
  if (!MESSAGES.includes(field) || typeof value !== "object") return value;
  return Array.isArray(value) ? value.map(fieldsObject) : fieldsObject(value);
}

function fieldsObject(message: object): object {
  return Object.fromEntries(
    Object.entries(message).map(([name, each]) => [name, valueObject(name, each)]),
  );
}

/** A JSON object as google.protobuf.Struct has it. */
function struct(object: Json): Json {
  const fields = Object.entries(object).map(([name, value]) => [name, structValue(value)]);
  return { fields: Object.fromEntries(fields) };
}

function structValue(value: Json): Json {
  if (value === null) return { nullValue: 0 };
  if (Array.isArray(value)) return { listValue: { values: value.map(structValue) } };
  if (typeof value === "object") return { structValue: struct(value) };
  return { [`${typeof value === "boolean" ? "bool" : typeof value}Value`]: value };
}

function timestampObject(text: string): { seconds: number; nanos: number } {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  return {
    seconds: Math.floor(Date.parse(text) / 1_000),
    nanos: Number(fraction.slice(0, 9).padEnd(9, "0")),
  };
}

/** The calls of which something may have been done in spite of an error. */
const PARTIAL = ["CreateMemories", "ImportMemories"] as const;

function apiError(error: ServiceError): ApiError {
  const [binary] = error.metadata.get("grpc-status-details-bin");
  const details = binary === undefined ? [] : detailsOf(binary as Buffer);
  const info = details.find(({ type }) => type === "google.rpc.ErrorInfo")?.value as Json;
  const retry = details.find(({ type }) => type === "google.rpc.RetryInfo")?.value as Json;
  const partials = PARTIAL.flatMap((rpc) => {
    const output = outputOf(rpc);
    return details
      .filter(({ type }) => type === output.typeName)
      .map(({ value }) => toRestForm(output, value));
  });
  return {
    reason: info?.reason ?? null,
    detail: error.details,
    status: null,
    code: statusCode[error.code],
    field: info?.metadata?.field ?? null,
    retryAfterSeconds: retry?.retry_delay?.seconds ?? null,
    partial: partials[0] ?? null,
  };
}

/** The `google.rpc.Status` that gRPC sends beside code and message. */
function detailsOf(binary: Buffer): { type: string; value: PlainMessage }[] {
  const { details } = decode("google.rpc.Status", binary) as {
    details: { type_url: string; value: Buffer }[];
  };
  return details.map(({ type_url: url, value }) => {
    const type = url.slice(url.lastIndexOf("/") + 1);
    return { type, value: decode(type, value) };
  });
}

function decode(type: string, binary: Buffer): PlainMessage {
  const definition = definitions[type] as MessageTypeDefinition<object, PlainMessage>;
  return definition.deserialize(binary);
}

function outputOf(rpc: Rpc | StreamRpc) {
  const method = SERVICES.flatMap(({ methods }) => methods).find(({ name }) => name === rpc);
  if (method === undefined) throw new Error(`No service has an RPC ${rpc}`);
  return method.output;
}
