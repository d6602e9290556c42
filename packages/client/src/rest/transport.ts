import { memoryServiceRoutes } from "@agent-memory/gen/agentmemory/v1/memory_service_rest";
import { planServiceRoutes } from "@agent-memory/gen/agentmemory/v1/plan_service_rest";
import { settingsServiceRoutes } from "@agent-memory/gen/agentmemory/v1/settings_service_rest";
import type { ResponseFormat, Route } from "@agent-memory/transcoding/route";
import type {
  DescMessage,
  DescMethod,
  JsonObject,
  JsonValue,
  MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import type { Fetch } from "../fetch.ts";
import { collect, createStreamTransport } from "../stream-transport.ts";
import { restErrorOf } from "./error.ts";
import { fromRestJson } from "./json.ts";
import { JSON_LINES_TYPE, linesBody, messagesOf } from "./messages.ts";
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
  return createStreamTransport(async ({ method, header, signal, message }) => {
    const route = routeOf(method);
    const { input, output, methodKind } = method;
    const send = (path: string, body: string | ReadableStream | null, type: string | null) => {
      if (type !== null) header.set("content-type", type);
      const { httpMethod } = route;
      return fetch(baseUrl + path, { method: httpMethod, headers: header, body, duplex, signal });
    };
    const sendOne = async () => {
      const [only] = await collect(message);
      if (only === undefined) throw new ConnectError("a call takes one message", Code.Internal);
      const { path, body } = restRequestOf(route, only);
      const type = body === null ? null : "application/json";
      return send(path, body === null ? null : JSON.stringify(body), type);
    };
    if (methodKind === "server_streaming") header.set("accept", STREAM_TYPES[route.format]);
    // Not every browser's `fetch` sends bodies as they are made.
    const response = await (methodKind === "client_streaming"
      ? send(route.template, linesBody(input, message), JSON_LINES_TYPE)
      : sendOne());
    const { headers } = response;
    const isStream = methodKind === "server_streaming" && response.ok;
    return {
      header: headers,
      trailer: new Headers(),
      message: isStream
        ? messagesOf(route, output, response)
        : createAsyncIterable([await answerOf(route, response, output)]),
    };
  });
}

/** The options of a `fetch` whose body is a stream. */
const duplex = "half";

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
): Promise<MessageShape<Output>> {
  const answer = parseObject(await response.text());
  if (!response.ok || answer === null) throw restErrorOf(response, answer, output);
  return fromRestJson(
    output,
    route.responseBody === null ? answer : { [route.responseBody]: answer },
  );
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
