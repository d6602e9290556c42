import { STATUS_CODES } from "node:http";
import type { DescField, DescMethod } from "@bufbuild/protobuf";
import { ERROR_MEMBERS } from "../../endpoint.ts";
import { fieldOf, jsonNameOf } from "../../json/field.ts";
import { JSON_LINES_TYPE } from "../../route.ts";
import { eventsOf } from "../../stream-response.ts";
import { GenerationError, type RouteDescription, type RpcRoute } from "../service-routes.ts";
import {
  annotations,
  defaultOf,
  defined,
  descriptionOf,
  type JsonSchema,
  type MessageSchemas,
  rulesOf,
  summaryOf,
  valueSchema,
} from "./schemas.ts";

/** The part of a document that protos do not state: the service, its keys and its errors. */
export interface OpenApiOptions {
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  /** The one way to authenticate, by its name. */
  readonly security: { readonly name: string; readonly scheme: JsonSchema };
  /** The schema of an `Idempotency-Key`, and the names of the RPCs that take one. */
  readonly idempotencyKey: JsonSchema & { readonly rpcs: readonly string[] };
  /** Headers of answers, by name. Answers to a request without a valid key do not have them. */
  readonly answerHeaders: Readonly<Record<string, JsonSchema>>;
  /** By reason: its HTTP status, and whether a wait comes with it (`Retry-After`). */
  readonly failures: Readonly<Record<string, { readonly status: number; readonly waits: boolean }>>;
  /** The reasons for which any RPC may fail. */
  readonly commonFailures: readonly string[];
  /** The reasons for which any RPC with a body may fail. */
  readonly bodyFailures: readonly string[];
  /** By the name of an RPC: the reasons that it has beside those, and those that it has not. */
  readonly rpcFailures: Readonly<Record<string, RpcFailures>>;
  /** The reasons of requests that no RPC is called for. */
  readonly transportFailures: readonly string[];
}

/** How the reasons of one RPC differ from those of all. */
export interface RpcFailures {
  readonly more?: readonly string[];
  readonly never?: readonly string[];
  /** Of a failure that did something: members of the response beside the error's own. */
  readonly partial?: { readonly reason?: string; readonly message: string };
}

/** One route as an operation. `events`: the RPC whose messages answer it as events; null: none do. */
export function operationOf(
  { rpc, route, index }: RpcRoute,
  events: DescMethod | null,
  schemas: MessageSchemas,
  options: OpenApiOptions,
): JsonSchema {
  const description = descriptionOf(rpc) ?? rpc.name;
  const { rpcs, ...key } = options.idempotencyKey;
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
    ...(rpcs.includes(rpc.name) ? [{ name: "Idempotency-Key", in: "header", ...key }] : []),
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
  const isWhole = body === "*";
  const message = isWhole ? rpc.input : fieldOf(rpc.input, body).message;
  if (message === undefined) throw new GenerationError(rpc, "a body must be a message");
  const without = new Set(isWhole ? pathParameters.map(({ name }) => name) : []);
  const schema = schemas.request(message, { without, isPatch: updateMask !== null });
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

/** The content of a successful response, by media type. Ask for all responses before the operations. */
export function responseContent(
  rpc: DescMethod,
  route: RouteDescription,
  schemas: MessageSchemas,
): JsonSchema {
  if (route.format === "event_stream") return eventsContent(rpc, schemas);
  const { output } = rpc;
  const schema =
    route.responseBody === null
      ? schemas.response(output)
      : schemas.responseValue(fieldOf(output, route.responseBody));
  if (route.format === "json") return { "application/json": { schema } };
  return streamContent(JSON_LINES_TYPE, LINES, { anyOf: [schema, FAILED_LINE] });
}

function eventsContent({ output }: DescMethod, schemas: MessageSchemas): JsonSchema {
  const events = eventsOf(output).arms.map(({ name, message }) =>
    eventSchema(name, schemas.response(message)),
  );
  const description = "Server-sent events; the data of each is JSON on one line.";
  const event = { oneOf: [...events, eventSchema("error", ERROR)] };
  return streamContent("text/event-stream", description, event);
}

const LINES =
  "One object of JSON a line. A last line with the member `error` says why the others are not all.";

/** A stream of items of that schema: a text, in which they come in order. */
function streamContent(type: string, description: string, items: JsonSchema): JsonSchema {
  const contentSchema = { type: "array", items };
  return {
    [type]: { schema: { type: "string", description, contentMediaType: type, contentSchema } },
  };
}

function eventSchema(name: string, data: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: {
      event: { const: name },
      data: { type: "string", contentMediaType: "application/json", contentSchema: data },
    },
    required: ["event", "data"],
  };
}

const UNAUTHORIZED = "401";

