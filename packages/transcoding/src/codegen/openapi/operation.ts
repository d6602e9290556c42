import type { DescField, DescMethod } from "@bufbuild/protobuf";
import { fieldOf, jsonNameOf } from "../../json/field.ts";
import { JSON_LINES_TYPE } from "../../route.ts";
import type { RouteDescription } from "../bind-route.ts";
import { GenerationError } from "../http-bindings.ts";
import type { RpcRoute } from "../service-routes.ts";
import { descriptionOf, summaryOf } from "./comments.ts";
import { annotations, defaultOf, rulesOf, valueSchema } from "./field-schema.ts";
import { defined, type JsonSchema } from "./json-schema.ts";
import type { MessageSchemas } from "./message-schemas.ts";
import type { OpenApiOptions } from "./options.ts";
import { eventsContent, responseContent, streamContent } from "./response-content.ts";
import { answerHeaders, failureResponses } from "./responses.ts";

/** One route as an operation. `events`: the RPC whose messages answer it as events; null: none do. */
export function operationOf(
  { rpc, route, index }: RpcRoute,
  events: DescMethod | null,
  schemas: MessageSchemas,
  options: OpenApiOptions,
): JsonSchema {
  const description = descriptionOf(rpc) ?? rpc.name;
  const parameters = [
    ...route.pathParameters.map(({ name, type }) => {
      const field = fieldOf(rpc.input, name);
      return { ...parameter(name, "path", field, valueSchema(field, type)), required: true };
    }),
    ...route.queryParameters.map(({ name, type }) => {
      const field = fieldOf(rpc.input, name);
      const schema = { ...valueSchema(field, type), ...defaultOf(field) };
      const required = rulesOf(field).required || undefined;
      // Each entry of a map is a parameter of its own: `name[key]=text`.
      const form = type === "text_map" ? { style: "deepObject", explode: true } : {};
      const documented = parameter(jsonNameOf(field), "query", field, schema);
      return defined({ ...documented, ...form, required });
    }),
    ...headerParameters(rpc, options),
  ];
  const requestBody = requestBodyOf(rpc, route, schemas);
  return defined({
    operationId: index === 0 ? rpc.name : `${rpc.name}${index + 1}`,
    summary: summaryOf(description),
    description,
    tags: [rpc.parent.name],
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody,
    responses: {
      200: {
        description: descriptionOf(rpc.output) ?? rpc.output.name,
        headers: answerHeaders(options),
        content: {
          ...responseContent(rpc, route, schemas),
          ...(events !== null && eventsContent(events, schemas)),
        },
      },
      ...failureResponses(rpc, requestBody !== undefined, options),
    },
    deprecated: rpc.deprecated || undefined,
  });
}

function requestBodyOf(
  rpc: DescMethod,
  { body, pathParameters, updateMask }: RouteDescription,
  schemas: MessageSchemas,
): JsonSchema | undefined {
  if (body === null) return undefined;
  const inPath = new Set(pathParameters.map(({ name }) => name));
  const isPatch = updateMask !== null;
  let schema: JsonSchema;
  if (body === "*") schema = schemas.request(rpc.input, { without: inPath, isPatch });
  else {
    const { message } = fieldOf(rpc.input, body);
    if (message === undefined) throw new GenerationError(rpc, "a body must be a message");
    schema = schemas.request(message, { without: new Set(), isPatch });
  }
  const content =
    rpc.methodKind === "client_streaming"
      ? streamContent(JSON_LINES_TYPE, "One object of JSON a line.", schema)
      : { "application/json": { schema } };
  return { required: true, content };
}

function parameter(
  name: string,
  where: "path" | "query",
  field: DescField,
  schema: JsonSchema,
): JsonSchema {
  const { deprecated, ...examples } = annotations(field);
  return defined({
    name,
    in: where,
    description: descriptionOf(field),
    deprecated,
    schema: { ...schema, ...examples },
  });
}

function headerParameters(rpc: DescMethod, { idempotencyKey }: OpenApiOptions): JsonSchema[] {
  const { rpcs, ...key } = idempotencyKey;
  if (!rpcs.includes(rpc.name)) return [];
  return [{ name: "Idempotency-Key", in: "header", ...key }];
}
