import { isUtf8 } from "node:buffer";
import { MIMEType } from "node:util";
import { create, type DescMessage } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { fieldOf, jsonNameOf } from "./json/field.ts";
import {
  at,
  createJsonReaderCompiler,
  holdsMoreValues,
  isJsonObject,
  type JsonReaderCompiler,
  type Location,
  type ParseTimestamp,
  refuse,
} from "./json/reader.ts";
import type { AnyMessage } from "./json/writer.ts";
import { announcesBody, bodyOf, mayParse, type NodeRequest } from "./node-http.ts";
import { RestError, tooManyValues } from "./rest-error.ts";
import { JSON_LINES_TYPE, type QueryParameter, type Route } from "./route.ts";
import { cut, percentDecode } from "./router.ts";

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
  const variables = route.pathParameters.map((variable) => ({
    segment: variable.segment,
    parameter: compileParameter(route.rpc.input, variable, compiler),
  }));
  const readQuery = compileQueryReader(route, compiler);
  const readBody = compileBodyReader(route, parseTimestamp);
  return ({ segments, query, body }) => {
    const message = readBody(body ?? {});
    readQuery(message, query);
    for (const { segment, parameter } of variables) {
      const text = percentDecode(segments[segment] ?? "");
      parameter.set(message, text ?? refuse(parameter.location, MALFORMED));
    }
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
    type Given = { parameter: Parameter & QueryParameter; key: string | null; texts: string[] };
    const given = new Map<string, Given>();
    for (const pair of query.split("&")) {
      if (pair === "") continue;
      const [rawName, rawValue] = cut(pair, "=");
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

type Parameter = ReturnType<typeof compileParameter>;

/** A field that text is read into, by its JSON name. Throws where the message has no such field. */
function compileParameter(
  message: DescMessage,
  { name, type }: Pick<QueryParameter, "name" | "type">,
  compiler: JsonReaderCompiler,
) {
  const field = fieldOf(message, name);
  const jsonName = jsonNameOf(field);
  const location = at(null, jsonName);
  const read = compiler.field(field);
  return {
    name: jsonName,
    location,
    /** Reads the text, or texts in the form of the field, and sets the field. Throws a RestError. */
    set(root: AnyMessage, text: string | readonly string[] | Readonly<Record<string, string>>) {
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

/** The JSON value of a text. What is not of its type stays text, which the reader refuses. */
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

const JSON_TYPE = "application/json";

export interface BodyLimits {
  readonly maxBytes: number;
  /** Values in its JSON, at any depth. */
  readonly maxValues: number;
}

/** Receives a JSON object. Throws, in this order, for its size, type, number of values and JSON. */
export async function receiveJsonObject(
  req: NodeRequest,
  limits: BodyLimits,
): Promise<Record<string, unknown>> {
  return parseObject(await receiveJson(req, limits.maxBytes), limits.maxValues);
}

const LINE_END = 0x0a;

/**
 * Receives a body of lines as it arrives and as they are taken. `read` makes a message of the
 * JSON object on each line; the last line may end with a line end or without. The limits are
 * those of a line.
 *
 * Throws a RestError, as `receiveJsonObject` and `read` do, with the number of the line.
 */
export async function* receiveMessages(
  req: NodeRequest,
  limits: BodyLimits,
  read: (json: Readonly<Record<string, unknown>>) => AnyMessage,
): AsyncGenerator<AnyMessage> {
  checkType(req, JSON_LINES_TYPE);
  let line = 0;
  for await (const text of linesOf(req, limits.maxBytes)) {
    line++;
    await mayParse(req, text.length);
    let message: AnyMessage;
    try {
      message = read(parseObject(text, limits.maxValues));
    } catch (error) {
      throw error instanceof RestError ? new RestError({ ...error.problem, line }) : error;
    }
    yield message;
  }
}

async function* linesOf(req: NodeRequest, maxBytes: number): AsyncGenerator<Buffer> {
  let number = 1;
  let begun: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(req)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      const line = Buffer.concat([...begun, chunk.subarray(start, end)]);
      if (line.length > maxBytes) throw tooLarge(maxBytes, number);
      yield line;
      [begun, length, start] = [[], 0, end + 1];
      number++;
    }
    begun.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > maxBytes) throw tooLarge(maxBytes, number);
  }
  if (length > 0) yield Buffer.concat(begun);
}

/** Makes sure that a request has no body. Throws a RestError, at the first byte. */
export async function receiveNothing(req: NodeRequest): Promise<null> {
  if (!announcesBody(req)) return null;
  if (Number(req.headers["content-length"]) > 0 || (await receive(req, 0)) === null) {
    refuse(at(null, "body"), "must be left out here");
  }
  return null;
}

/** Receives the body of a request without fields: none, or the `{}` that HTTP clients send. */
export async function receiveNoFields(req: NodeRequest, limits: BodyLimits): Promise<null> {
  if (!announcesBody(req)) return null;
  const bytes = await receiveJson(req, limits.maxBytes);
  const [name] = bytes.length === 0 ? [] : Object.keys(parseObject(bytes, limits.maxValues));
  if (name !== undefined) refuse(at(null, name), "is not a known field");
  return null;
}

/** The bytes of a body that says it is JSON, or of an empty one. */
async function receiveJson(req: NodeRequest, maxBytes: number): Promise<Buffer> {
  const isTooLarge = Number(req.headers["content-length"]) > maxBytes;
  const bytes = isTooLarge ? null : await receive(req, maxBytes);
  if (bytes === null) throw new RestError({ kind: "body_too_large", maxBytes });
  if (bytes.length > 0) checkType(req, JSON_TYPE);
  await mayParse(req, bytes.length);
  return bytes;
}

/** All bytes of the body. Null: there are more than `maxBytes`; the others were not read. */
async function receive(req: NodeRequest, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(req)) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as it arrives. Throws a ConnectError where it breaks off, else what a hook rejects with. */
async function* chunksOf(req: NodeRequest): AsyncGenerator<Buffer> {
  try {
    yield* bodyOf(req);
  } catch (error) {
    if (!req.aborted) throw error;
  }
  // In HTTP/2 the stream of an aborted request ends as if the body were whole.
  if (req.aborted) throw clientWentAway();
}

function tooLarge(maxBytes: number, line: number): RestError {
  return new RestError({ kind: "body_too_large", maxBytes, line });
}

function clientWentAway(): ConnectError {
  return new ConnectError("the client went away", Code.Canceled);
}

function checkType(req: NodeRequest, expected: string): void {
  if (!isPlain(req, expected)) throw new RestError({ kind: "unsupported_media_type", expected });
}

function isPlain(req: NodeRequest, expected: string): boolean {
  const { "content-type": type, "content-encoding": encoding } = req.headers;
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return false;
  if (type === expected) return true;
  try {
    const { essence, params } = new MIMEType(type ?? "");
    return essence === expected && /^utf-?8$/i.test(params.get("charset") ?? "utf-8");
  } catch {
    return false;
  }
}

function parseObject(bytes: Buffer, maxValues: number): Record<string, unknown> {
  if (holdsMoreValues(bytes, maxValues)) throw tooManyValues(maxValues);
  const text = isUtf8(bytes) ? bytes.toString() : "";
  try {
    const json: unknown = JSON.parse(text);
    refuseRepeatedNames(text);
    if (isJsonObject(json)) return json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RestError({ kind: "malformed_body" });
}

/** Strings, with the colon behind a name, and what objects and lists are made of. */
const TOKENS = /"(?:[^"\\]+|\\.)*"(?=\s*(:)?)|[[\]{},]/gs;

/** Refuses a name that an object has twice, of which JSON.parse takes the last. */
function refuseRepeatedNames(json: string): void {
  const open: { place: Location | null; names: Set<unknown>; step: string | number }[] = [];
  for (const [token, colon] of json.matchAll(TOKENS)) {
    const inner = open.at(-1);
    const place = inner ? at(inner.place, inner.step) : null;
    if (token === "{" || token === "[") open.push({ place, names: new Set(), step: 0 });
    else if (token === "}" || token === "]") open.pop();
    else if (inner && token === "," && typeof inner.step === "number") inner.step++;
    else if (inner && colon !== undefined) {
      inner.step = JSON.parse(token);
      if (inner.names.has(inner.step)) refuse(at(inner.place, inner.step), "must be given once");
      inner.names.add(inner.step);
    }
  }
}
