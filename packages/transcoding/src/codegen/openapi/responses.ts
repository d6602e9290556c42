import { STATUS_CODES } from "node:http";
import type { DescMethod } from "@bufbuild/protobuf";
import { ERROR_MEMBERS } from "../../endpoint.ts";
import { defined, type JsonSchema } from "./json-schema.ts";
import type { OpenApiOptions } from "./options.ts";

const UNAUTHORIZED = 401;

/** The answers to failures of an RPC, by HTTP status, in order. */
export function failureResponses(
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
    const schema =
      message === undefined || partly.length === 0
        ? error
        : { anyOf: [error, partialSchema(partly, message)] };
    return [status, failureResponse(Number(status), ofStatus, schema, options)] as const;
  });
  // Keys that are whole numbers are in their order.
  return { ...Object.fromEntries(responses), default: { $ref: "#/components/responses/Failure" } };
}

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
        schema: { type: "integer", minimum: 1 },
        example: 30,
      },
      RetryAfterIfItPasses: {
        description: "When to try again, if waiting helps: seconds.",
        schema: { type: "integer", minimum: 1 },
        example: 30,
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

/** The headers that any answer may have. */
export function answerHeaders({ answerHeaders }: OpenApiOptions): JsonSchema {
  const names = Object.keys(answerHeaders);
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${keyOf(name)}` }]),
  );
}

/** A header's key among the components. */
function keyOf(name: string): string {
  return name.replaceAll("-", "");
}

/** The body of an error. */
export const ERROR = { $ref: "#/components/schemas/Error" };

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

/** Failures that say what was done in spite of them. */
function partialSchema(reasons: readonly string[], message: string): JsonSchema {
  return { allOf: [errorSchema(reasons), { $ref: `#/components/schemas/${message}` }] };
}

function failureResponse(
  status: number,
  reasons: readonly string[],
  schema: JsonSchema,
  options: OpenApiOptions,
): JsonSchema {
  const { failures } = options;
  const waiting = reasons.filter((reason) => failures[reason]?.waits);
  const wait = waiting.length === reasons.length ? "RetryAfter" : "RetryAfterIfItPasses";
  const headers = {
    ...(waiting.length > 0 && { "Retry-After": { $ref: `#/components/headers/${wait}` } }),
    ...(status === UNAUTHORIZED
      ? { "WWW-Authenticate": { $ref: "#/components/headers/WwwAuthenticate" } }
      : answerHeaders(options)),
  };
  return defined({
    description: `${STATUS_CODES[status]}: ${reasons.map((reason) => `\`${reason}\``).join(", ")}.`,
    headers: Object.keys(headers).length === 0 ? undefined : headers,
    content: { "application/json": { schema } },
  });
}
