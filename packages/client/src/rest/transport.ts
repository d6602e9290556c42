import { memoryServiceRoutes } from "@agent-memory/gen/agentmemory/v1/memory_service_rest";
import { planServiceRoutes } from "@agent-memory/gen/agentmemory/v1/plan_service_rest";
import { settingsServiceRoutes } from "@agent-memory/gen/agentmemory/v1/settings_service_rest";
import type { ResponseFormat, Route } from "@agent-memory/transcoding/route";
import type {
  DescMessage,
  DescMethod,
  JsonObject,
  JsonValue,
  Message,
  MessageShape,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextValues,
  type StreamRequest,
  type Transport,
  type UnaryRequest,
} from "@connectrpc/connect";
import { createAsyncIterable, runStreamingCall, runUnaryCall } from "@connectrpc/connect/protocol";
import type { Fetch } from "../fetch.ts";
import { restErrorOf } from "./error.ts";
import { fromRestJson } from "./json.ts";
import { JSON_LINES_TYPE, linesBody } from "./lines.ts";
import { messagesOf } from "./messages.ts";
import { restRequestOf } from "./request.ts";

const ROUTES = new Map<DescMethod, Route>(
  [...memoryServiceRoutes, ...settingsServiceRoutes, ...planServiceRoutes].map((route) => [
    route.rpc,
    route,
  ]),
);

export interface RestTransportOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
}

/** A transport that sends calls as JSON over HTTP, at the paths of the generated routes. */
export function createRestTransport({ baseUrl, fetch }: RestTransportOptions): Transport {
  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const route = routeOf(method);
      const { output } = method;
      return runUnaryCall({
        signal,
        timeoutMs,
        req: {
          ...requestOf(route, method, contextValues),
          stream: false,
          header: new Headers(header),
          message: input,
        },
        async next(request) {
          const answer = await answerOf(route, await send(route, request, request.message), output);
          return {
            stream: false,
            service: method.parent,
            method,
            ...answer,
            trailer: new Headers(),
          };
        },
      });
    },

    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const route = routeOf(method);
      const { output } = method;
      return runStreamingCall({
        signal,
        timeoutMs,
        req: {
          ...requestOf(route, method, contextValues),
          stream: true,
          header: new Headers(header),
          message: input,
        },
        async next(request) {
          if (method.methodKind === "client_streaming") {
            const answer = await answerOf(route, await sendLines(route, request), output);
            return {
              stream: true,
              service: method.parent,
              method,
              header: answer.header,
              message: createAsyncIterable([answer.message]),
              trailer: new Headers(),
            };
          }
          for await (const message of request.message) {
            request.header.set("accept", STREAM_TYPES[route.format]);
            const response = await send(route, request, message);
            if (!response.ok) {
              throw restErrorOf(response, parseObject(await response.text()), output);
            }
            return {
              stream: true,
              service: method.parent,
              method,
              header: response.headers,
              message: messagesOf(route, output, response),
              trailer: new Headers(),
            };
          }
          throw new ConnectError("a stream is asked for by one message", Code.Internal);
        },
      });
    },
  };

  function requestOf<Method extends DescMethod>(
    { httpMethod, template }: Route,
    method: Method,
    contextValues = createContextValues(),
  ) {
    const url = baseUrl + template;
    return { service: method.parent, method, requestMethod: httpMethod, url, contextValues };
  }

  /** Where the platform's `fetch` sends bodies as they are made, which not every browser's does. */
  function sendLines(
    route: Route,
    { header, signal, message }: Pick<StreamRequest, "header" | "signal" | "message">,
  ): Promise<Response> {
    header.set("content-type", JSON_LINES_TYPE);
    const request = {
      method: route.httpMethod,
      headers: header,
      body: linesBody(route.rpc.input, message),
      duplex: "half",
      signal,
    } as const;
    return fetch(baseUrl + route.template, request);
  }

  function send(
    route: Route,
    { header, signal }: Pick<UnaryRequest, "header" | "signal">,
    message: Message,
  ): Promise<Response> {
    const { method, path, body } = restRequestOf(route, message);
    if (body !== null) header.set("content-type", "application/json");
    return fetch(baseUrl + path, {
      method,
      headers: header,
      body: body === null ? null : JSON.stringify(body),
      signal,
    });
  }
}

const STREAM_TYPES: Readonly<Record<ResponseFormat, string>> = {
  json: "application/json",
  ndjson: JSON_LINES_TYPE,
  event_stream: "text/event-stream",
};

/** The one message of an answer. Throws a ConnectError where it is an error. */
async function answerOf<Output extends DescMessage>(
  route: Route,
  response: Response,
  output: Output,
): Promise<{ readonly header: Headers; readonly message: MessageShape<Output> }> {
  const answer = parseObject(await response.text());
  if (!response.ok || answer === null) throw restErrorOf(response, answer, output);
  return { header: response.headers, message: responseOf(route, output, answer) };
}

function routeOf(method: DescMethod): Route {
  const route = ROUTES.get(method);
  if (route !== undefined) return route;
  const text = `${method.name} cannot be called over REST: use connect, grpc-web or grpc`;
  throw new ConnectError(text, Code.Unimplemented);
}

/** null: it is no JSON object. */
function parseObject(text: string): JsonObject | null {
  try {
    const json: JsonValue = JSON.parse(text);
    return typeof json === "object" && !Array.isArray(json) ? json : null;
  } catch {
    return null;
  }
}

function responseOf<Output extends DescMessage>(
  { responseBody }: Route,
  output: Output,
  json: JsonObject,
): MessageShape<Output> {
  return fromRestJson(output, responseBody === null ? json : { [responseBody]: json });
}
