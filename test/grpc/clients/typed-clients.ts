import {
  type DescMessage,
  fromJson,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import {
  type AgentMemoryClient,
  AgentMemoryError,
  createClient,
  type TransportName,
} from "agent-memory/client";
import { createClient as createGrpcJsClient } from "agent-memory/client/grpc-js";
import { codeName } from "../code-name.ts";
import { type ApiClient, type ApiError, metadataOf, type Streamed } from "./api-client.ts";
import { answerOf, outputOf, REST_FORM, restFormOf, STREAMS } from "./connect-clients.ts";
import { type PlainMessage, toStreamed } from "./rest-form.ts";

/** The project's own client, each of whose calls is sent once. */
export function typedClient(transport: TransportName): (baseUrl: string) => ApiClient {
  return (url) => apiClientOf(createClient({ url, transport, maxAttempts: 1 }));
}

/** The same over `@grpc/grpc-js`. */
export function typedGrpcJs(url: string): ApiClient {
  return apiClientOf(createGrpcJsClient({ url, maxAttempts: 1 }));
}

function apiClientOf({ transport, close }: AgentMemoryClient): ApiClient {
  return {
    protocol: "rpc",
    async call(rpc, request, options) {
      try {
        return { ok: true, body: await answerOf(transport, rpc, request, options) };
      } catch (error) {
        if (!(error instanceof AgentMemoryError)) throw error;
        return { ok: false, error: apiErrorOf(error, outputOf(rpc)) };
      }
    },
    async stream(rpc, request, options, onMessage) {
      const method = STREAMS.find((each) => each.name === rpc);
      if (method === undefined) throw new Error(`No service has an RPC ${rpc}`);
      const messages: Streamed[] = [];
      try {
        const { message } = await transport.stream(
          method,
          options.signal,
          undefined,
          metadataOf(options),
          createAsyncIterable([fromJson(method.input, request as JsonValue)]),
        );
        for await (const each of message) {
          const json = toJson(method.output, each as Message, REST_FORM);
          const streamed = toStreamed(method.output, json as PlainMessage);
          messages.push(streamed);
          onMessage?.(streamed);
        }
        return { messages, error: null };
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof AgentMemoryError)) throw error;
        return { messages, error: apiErrorOf(error, method.output) };
      }
    },
    close,
  };
}

function apiErrorOf(error: AgentMemoryError, output: DescMessage): ApiError {
  const { retryAfterMs, partial } = error;
  return {
    reason: error.reason,
    detail: error.message,
    status: null,
    code: codeName(error.code),
    field: error.field,
    retryAfterSeconds: retryAfterMs === null ? null : retryAfterMs / 1_000,
    partial: partial === null ? null : restFormOf(output, partial),
  };
}
