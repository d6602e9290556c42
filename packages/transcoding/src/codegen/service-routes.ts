import { http } from "@agent-memory/gen/google/api/annotations_pb";
import type { HttpRule } from "@agent-memory/gen/google/api/http_pb";
import { event_stream_of } from "@agent-memory/gen/transcoding/v1/options_pb";
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
} from "@bufbuild/protobuf";
import { requestTypeOf } from "../json/field.ts";
import { createJsonReaderCompiler } from "../json/reader.ts";
import { createJsonWriterCompiler } from "../json/writer.ts";
import {
  METHODS_WITHOUT_BODY,
  type PathParameter,
  type QueryParameter,
  type ResponseFormat,
  type Route,
  type Segment,
} from "../route.ts";
import { percentDecode } from "../router.ts";
import { eventsOf } from "../stream-response.ts";

/** A declaration that cannot be served or documented. The message names the file and the declaration. */
export class GenerationError extends Error {
  override readonly name = "GenerationError";

  constructor(at: DescMethod | DescMessage | DescField, problem: string) {
    const { file, name } =
      at.kind === "message" ? at : { file: at.parent.file, name: `${at.parent.name}.${at.name}` };
    super(`${file.name}.proto: ${name}: ${problem}`);
  }
}

function refuse(rpc: DescMethod, problem: string): never {
  throw new GenerationError(rpc, problem);
}

/** The bindings of an RPC: its rule, then the additional ones. Empty: it has no rule. */
function httpBindings(rpc: DescMethod): HttpBinding[] {
  if (!hasOption(rpc, http)) return [];
  const rule = getOption(rpc, http);
  if (rule.additionalBindings.some((each) => each.additionalBindings.length > 0)) {
    refuse(rpc, "an additional binding must not have additional bindings");
  }
  return [rule, ...rule.additionalBindings].map((each) => bindingOf(rpc, each));
}

/** One HTTP method and path of an RPC, unparsed. */
type HttpBinding = ReturnType<typeof bindingOf>;

function bindingOf(rpc: DescMethod, { selector, pattern, body, responseBody }: HttpRule) {
  if (selector !== "") refuse(rpc, "`selector` has no place in an annotation");
  if (pattern.case === undefined) refuse(rpc, "the rule has no HTTP method");
  if (pattern.case === "custom") refuse(rpc, "a custom HTTP method is not served");
  return {
    httpMethod: pattern.case.toUpperCase(),
    template: pattern.value,
    body: body || null,
    responseBody: responseBody || null,
  };
}

/** A route of an RPC; `index`: its position among them, from 0. */
export type RpcRoute = ReturnType<typeof routesOf>[number];

/** A service's routes in the order of its RPCs, with event streams. Throws a GenerationError. */
export function routesOf(service: DescService) {
  const streamed = new Set<DescMethod>();
  return service.methods.flatMap((rpc) => {
    const unary = unaryOf(rpc, service);
    if (unary === null) {
      return httpBindings(rpc).map((binding, index) => {
        const format = rpc.methodKind === "server_streaming" ? "ndjson" : "json";
        return { rpc, route: bindRoute(rpc, binding, format), index };
      });
    }
    if (httpBindings(rpc).length > 0) refuse(rpc, "an event stream has no rule of its own");
    if (streamed.has(unary)) refuse(rpc, `${unary.name} has another event stream`);
    streamed.add(unary);
    checkSameRequest(rpc, unary);
    checked(rpc, () => eventsOf(rpc.output));
    const bindings = httpBindings(unary);
    if (bindings.length === 0) refuse(rpc, `${unary.name} has no rule`);
    return bindings.map((binding, index) => {
      const ofAll = { ...binding, responseBody: null };
      return { rpc, route: bindRoute(rpc, ofAll, "event_stream"), index };
    });
  });
}

/** The RPC whose event stream this one is; null: it is none. */
function unaryOf(rpc: DescMethod, { methods }: DescService): DescMethod | null {
  const name = getOption(rpc, event_stream_of);
  if (name === "") return null;
  if (rpc.methodKind !== "server_streaming") {
    refuse(rpc, "only a server-streaming RPC is an event stream");
  }
  const unary = methods.find((each) => each.name === name);
  if (unary?.methodKind === "unary") return unary;
  refuse(rpc, `event_stream_of: the service has no unary RPC "${name}"`);
}

/** Checks that two RPCs read the same: what is sent must not depend on what is accepted. */
function checkSameRequest(rpc: DescMethod, unary: DescMethod): void {
  for (const { name } of [...rpc.input.fields, ...unary.input.fields]) {
    if (shapeOf(findField(rpc.input, name)) !== shapeOf(findField(unary.input, name))) {
      refuse(rpc, `the field "${name}" is not as in ${unary.input.name}`);
    }
  }
}

/** Equal for fields that are declared alike, with all options, whatever their numbers. */
function shapeOf(field: DescField | undefined): string | undefined {
  if (field === undefined) return undefined;
  const { proto, fieldKind } = field;
  const { $typeName: _, number: __, oneofIndex: ___, ...declared } = proto;
  // The entries of a map are of a type that belongs to its message; REST carries texts alone.
  const typeName = fieldKind === "map" ? "" : declared.typeName;
  return JSON.stringify({ ...declared, typeName });
}

/** A route without the descriptor of its RPC, which the generated code imports. */
export type RouteDescription = Omit<Route, "rpc">;

