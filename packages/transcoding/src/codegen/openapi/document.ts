import type { DescExtension, DescFile } from "@bufbuild/protobuf";
import { routeIdentity } from "../../route.ts";
import { routesOf } from "../service-routes.ts";
import { descriptionOf } from "./comments.ts";
import { defined, type JsonSchema } from "./json-schema.ts";
import { MessageSchemas } from "./message-schemas.ts";
import { operationOf } from "./operation.ts";
import type { OpenApiOptions } from "./options.ts";
import { responseContent } from "./response-content.ts";
import { failureComponents } from "./responses.ts";

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
  const all = services.flatMap((service) => routesOf(service, http));
  const isEvents = ({ route }: (typeof all)[number]) => route.format === "event_stream";
  const events = new Map(all.filter(isEvents).map((each) => [routeIdentity(each.route), each.rpc]));
  const bound = all.filter((each) => !isEvents(each));
  const schemas = new MessageSchemas();
  for (const { rpc, route } of all) responseContent(rpc, route, schemas);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const each of bound) {
    const { route } = each;
    const ofEvents = events.get(routeIdentity(route)) ?? null;
    const path = paths[route.template] ?? {};
    paths[route.template] = path;
    path[route.httpMethod.toLowerCase()] = operationOf(each, ofEvents, schemas, options);
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
