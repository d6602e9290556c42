import { memoryServiceRoutes } from "@agent-memory/gen/agentmemory/v1/memory_service_rest";
import { planServiceRoutes } from "@agent-memory/gen/agentmemory/v1/plan_service_rest";
import { settingsServiceRoutes } from "@agent-memory/gen/agentmemory/v1/settings_service_rest";
import { asMessage, fieldOf } from "@agent-memory/transcoding/json";
import type { QueryParameter, ResponseFormat, Route } from "@agent-memory/transcoding/route";
import {
  type DescMessage,
  type DescMethod,
  isMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import type { Fetch } from "../fetch.ts";
import { jsonIn } from "../json-text.ts";
import { collect, createStreamTransport } from "../stream-transport.ts";
import { restErrorOf } from "./error.ts";
import { fromRestJson, toRestJson } from "./json.ts";
import { JSON_LINES_TYPE, linesBody, messagesOf } from "./messages.ts";

const ROUTES = new Map<DescMethod, Route>(
  [...memoryServiceRoutes, ...settingsServiceRoutes, ...planServiceRoutes].map((route) => [
    route.rpc,
    route,
  ]),
);

/** Sends calls as JSON to the generated routes. `baseUrl` has no slash at its end. */
export function createRestTransport(baseUrl: string, fetch: Fetch): Transport {
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
  const { responseBody } = route;
  return fromRestJson(output, responseBody === null ? answer : { [responseBody]: answer });
}

function routeOf(method: DescMethod): Route {
  const route = ROUTES.get(method);
  if (route !== undefined) return route;
  const text = `${method.name} cannot be called over REST: use connect, grpc-web or grpc`;
  throw new ConnectError(text, Code.Unimplemented);
}

/** null: it is no JSON object. */
function parseObject(text: string): JsonObject | null {
  const json: JsonValue = jsonIn(text);
  return typeof json === "object" && !Array.isArray(json) ? json : null;
}

/** The path, with its query, and the body of a request; null: it has none. */
function restRequestOf(route: Route, message: Message) {
  const json = toRestJson(route.rpc.input, message);
  const query = new URLSearchParams(
    route.queryParameters.flatMap((parameter) => parametersOf(parameter, json)),
  ).toString();
  return {
    path: query === "" ? pathOf(route, json) : `${pathOf(route, json)}?${query}`,
    body: bodyOf(route, json, message),
  };
}

function pathOf({ segments, pathParameters, verb }: Route, json: JsonObject): string {
  const written = segments.map((segment, index) => {
    if ("literal" in segment) return segment.literal;
    const { name = "" } = pathParameters.find((parameter) => parameter.segment === index) ?? {};
    return encodeURIComponent(String(json[name] ?? ""));
  });
  return `/${written.join("/")}${verb === null ? "" : `:${verb}`}`;
}

function parametersOf(
  { name, type, repeated }: QueryParameter,
  json: JsonObject,
): [name: string, value: string][] {
  const value = json[name];
  if (value === undefined) return [];
  if (type === "text_map") {
    return Object.entries(value as JsonObject).map(([key, text]) => [
      `${name}[${key}]`,
      String(text),
    ]);
  }
  return (repeated ? (value as JsonValue[]) : [value]).map((each) => [name, String(each)]);
}

function bodyOf(
  { body, updateMask, pathParameters, rpc }: Route,
  json: JsonObject,
  message: Message,
): JsonValue | null {
  if (body === null) return null;
  if (body === "*") {
    const inPath = pathParameters.map(({ name }) => name);
    return Object.fromEntries(Object.entries(json).filter(([name]) => !inPath.includes(name)));
  }
  const given = (json[body] ?? {}) as JsonObject;
  const mask = updateMask && asMessage(message)[fieldOf(rpc.input, updateMask).localName];
  if (!isMessage(mask, FieldMaskSchema)) return given;
  const field = fieldOf(rpc.input, body);
  if (field.fieldKind !== "message") throw new Error(`${field}: a body must be a message`);
  // A field that the mask names and the message lacks is an empty list, or null, which is refused.
  const nothing = (name: string) =>
    field.message.fields.find((each) => each.name === name)?.fieldKind === "list" ? [] : null;
  return Object.fromEntries(mask.paths.map((name) => [name, given[name] ?? nothing(name)]));
}
