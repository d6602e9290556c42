import { asMessage, fieldOf } from "@agent-memory/transcoding/json";
import type { QueryParameter, Route } from "@agent-memory/transcoding/route";
import { isMessage, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { toRestJson } from "./json.ts";

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  /** null: it has none. */
  readonly body: JsonValue | null;
}

/** The HTTP request that a route reads this message from. */
export function restRequestOf(route: Route, message: Message): RestRequest {
  const json = toRestJson(route.rpc.input, message);
  const query = new URLSearchParams(
    route.queryParameters.flatMap((parameter) => parametersOf(parameter, json)),
  ).toString();
  return {
    method: route.httpMethod,
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
