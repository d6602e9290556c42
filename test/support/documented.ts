/** Holds answers of the JSON API, and the requests that were answered, against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ServerSentEvent } from "../../packages/transcoding/test/event-stream.ts";
import {
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Response,
  readDocument,
  type Schema,
} from "./openapi-document.ts";

/** A request and what was answered to it. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  /** As it was sent. */
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the answer; of events, all of them. */
  readonly body: unknown;
}

interface Checks {
  readonly document: OpenApiDocument;
  readonly operations: readonly {
    readonly method: string;
    readonly path: RegExp;
    readonly operation: Operation;
  }[];
  /** Of answers: nothing may be there that is not documented. */
  readonly answers: Ajv2020;
  /** Of requests: which times are read is more than a format says. */
  readonly requests: Ajv2020;
  readonly compiled: Map<string, ValidateFunction>;
}

const JSON_LINES = "application/x-ndjson";

let shared: Checks | null = null;

/**
 * Throws where an answer is not as documented: its body, whether a header is missing; or
 * where a request was served that the document does not allow. What goes to no operation
 * of the document is not looked at.
 */
export function checkDocumented(exchange: Exchange): void {
  shared ??= createChecks();
  const { method, url, status } = exchange;
  const found = shared.operations.find(
    (each) => each.method === method && each.path.test(url.pathname),
  );
  if (found === undefined) return;
  const { operation } = found;
  const problems = [
    ...problemsOfAnswer(shared, operation, exchange),
    ...(status === 200 ? problemsOfRequest(shared, operation, exchange) : []),
  ];
  if (problems.length === 0) return;
  const what = `${operation.operationId} with status ${status}`;
  throw new Error(`${what} is not as documented: ${JSON.stringify(problems)}`);
}

function createChecks(): Checks {
  const document = readDocument();
  const strict = { ...document, components: { ...document.components } };
  strict.components.schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, each]) => [name, closed(each, true)]),
  );
  const options = { strict: false, allErrors: true };
  const answers = new Ajv2020(options);
  addFormats.default(answers);
  answers.addSchema(strict, "document", false, false);
  const requests = new Ajv2020({ ...options, validateFormats: false });
  requests.addSchema(document, "document", false, false);
  const operations = operationsOf(document).map(({ path, method, operation }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    operation,
  }));
  return { document, operations, answers, requests, compiled: new Map() };
}

function problemsOfAnswer(
  checks: Checks,
  { operationId, responses }: Operation,
  { status, headers, body }: Exchange,
): unknown[] {
  const known = String(status) in responses ? String(status) : "default";
  const { headers: documented = {}, content } = resolved(checks.document, responses[known]);
  const type = headers.get("content-type") ?? "";
  const missing = Object.entries(documented)
    .filter(([, { $ref }]) => {
      return checks.document.components.headers[$ref.split("/").at(-1) ?? ""]?.required;
    })
    .filter(([name]) => !headers.has(name))
    .map(([name]) => `the header ${name} is missing`);
  if (content === undefined) return missing;
  const key = `${operationId} ${known} ${type}`;
  if (type === "text/event-stream") {
    const events = content[type]?.schema.contentSchema?.items?.oneOf ?? [];
    return [...missing, ...problemsOfEvents(checks, events, key, body)];
  }
  const schema =
    type === JSON_LINES ? content[type]?.schema.contentSchema : content["application/json"]?.schema;
  if (schema === undefined) return [...missing, `an answer in ${type} is not documented`];
  return [...missing, ...problems(checks, checks.answers, key, () => closed(schema), body)];
}

/** Each event must be one that is documented, with the data that it is documented to have. */
function problemsOfEvents(
  checks: Checks,
  documented: readonly Schema[],
  key: string,
  body: unknown,
): unknown[] {
  return (body as readonly ServerSentEvent[]).flatMap(({ event, data }) => {
    const found = documented.find(({ properties }) => properties?.event?.const === event);
    const schema = found?.properties?.data?.contentSchema;
    if (schema === undefined) return [`the event ${event} is not documented`];
    return problems(checks, checks.answers, `${key} ${event}`, () => closed(schema), data);
  });
}

function problemsOfRequest(
  checks: Checks,
  { operationId, parameters = [], requestBody }: Operation,
  { url, requestBody: sent }: Exchange,
): unknown[] {
  const known = new Map(
    parameters.filter((each) => each.in === "query").map((each) => [each.name, each.style]),
  );
  const unknown = [...url.searchParams.keys()].filter((name) => {
    const [, map = null] = /^(\w+)\[.*\]$/s.exec(name) ?? [];
    return map === null ? !known.has(name) : known.get(map) !== "deepObject";
  });
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  if (content === undefined || sent === undefined) return unknown;
  const isLines = type === JSON_LINES;
  const schema = isLines ? content.schema.contentSchema?.items : content.schema;
  const texts = isLines ? sent.trimEnd().split("\n") : [sent];
  const wrong = texts.flatMap((text) => {
    const json = withoutIgnored(JSON.parse(text));
    return problems(checks, checks.requests, operationId, () => schema ?? {}, json);
  });
  return [...unknown, ...wrong];
}

/** The fields of a write that count in the other mode only (D6a): the schemas of each form lack them. */
const IGNORED = {
  content: ["llm"],
  messages: ["topic", "importance_score", "importance"],
} as const;

/** Without nulls, which are the same as fields that were left out (D7a), and without what is ignored. */
function withoutIgnored(json: Readonly<Record<string, unknown>>): unknown {
  const ignored = new Set<string>(
    (["content", "messages"] as const).flatMap((mode) => {
      return (json[mode] ?? null) === null ? [] : IGNORED[mode];
    }),
  );
  const given = Object.entries(json).filter(
    ([name, value]) => value !== null && !ignored.has(name),
  );
  return Object.fromEntries(given);
}

function problems(
  { compiled }: Checks,
  ajv: Ajv2020,
  key: string,
  schemaOf: () => Schema,
  json: unknown,
): unknown[] {
  let validate = compiled.get(key);
  if (validate === undefined) {
    validate = ajv.compile(inDocument(schemaOf()));
    compiled.set(key, validate);
  }
  if (validate(json)) return [];
  const errors = validate.errors ?? [];
  return errors.map(({ instancePath, message, params }) => [instancePath, message, params]);
}

function resolved({ components }: OpenApiDocument, response: Response = {}): Response {
  const name = response.$ref?.split("/").at(-1);
  return name === undefined ? response : (components.responses[name] ?? {});
}

/** The same with references to the document, which is a schema of another name here. */
function inDocument(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));
}

/** The same without room for members that it does not name. A part of a whole leaves it to that. */
function closed(schema: Schema, isPart = false): Schema {
  const { $ref, type, properties, items, allOf, anyOf, oneOf } = schema;
  const parts = (of?: readonly Schema[]) => of?.map((each) => closed(each, true));
  const whole = {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, closed(each)]),
      ),
    }),
    ...(items && { items: closed(items) }),
    ...(allOf && { allOf: parts(allOf) }),
    ...(anyOf && { anyOf: parts(anyOf) }),
    ...(oneOf && { oneOf: parts(oneOf) }),
  };
  const isObject = [type].flat().includes("object") || $ref || allOf || anyOf || oneOf;
  return isPart || !isObject ? whole : { ...whole, unevaluatedProperties: false };
}
