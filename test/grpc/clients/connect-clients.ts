import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromJson,
  type JsonValue,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import {
  BatchCreateMemoriesResponseSchema,
  CreateMemoriesResponseSchema,
  ImportMemoriesResponseSchema,
  MemoryService,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { PlanService } from "../../../gen/agentmemory/v1/plan_service_pb.ts";
import {
  SettingsSchema,
  SettingsService,
  UpdateSettingsRequestSchema,
} from "../../../gen/agentmemory/v1/settings_service_pb.ts";
import { ErrorInfoSchema, RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.ts";
import { codeName } from "../code-name.ts";
import {
  type ApiClient,
  type ApiError,
  type ApiRequest,
  type CallOptions,
  type Json,
  kindOfLine,
  metadataOf,
  type Rpc,
  type Streamed,
} from "./api-client.ts";
import { fromRestForm, type PlainMessage, toRestForm, toStreamed } from "./rest-form.ts";

const METHODS = [MemoryService, SettingsService, PlanService].flatMap(
  ({ methods }) => methods as readonly DescMethod[],
);
const UNARY = METHODS.filter((method): method is DescMethodUnary => method.methodKind === "unary");
const CLIENT_STREAMS = METHODS.filter(
  (method): method is DescMethodClientStreaming => method.methodKind === "client_streaming",
);
export const STREAMS = METHODS.filter(
  (method): method is DescMethodServerStreaming => method.methodKind === "server_streaming",
);

/** Connect's gRPC client. */
export function connectGrpc(baseUrl: string): ApiClient {
  const sessionManager = new Http2SessionManager(baseUrl);
  const transport = createGrpcTransport({ baseUrl, sessionManager });
  return connectClient(transport, () => sessionManager.abort());
}

/** gRPC-Web as browsers speak it: HTTP/1.1, trailers in the body. */
export function grpcWeb(baseUrl: string): ApiClient {
  const transport = createGrpcWebTransport({ baseUrl, httpVersion: "1.1" });
  return connectClient(transport, () => {});
}

/** The Connect protocol with JSON, over HTTP/1.1. */
export function connectJson(baseUrl: string): ApiClient {
  const transport = createConnectTransport({ baseUrl, httpVersion: "1.1" });
  return connectClient(transport, () => {});
}

function connectClient(transport: Transport, close: () => void): ApiClient {
  return {
    protocol: "rpc",
    async call(rpc, request, options) {
      try {
        return { ok: true, body: await answerOf(transport, rpc, request, options) };
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error;
        return { ok: false, error: apiError(error) };
      }
    },
    async stream(rpc, request, options, onMessage) {
      const method = STREAMS.find((each) => each.name === rpc);
      if (method === undefined) throw new Error(`No service has an RPC ${rpc}`);
      const messages: Streamed[] = [];
      try {
        const input = fromJson(method.input, request as JsonValue);
        const { message } = await transport.stream(
          method,
          options.signal,
          undefined,
          metadataOf(options),
          createAsyncIterable([input]),
        );
        for await (const each of message) {
          const json = toJson(method.output, each as MessageShape<DescMessage>, REST_FORM);
          const streamed = toStreamed(method.output, json as PlainMessage);
          messages.push(streamed);
          onMessage?.(streamed);
        }
        return { messages, error: null };
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof ConnectError)) throw error;
        return { messages, error: apiError(error) };
      }
    },
    close,
  };
}

/** The answer of an RPC that has one, in the JSON form of REST. */
export async function answerOf(
  transport: Transport,
  rpc: Rpc,
  request: ApiRequest,
  options: CallOptions,
): Promise<Json> {
  const metadata = metadataOf(options);
  const unary = UNARY.find((each) => each.name === rpc);
  if (unary !== undefined) {
    const input = requestMessage(rpc, unary.input, request);
    const answer = await transport.unary(unary, options.signal, undefined, metadata, input);
    return restFormOf(unary.output, answer.message);
  }
  const method = CLIENT_STREAMS.find((each) => each.name === rpc);
  if (method === undefined) throw new Error(`No service has an RPC ${rpc}`);
  const lines = request.lines as readonly Json[];
  const inputs = lines.map((line) => fromJson(method.input, { [kindOfLine(line)]: line }));
  const requests = createAsyncIterable(inputs);
  const answer = await transport.stream(method, options.signal, undefined, metadata, requests);
  for await (const message of answer.message) return restFormOf(method.output, message);
  throw new Error(`${rpc} has no response`);
}

export function outputOf(rpc: Rpc): DescMessage {
  const method = METHODS.find((each) => each.name === rpc);
  if (method === undefined) throw new Error(`No service has an RPC ${rpc}`);
  return method.output;
}

function requestMessage(rpc: Rpc, input: DescMessage, request: ApiRequest) {
  if (rpc !== "UpdateSettings") return fromJson(input, fromRestForm(request) as JsonValue);
  return create(UpdateSettingsRequestSchema, {
    settings: fromJson(SettingsSchema, request as JsonValue),
    updateMask: { paths: Object.keys(request) },
  });
}

export const REST_FORM = { useProtoFieldName: true, alwaysEmitImplicit: true };

export function restFormOf(desc: DescMessage, message: MessageShape<DescMessage>): Json {
  return toRestForm(desc, toJson(desc, message, REST_FORM) as PlainMessage);
}

/** What may have been done in spite of an error. */
const PARTIAL: readonly DescMessage[] = [
  BatchCreateMemoriesResponseSchema,
  CreateMemoriesResponseSchema,
  ImportMemoriesResponseSchema,
];

function apiError(error: ConnectError): ApiError {
  const [info] = error.findDetails(ErrorInfoSchema);
  const [retry] = error.findDetails(RetryInfoSchema);
  const [partial] = PARTIAL.flatMap((schema) =>
    error.findDetails(schema).map((message) => restFormOf(schema, message)),
  );
  return {
    reason: info?.reason ?? null,
    detail: error.rawMessage,
    status: null,
    code: codeName(error.code),
    field: info?.metadata.field ?? null,
    retryAfterSeconds: retry?.retryDelay === undefined ? null : Number(retry.retryDelay.seconds),
    partial: partial ?? null,
  };
}
