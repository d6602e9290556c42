import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { MethodImplSpec, ServiceImplSpec } from "@connectrpc/connect";
import { asMessage, fieldOf, responseTypeOf } from "./json/field.ts";
import type { ParseTimestamp } from "./json/reader.ts";
import {
  type AppendMembers,
  createJsonWriterCompiler,
  fieldGetter,
  type JsonWriterCompiler,
  jsonNamesOf,
  type WriteJsonPieces,
} from "./json/writer.ts";
import { compileRequestReader, type ReadRequest } from "./request-reader.ts";
import type { Route } from "./route.ts";

/** A route with all that serving it takes. */
export interface Endpoint {
  readonly route: Route;
  readonly implementation: UnaryImplementation;
  readonly readRequest: ReadRequest;
  readonly response: ResponseWriter;
}

type UnaryImplementation = MethodImplSpec & { kind: "unary" };

/** Writes messages of the RPC's output. */
export interface ResponseWriter {
  /** The body of a successful response. */
  readonly body: WriteJsonPieces;
  /** The members of that body, where it is an object of fields; null: it is something else. */
  readonly members: AppendMembers | null;
}

/** The members of an error's body, which a response must not have. */
export const ERROR_MEMBERS = ["detail", "reason"] as const;

/**
 * Compiles routes at start-up. Throws when a route has no implementation, or a
 * message that JSON cannot be read into or written from.
 */
export function compileEndpoints(
  routes: readonly Route[],
  implementations: readonly ServiceImplSpec[],
  parseTimestamp: ParseTimestamp,
): Endpoint[] {
  const writers = createJsonWriterCompiler();
  return routes.map((route) => ({
    route,
    implementation: implementationOf(route.rpc, implementations),
    readRequest: compileRequestReader(route, parseTimestamp),
    response: compileResponseWriter(route, writers),
  }));
}

function implementationOf(
  rpc: DescMethodUnary,
  implementations: readonly ServiceImplSpec[],
): UnaryImplementation {
  const service = implementations.find((each) => each.service.typeName === rpc.parent.typeName);
  const spec = service?.methods[rpc.localName];
  if (spec?.kind !== "unary") throw new Error(`${rpc} is not implemented`);
  return spec;
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
  const append = writers.members(type);
  if (field === null) return { body, members: append };
  const get = fieldGetter(field);
  const members: AppendMembers = (message, before) => {
    const value = get(message);
    return value === undefined ? before : append(asMessage(value), before);
  };
  return { body, members };
}
