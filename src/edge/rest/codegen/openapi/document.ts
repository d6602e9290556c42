import type { DescExtension, DescFile, DescMethod } from "@bufbuild/protobuf";
import { bindRoute, type RouteDescription } from "../bind-route.ts";
import { httpBindings } from "../http-bindings.ts";
import { descriptionOf } from "./comments.ts";
import { defined, type JsonSchema } from "./json-schema.ts";
import { MessageSchemas } from "./message-schemas.ts";
import { operationOf, pathOf, responseSchema } from "./operation.ts";
import type { OpenApiOptions } from "./options.ts";
import { failureComponents } from "./responses.ts";

interface Bound {
  readonly rpc: DescMethod;
  readonly route: RouteDescription;
  /** Of the routes of its RPC. */
  readonly index: number;
}

/**
 * The OpenAPI 3.1 document of all services that have `google.api.http` rules: routes
 * and JSON are those that are served. Equal protos make an equal document. Throws a
 * GenerationError for what OpenAPI cannot tell.
 */
export function openApiDocument(
  files: readonly DescFile[],
  http: DescExtension,
  options: OpenApiOptions,
): JsonSchema {
  const services = files.flatMap((file) => file.services);
  const bound = services.flatMap((service) =>
    service.methods.flatMap((rpc) =>
      httpBindings(rpc, http).map((binding, index): Bound => {
        return { rpc, route: bindRoute(rpc, binding), index };
      }),
    ),
  );
  const schemas = new MessageSchemas();
  for (const { rpc, route } of bound) responseSchema(rpc, route, schemas);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const { rpc, route, index } of bound) {
    const path = pathOf(rpc, route);
    paths[path] ??= {};
    paths[path][route.httpMethod.toLowerCase()] = operationOf(rpc, route, index, schemas, options);
  }

  const served = services.filter((service) => bound.some(({ rpc }) => rpc.parent === service));
  const failures = failureComponents(options);
  const { name, scheme } = options.security;
  return {
    openapi: "3.1.0",
    info: options.info,
    servers: options.servers,
    security: [{ [name]: [] }],
    tags: served.map((service) =>
      defined({ name: service.name, description: descriptionOf(service) }),
    ),
    paths,
    components: {
      schemas: { ...failures.schemas, ...schemas.components() },
      responses: failures.responses,
      headers: failures.headers,
      securitySchemes: { [name]: scheme },
    },
  };
}
