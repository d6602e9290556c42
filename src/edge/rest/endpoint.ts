import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { MethodImplSpec, ServiceImplSpec } from "@connectrpc/connect";
import type { AnyMessage } from "./json/local-field.ts";
import { createJsonWriterCompiler, type JsonWriterCompiler } from "./json/message-writer.ts";
import type { ParseTimestamp } from "./json/read-well-known.ts";
import { compileRequestReader, type ReadRequest } from "./request-reader.ts";
import type { Route } from "./route.ts";

/** A route with all that serving it takes. */
export interface Endpoint {
  readonly route: Route;
  readonly implementation: UnaryImplementation;
  readonly readRequest: ReadRequest;
  /** The body of a successful response, for a message of the RPC's output. */
  readonly writeResponse: (message: AnyMessage) => string;
}

type UnaryImplementation = MethodImplSpec & { kind: "unary" };

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
    writeResponse: responseWriter(route, writers),
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

function responseWriter(
  { rpc, responseBody }: Route,
  writers: JsonWriterCompiler,
): (message: AnyMessage) => string {
  if (responseBody === null) return writers.message(rpc.output) as (message: AnyMessage) => string;
  const field = rpc.output.fields.find((each) => each.name === responseBody);
  if (field === undefined) throw new Error(`${rpc.output.typeName} has no field ${responseBody}`);
  return writers.field(field);
}
