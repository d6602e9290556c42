import type { MethodImplSpec, ServiceImplSpec } from "@connectrpc/connect";
import { fieldOf, responseTypeOf } from "./json/field.ts";
import { createJsonReaderCompiler, type ParseTimestamp } from "./json/reader.ts";
import {
  type AnyMessage,
  type AppendMembers,
  createJsonWriterCompiler,
  type JsonWriterCompiler,
  jsonNamesOf,
  type WriteJsonPieces,
} from "./json/writer.ts";
import { compileRequestReader, type ReadRequest } from "./request-reader.ts";
import { type Route, routeIdentity } from "./route.ts";
import { eventStream, jsonLines, type StreamFormat } from "./stream-response.ts";

/** A route with all that serving it takes. */
export type Endpoint = UnaryEndpoint | ClientStreamEndpoint | StreamEndpoint;

interface Served<Kind extends MethodImplSpec["kind"]> {
  readonly route: Route;
  readonly implementation: MethodImplSpec & { kind: Kind };
  /** Of a body of lines it reads what stands beside that, which must be nothing. */
  readonly readRequest: ReadRequest;
}

export interface UnaryEndpoint extends Served<"unary"> {
  readonly kind: "unary";
  readonly response: ResponseWriter;
  /** The event stream that answers the same requests; null: there is none. */
  readonly events: StreamEndpoint | null;
}

export interface ClientStreamEndpoint extends Served<"client_streaming"> {
  readonly kind: "client_stream";
  readonly readLine: (json: Readonly<Record<string, unknown>>) => AnyMessage;
  readonly response: ResponseWriter;
}

export interface StreamEndpoint extends Served<"server_streaming"> {
  readonly kind: "stream";
  readonly format: StreamFormat;
}

export interface ResponseWriter {
  readonly body: WriteJsonPieces;
  /** The members of that body, where it is an object of fields; null: it is something else. */
  readonly members: AppendMembers | null;
}

/** The members of an error's body, which a response must not have. */
export const ERROR_MEMBERS = ["detail", "reason", "field"] as const;

/** Compiles routes at start. Throws without an implementation, or for what JSON cannot carry. */
export function compileEndpoints(
  routes: readonly Route[],
  implementations: readonly ServiceImplSpec[],
  parseTimestamp: ParseTimestamp,
): Endpoint[] {
  const writers = createJsonWriterCompiler();
  const compile = (route: Route) => {
    // A body of lines is read apart from what stands beside it.
    const body = route.rpc.methodKind === "client_streaming" ? null : route.body;
    return {
      route,
      implementation: implementationOf(route.rpc, implementations),
      readRequest: compileRequestReader({ ...route, body }, parseTimestamp),
    };
  };
  const events = new Map<string, StreamEndpoint>();
  for (const route of routes) {
    if (route.format !== "event_stream") continue;
    const { implementation, ...compiled } = compile(route);
    if (implementation.kind !== "server_streaming") throw new Error(`${route.rpc} is no stream`);
    const format = eventStream(route.rpc.output, writers);
    events.set(routeIdentity(route), { kind: "stream", ...compiled, implementation, format });
  }
  return routes
    .filter(({ format }) => format !== "event_stream")
    .map((route): Endpoint => {
      const { implementation, ...compiled } = compile(route);
      const { input, output } = route.rpc;
      if (implementation.kind === "server_streaming") {
        const line = route.responseBody === null ? output : fieldOf(output, route.responseBody);
        const format = jsonLines(line, writers);
        return { kind: "stream", ...compiled, implementation, format };
      }
      const response = compileResponseWriter(route, writers);
      if (implementation.kind === "client_streaming") {
        const read = createJsonReaderCompiler({ parseTimestamp }).message(input);
        const lines = { readLine: (json: object) => read(json, null) };
        return { kind: "client_stream", ...compiled, implementation, ...lines, response };
      }
      const ofEvents = events.get(routeIdentity(route)) ?? null;
      return { kind: "unary", ...compiled, implementation, response, events: ofEvents };
    });
}

export function implementationOf(
  rpc: Route["rpc"],
  implementations: readonly ServiceImplSpec[],
): MethodImplSpec & { kind: Route["rpc"]["methodKind"] } {
  const service = implementations.find((each) => each.service.typeName === rpc.parent.typeName);
  const spec = service?.methods[rpc.localName];
  if (spec !== undefined && spec.kind !== "bidi_streaming") return spec;
  throw new Error(`${rpc} is not implemented`);
}

function compileResponseWriter(
  { rpc: { output }, responseBody }: Route,
  writers: JsonWriterCompiler,
): ResponseWriter {
  const field = responseBody === null ? null : fieldOf(output, responseBody);
  const type = field === null ? output : field.fieldKind === "list" ? null : responseTypeOf(field);
  const body = writers.pieces(field ?? output);
  if (type === null || typeof type === "string") return { body, members: null };

  const names = jsonNamesOf(type);
  for (const name of ERROR_MEMBERS) {
    if (names.has(name)) throw new Error(`${type.typeName}: \`${name}\` is for errors only`);
  }
  return { body, members: field === null ? writers.members(type) : writers.flatMember(field) };
}
