import type { DescService } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createServiceImplSpec,
  type HandlerContext,
} from "@connectrpc/connect";
import { routesOf as serviceRoutesOf } from "../src/codegen/service-routes.ts";
import type { NodeHandler } from "../src/node-http.ts";
import { RestError, type RestProblem } from "../src/rest-error.ts";
import { createRestHandler, type HttpError, type RestHandlerOptions } from "../src/rest-handler.ts";
import type { Route } from "../src/route.ts";
import { compileProtos, parseTestTimestamp, registryOf } from "./protos-fixture.ts";

/** The protos of `protos`. */
export const registry = registryOf(compileProtos());

export const libraryService = registry.getService("rest.test.v1.LibraryService") as DescService;

/** What the generated module of the library service would hold. */
export const libraryRoutes: readonly Route[] = routesOf(libraryService);

/** The same for any service of those protos. */
export function routesOf(service: DescService): Route[] {
  return serviceRoutesOf(service).map(({ rpc, route }) => {
    return { rpc: rpc as Route["rpc"], ...route };
  });
}

const STATUSES: Record<RestProblem["kind"], number> = {
  path_not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  malformed_body: 400,
  invalid_field: 422,
};

/** How a service may render errors; nothing of it is this library's. */
export function toTestHttpError(error: unknown): HttpError {
  if (error instanceof RestError) {
    return { status: STATUSES[error.problem.kind], body: { detail: error.message } };
  }
  if (error instanceof ConnectError && error.code === Code.Unauthenticated) {
    const headers = { "www-authenticate": "Bearer" };
    return { status: 401, body: { detail: error.rawMessage }, headers };
  }
  if (error instanceof ConnectError && error.code === Code.ResourceExhausted) {
    const body = { detail: error.rawMessage, reason: "write_quota_exceeded" };
    return { status: 429, body, headers: { "retry-after": "60" } };
  }
  return { status: 500, body: { detail: "Internal error" } };
}

type Implementation = (request: never, context: HandlerContext) => unknown;

/** A handler of the library service. RPCs that are not given echo their request. */
export function libraryHandler(
  implementation: Readonly<Record<string, Implementation>> = {},
  options: Partial<RestHandlerOptions> = {},
) {
  const echo: Record<string, Implementation> = {
    echo: (request) => request,
    getBook: (request) => request,
    updateBook: (request) => request,
    replaceBook: (request) => request,
    deleteBook: () => ({}),
    search: (request) => ({ request }),
    typed: (request) => request,
  };
  return serviceHandler(libraryService, { ...echo, ...implementation }, options);
}

/** A handler of a service of those protos. */
export function serviceHandler(
  service: DescService,
  implementation: Readonly<Record<string, (request: never, context: HandlerContext) => unknown>>,
  options: Partial<RestHandlerOptions> = {},
): NodeHandler {
  return createRestHandler({
    routes: routesOf(service),
    implementations: [createServiceImplSpec(service, implementation as never)],
    interceptors: [],
    toHttpError: toTestHttpError,
    parseTimestamp: parseTestTimestamp,
    maxBodyBytes: 1000,
    maxBodyValues: 100,
    ...options,
  });
}
