import { create, createFileRegistry, type DescFile } from "@bufbuild/protobuf";
import {
  type CodeGeneratorRequest,
  type CodeGeneratorResponse,
  CodeGeneratorResponse_Feature,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { runNodeJs } from "@bufbuild/protoplugin";
import { routeIdentity } from "../../route.ts";
import { routesOf } from "../service-routes.ts";
import {
  failureComponents,
  type OpenApiOptions,
  operationOf,
  responseContent,
} from "./operation.ts";
import { defined, descriptionOf, type JsonSchema, MessageSchemas } from "./schemas.ts";

export type { OpenApiOptions };

/** Writes `openapi.json`, of the services of all files that the compiler asks for. */
export function runOpenApiPlugin(options: OpenApiOptions): void {
  function run({ protoFile, fileToGenerate }: CodeGeneratorRequest): CodeGeneratorResponse {
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: protoFile }));
    const asked = fileToGenerate
      .toSorted()
      .flatMap((name) => registry.getFile(name) ?? [])
      .filter(({ services }) => services.length > 0);
    const content = `${JSON.stringify(openApiDocument(asked, options), null, 2)}\n`;
    const file = [{ name: "openapi.json", content }];
    const supportedFeatures = BigInt(CodeGeneratorResponse_Feature.PROTO3_OPTIONAL);
    return create(CodeGeneratorResponseSchema, { file, supportedFeatures });
  }
  runNodeJs({ name: "protoc-gen-openapi", version: "v1", run });
}

/**
 * The OpenAPI 3.1 document of all services that have `google.api.http` rules: routes
 * and JSON are those that are served. Equal protos make an equal document. Throws a
 * GenerationError for what OpenAPI cannot tell.
 */
export function openApiDocument(files: readonly DescFile[], options: OpenApiOptions): JsonSchema {
  const services = files.flatMap((file) => file.services);
  const all = services.flatMap((service) => routesOf(service));
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