/** Checks a binding against the messages of its RPC. Throws a GenerationError. */
function bindRoute(
  rpc: DescMethod,
  binding: HttpBinding,
  format: ResponseFormat,
): RouteDescription {
  if (rpc.methodKind === "bidi_streaming") {
    refuse(rpc, "a stream in both directions can't be served over REST");
  }
  // All that the readers and writers of JSON do not support fails the generation.
  const readers = createJsonReaderCompiler({ parseTimestamp: () => null });
  checked(rpc, () => readers.message(rpc.input));
  checked(rpc, () => createJsonWriterCompiler().members(rpc.output));
  const { httpMethod, template, body, responseBody } = binding;
  const parse = () => parsePathTemplate(template);
  const { segments, variables, verb } = checked(rpc, parse, `the path "${template}": `);
  const pathParameters = variables.map(({ name, segment }): PathParameter => {
    return { name, type: pathParameterType(rpc, name), segment };
  });

  if (body !== null) checkBody(rpc, httpMethod, body);
  if (rpc.methodKind === "client_streaming" && (body !== "*" || variables.length > 0)) {
    refuse(rpc, "a stream of requests is a body, and nothing else");
  }
  if (responseBody !== null && findField(rpc.output, responseBody) === undefined) {
    refuse(rpc, `response_body: the response has no field "${responseBody}"`);
  }
  const updateMask = httpMethod === "PATCH" && body !== null ? updateMaskOf(rpc, body) : null;

  const takenElsewhere = new Set(variables.map(({ name }) => name));
  if (body !== null) takenElsewhere.add(body);
  if (updateMask !== null) takenElsewhere.add(updateMask);
  const queryParameters = body === "*" ? [] : queryParametersOf(rpc, takenElsewhere);

  const read = { pathParameters, queryParameters, body, updateMask };
  return { httpMethod, template, segments, verb, ...read, responseBody, format };
}

/** Returns what `check` returns. An error that it throws becomes an error of the RPC. */
function checked<T>(rpc: DescMethod, check: () => T, before = ""): T {
  try {
    return check();
  } catch (error) {
    refuse(rpc, before + (error instanceof Error ? error.message : error));
  }
}

function pathParameterType(rpc: DescMethod, name: string): PathParameter["type"] {
  const field = findField(rpc.input, name);
  if (field === undefined) refuse(rpc, `the path variable "${name}" names no field`);
  if (field.fieldKind === "scalar") {
    const type = requestTypeOf(field);
    if (typeof type === "string" && type !== "struct" && type !== "text_map") return type;
  }
  refuse(rpc, `the path variable "${name}" must not be a list or a message`);
}

/**
 * The query parameters of an RPC: every field that neither the path nor the body takes.
 * Throws a GenerationError for a field that text cannot express, since the field would be
 * out of the caller's reach.
 */
function queryParametersOf(rpc: DescMethod, takenElsewhere: ReadonlySet<string>): QueryParameter[] {
  return rpc.input.fields
    .filter(({ name }) => !takenElsewhere.has(name))
    .map((field) => {
      const { name } = field;
      const type = requestTypeOf(field);
      if (type === "struct" || typeof type === "object") {
        refuse(rpc, `the field "${name}" cannot be a query parameter`);
      }
      return { name, type, repeated: field.fieldKind === "list" };
    });
}

function checkBody(rpc: DescMethod, httpMethod: string, body: string): void {
  if (METHODS_WITHOUT_BODY.includes(httpMethod)) refuse(rpc, `body: ${httpMethod} has none`);
  if (body === "*") return;
  const field = findField(rpc.input, body);
  if (field === undefined) refuse(rpc, `body: the request has no field "${body}"`);
  const type = field.fieldKind === "message" ? requestTypeOf(field) : "list or scalar";
  if (typeof type === "string") {
    refuse(rpc, `body: the field "${body}" is not written as a JSON object`);
  }
}

/** By its name in AIP-134. Only where the body is a field can a mask be relative to it. */
function updateMaskOf(rpc: DescMethod, body: string): string | null {
  const field = findField(rpc.input, "update_mask");
  const isMask =
    field?.fieldKind === "message" && field.message.typeName === "google.protobuf.FieldMask";
  return isMask && body !== "*" ? field.name : null;
}

function findField(message: DescMessage, name: string): DescField | undefined {
  return message.fields.find((field) => field.name === name);
}

// The unreserved characters of RFC 3986, and others percent-encoded.
const LITERAL = "(?:[-_.~0-9A-Za-z]|%[0-9A-Fa-f]{2})+";
const SEGMENT = `(?:${LITERAL}|\\{[A-Za-z_][A-Za-z0-9_]*\\})`;
const TEMPLATE = new RegExp(`^((?:/${SEGMENT})+)(?::(${LITERAL}))?$`);

/**
 * Parses a path template by a part of the grammar of google/api/http.proto:
 *
 *     Template = "/" Segment { "/" Segment } [ ":" LITERAL ] ;
 *     Segment  = LITERAL | "{" IDENT "}" ;
 *
 * Literals come out decoded. A field is bound once. Throws an Error for anything else.
 */
export function parsePathTemplate(template: string) {
  const [, path, verb] = TEMPLATE.exec(template) ?? [];
  if (path === undefined) {
    throw new Error('expected segments that are literals or "{field}", then ":verb" or nothing');
  }
  const variables: Omit<PathParameter, "type">[] = [];
  const segments = path
    .slice(1)
    .split("/")
    .map((text, segment): Segment => {
      if (!text.startsWith("{")) return { literal: decoded(text) };
      const name = text.slice(1, -1);
      if (variables.some((variable) => variable.name === name)) {
        throw new Error(`the variable "${name}" is there twice`);
      }
      variables.push({ name, segment });
      return { wildcard: "*" };
    });
  return { segments, variables, verb: verb === undefined ? null : decoded(verb) };
}

function decoded(literal: string): string {
  const text = percentDecode(literal);
  if (text === null) throw new Error(`"${literal}" is not UTF-8 when it is decoded`);
  return text;
}
