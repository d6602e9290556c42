import { create, type DescMessage } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { type AnyMessage, fieldOf, jsonNameOf } from "./json/field.ts";
import {
  createJsonReaderCompiler,
  type JsonReaderCompiler,
  type ParseTimestamp,
} from "./json/reader.ts";
import { at, type Location, refuse } from "./rest-error.ts";
import type { QueryParameter, Route } from "./route.ts";
import { percentDecode } from "./router.ts";

/** The parts of a request. */
export interface RequestParts {
  /** Segments of the path: raw, without the verb. */
  readonly segments: readonly string[];
  /** Raw, without `?`. */
  readonly query: string;
  /** Null where the route has no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Puts the parts of a request into one message. Throws a RestError. */
export type ReadRequest = (parts: RequestParts) => AnyMessage;

/** Compiles at start-up; throws for a message that cannot be read. */
export function compileRequestReader(route: Route, parseTimestamp: ParseTimestamp): ReadRequest {
  const compiler = createJsonReaderCompiler({ parseTimestamp });
  const readPath = compilePathReader(route, compiler);
  const readQuery = compileQueryReader(route, compiler);
  const readBody = compileBodyReader(route, parseTimestamp);
  return ({ segments, query, body }) => {
    const message = readBody(body ?? {});
    readQuery(message, query);
    readPath(message, segments);
    return message;
  };
}

/** Reads the part of a request that its body carries. The fields of the path are refused there. */
function compileBodyReader(
  { body, updateMask, pathParameters, rpc: { input } }: Route,
  parseTimestamp: ParseTimestamp,
): (body: Readonly<Record<string, unknown>>) => AnyMessage {
  const inPath = new Set(pathParameters.map(({ name }) => name));
  // In a patch, null could mean "unchanged" or "without": it must not be guessed.
  const nulls = updateMask === null ? "left_out" : "refused";
  const compiler = createJsonReaderCompiler({ parseTimestamp, nulls });
  if (body === null) return () => create(input);
  if (body === "*") {
    const read = compiler.message(input, inPath);
    return (json) => read(json, null);
  }

  const field = fieldOf(input, body);
  if (field.fieldKind !== "message") throw new Error(`${field}: a body must be a message`);
  const read = compiler.message(field.message);
  const namesByJson = new Map(field.message.fields.map((each) => [jsonNameOf(each), each.name]));
  const mask = updateMask === null ? null : fieldOf(input, updateMask);
  return (json) => {
    const message: AnyMessage = create(input);
    message[field.localName] = read(json, null);
    if (mask !== null) {
      const paths = Object.keys(json).map((name) => namesByJson.get(name) ?? name);
      message[mask.localName] = create(FieldMaskSchema, { paths });
    }
    return message;
  };
}

/** Sets the fields that a path carries. `segments` are those of the router. Throws a RestError. */
function compilePathReader(
  route: Route,
  compiler: JsonReaderCompiler,
): (message: AnyMessage, segments: readonly string[]) => void {
  const variables = route.pathParameters.map((variable) => ({
    segment: variable.segment,
    parameter: compileParameter(route.rpc.input, variable, compiler),
  }));
  return (message, segments) => {
    for (const { segment, parameter } of variables) {
      const text = percentDecode(segments[segment] ?? "");
      parameter.set(message, text ?? refuse(parameter.location, MALFORMED));
    }
  };
}

/**
 * Sets the fields that a query string carries; texts by name come as `name[key]=text`.
 * Refuses, by name, a parameter that the route does not know, one given twice that has a
 * single value, and one that is not percent-encoded UTF-8.
 */
function compileQueryReader(
  route: Route,
  compiler: JsonReaderCompiler,
): (message: AnyMessage, query: string) => void {
  const known = new Map(
    route.queryParameters.map((query) => {
      const parameter = compileParameter(route.rpc.input, query, compiler);
      return [parameter.name, { ...query, ...parameter }];
    }),
  );

  return (message, query) => {
    if (query === "") return;
    const given = new Map<string, GivenParameter>();
    for (const pair of query.split("&")) {
      if (pair === "") continue;
      const separator = pair.indexOf("=");
      const rawName = separator === -1 ? pair : pair.slice(0, separator);
      const rawValue = separator === -1 ? "" : pair.slice(separator + 1);
      const name = decodeQuery(rawName) ?? refuse(at(null, rawName), MALFORMED);
      const key = keyIn(name, known);
      const parameter =
        known.get(key === null ? name : name.slice(0, name.indexOf("["))) ??
        refuse(at(null, name), "is not a known parameter");
      if (parameter.type === "text_map" && key === null) {
        refuse(parameter.location, `must name a key, as in \`${name}[key]\``);
      }
      const decoded = decodeQuery(rawValue) ?? refuse(parameter.location, MALFORMED);
      const text = parameter.type === "timestamp" ? restorePlus(decoded) : decoded;
      const before = given.get(name);
      if (before === undefined) given.set(name, { parameter, key, texts: [text] });
      else if (parameter.repeated) before.texts.push(text);
      else refuse(key === null ? parameter.location : at(null, name), "must be given once");
    }
    const maps = new Map<Parameter, Record<string, string>>();
    for (const { parameter, key, texts } of given.values()) {
      const [text = ""] = texts;
      if (key === null) parameter.set(message, parameter.repeated ? texts : text);
      else maps.set(parameter, { ...maps.get(parameter), [key]: text });
    }
    for (const [parameter, map] of maps) parameter.set(message, map);
  };
}

interface GivenParameter {
  readonly parameter: Parameter & QueryParameter;
  /** The key of an entry; null: the parameter is no map. */
  readonly key: string | null;
  readonly texts: string[];
}

/** The key in brackets behind the name of a map; null: there is none. */
function keyIn(name: string, known: ReadonlyMap<string, QueryParameter>): string | null {
  const open = name.indexOf("[");
  if (!name.endsWith("]") || known.get(name.slice(0, open))?.type !== "text_map") return null;
  return name.slice(open + 1, -1);
}

const MALFORMED = "must be percent-encoded UTF-8";

/** As HTML forms write it: a plus sign is a space. */
function decodeQuery(text: string): string | null {
  return percentDecode(text.replaceAll("+", " "));
}

/** A plus sign that was not encoded arrived as a space; a time has one only before its offset. */
function restorePlus(text: string): string {
  return text.replace(/ (?=\d\d(?::?\d\d)?$)/, "+");
}

/** A field that text in the path or the query string is read into. */
interface Parameter {
  /** As the caller writes it: its name in JSON. */
  readonly name: string;
  readonly location: Location;
  /** Reads the text, or texts in the form of the field, and sets the field. Throws a RestError. */
  set(
    message: AnyMessage,
    text: string | readonly string[] | Readonly<Record<string, string>>,
  ): void;
}

/** Throws when the message has no such field. */
function compileParameter(
  message: DescMessage,
  { name, type }: Pick<QueryParameter, "name" | "type">,
  compiler: JsonReaderCompiler,
): Parameter {
  const field = fieldOf(message, name);
  const jsonName = jsonNameOf(field);
  const location = at(null, jsonName);
  const read = compiler.field(field);
  return {
    name: jsonName,
    location,
    set(root, text) {
      const json =
        typeof text === "string"
          ? textToJson(type, text)
          : Array.isArray(text)
            ? text.map((each) => textToJson(type, each))
            : text;
      root[field.localName] = read(json, location);
    },
  };
}

/**
 * The JSON value that a text stands for. Where it does not look like one of its
 * type it stays text, and the reader of the field refuses it by its own rule.
 */
function textToJson(type: QueryParameter["type"], text: string): string | number | boolean {
  switch (type) {
    case "bool":
      return text === "true" || (text === "false" ? false : text);
    case "int32":
      return /^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
    case "double":
      return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}