/** The answers to failures of an RPC, by HTTP status, in order. */
function failureResponses(
  rpc: DescMethod,
  hasBody: boolean,
  options: OpenApiOptions,
): Readonly<Record<string, JsonSchema>> {
  const { more = [], never = [], partial } = options.rpcFailures[rpc.name] ?? {};
  const reasons = [
    ...options.commonFailures,
    ...(hasBody ? options.bodyFailures : []),
    ...more,
  ].filter((reason) => !never.includes(reason));
  const byStatus = Object.groupBy(reasons, (reason) => statusOf(reason, options));
  const responses = Object.entries(byStatus).map(([status, ofStatus = []]) => {
    const error = errorSchema(ofStatus);
    const { reason, message } = partial ?? {};
    const partly = ofStatus.filter((each) => reason === undefined || each === reason);
    // Some say what was done in spite of them.
    const done = { allOf: [errorSchema(partly), { $ref: `#/components/schemas/${message}` }] };
    const isPartial = message !== undefined && partly.length > 0;
    const schema = isPartial ? { anyOf: [error, done] } : error;
    const waiting = ofStatus.filter((each) => options.failures[each]?.waits);
    const wait = waiting.length === ofStatus.length ? "RetryAfter" : "RetryAfterIfItPasses";
    const headers = {
      ...(waiting.length > 0 && { "Retry-After": { $ref: `#/components/headers/${wait}` } }),
      ...(status === UNAUTHORIZED
        ? { "WWW-Authenticate": { $ref: "#/components/headers/WwwAuthenticate" } }
        : answerHeaders(options)),
    };
    const words = ofStatus.map((each) => `\`${each}\``).join(", ");
    const response = defined({
      description: `${STATUS_CODES[status]}: ${words}.`,
      headers: Object.keys(headers).length === 0 ? undefined : headers,
      content: { "application/json": { schema } },
    });
    return [status, response] as const;
  });
  // Keys that are whole numbers are in their order.
  return { ...Object.fromEntries(responses), default: { $ref: "#/components/responses/Failure" } };
}

const SECONDS = { schema: { type: "integer", minimum: 1 }, example: 30 };

/** The components that the answers to failures refer to. */
export function failureComponents(options: OpenApiOptions) {
  const [detail, reason, field] = ERROR_MEMBERS;
  const reasons = [...Object.keys(options.failures), ...options.transportFailures];
  return {
    schemas: {
      Error: {
        description: "Why a request failed.",
        type: "object",
        properties: {
          [detail]: {
            description: "A sentence for people, which names the field and the rule.",
            type: "string",
            examples: ["`limit` must be a whole number from 1 to 100"],
          },
          [reason]: {
            description: "One stable word for programs.",
            type: "string",
            enum: reasons,
            examples: ["invalid_field"],
          },
          [field]: {
            description: "The field at fault, where one is.",
            type: "string",
            examples: ["limit"],
          },
        },
        required: [detail, reason],
      },
    },
    responses: {
      Failure: {
        description:
          "A request that reached none of the operations: its path, its method or the way it came is at fault.",
        content: { "application/json": { schema: ERROR } },
      },
    },
    headers: {
      RetryAfter: {
        description: "When to try again: a wait in seconds.",
        required: true,
        ...SECONDS,
      },
      RetryAfterIfItPasses: {
        description: "When to try again, if waiting helps: seconds.",
        ...SECONDS,
      },
      ...Object.fromEntries(
        Object.entries(options.answerHeaders).map(([name, header]) => [keyOf(name), header]),
      ),
      WwwAuthenticate: {
        description:
          'Whether a key was missing (`Bearer`) or refused (`Bearer error="invalid_token"`).',
        required: true,
        schema: { type: "string" },
        example: "Bearer",
      },
    },
  };
}

function answerHeaders({ answerHeaders }: OpenApiOptions): JsonSchema {
  const names = Object.keys(answerHeaders);
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${keyOf(name)}` }]),
  );
}

/** A header's key among the components. */
function keyOf(name: string): string {
  return name.replaceAll("-", "");
}

export const ERROR = { $ref: "#/components/schemas/Error" };
const FAILED_LINE = { type: "object", properties: { error: ERROR }, required: ["error"] };

function statusOf(reason: string, { failures }: OpenApiOptions): number {
  const status = failures[reason]?.status;
  if (status === undefined) throw new Error(`no status is known for the reason ${reason}`);
  return status;
}

function errorSchema(reasons: readonly string[]): JsonSchema {
  const [, reason] = ERROR_MEMBERS;
  const words = reasons.length === 1 ? { const: reasons[0] } : { enum: reasons };
  const narrowed = { [reason]: { type: "string", ...words } };
  return { allOf: [ERROR, { type: "object", properties: narrowed, required: [reason] }] };
}
