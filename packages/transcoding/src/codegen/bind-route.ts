import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { checkFields, type JsonType, requestTypeOf, responseTypeOf } from "../json/field.ts";
import {
  METHODS_WITHOUT_BODY,
  type PathParameter,
  type QueryParameter,
  type ResponseFormat,
  type Route,
} from "../route.ts";
import { GenerationError, type HttpBinding } from "./http-bindings.ts";
import { type PathTemplate, parsePathTemplate } from "./path-template.ts";

/** A route without the descriptor of its RPC, which the generated code imports. */
export type RouteDescription = Omit<Route, "rpc">;

/** Checks a binding against the messages of its RPC. Throws a GenerationError. */
export function bindRoute(
  rpc: DescMethod,
  binding: HttpBinding,
  format: ResponseFormat,
): RouteDescription {
  if (rpc.methodKind === "bidi_streaming") {
    throw new GenerationError(rpc, "a stream in both directions can't be served over REST");
  }
  checkMessage(rpc, rpc.input, requestTypeOf);
  checkMessage(rpc, rpc.output, responseTypeOf);
  const { httpMethod, template, body, responseBody } = binding;
  const { segments, variables, verb } = parseTemplate(rpc, template);
  const pathParameters = variables.map(({ name, segment }): PathParameter => {
    return { name, type: pathParameterType(rpc, name), segment };
  });

  if (body !== null) checkBody(rpc, httpMethod, body);
  if (rpc.methodKind === "client_streaming" && (body !== "*" || variables.length > 0)) {
    throw new GenerationError(rpc, "a stream of requests is a body, and nothing else");
  }
  if (responseBody !== null && findField(rpc.output, responseBody) === undefined) {
    throw new GenerationError(rpc, `response_body: the response has no field "${responseBody}"`);
  }
  const updateMask = httpMethod === "PATCH" && body !== null ? updateMaskOf(rpc, body) : null;

  const takenElsewhere = new Set(variables.map(({ name }) => name));
  if (body !== null) takenElsewhere.add(body);
  if (updateMask !== null) takenElsewhere.add(updateMask);
  const queryParameters = body === "*" ? [] : queryParametersOf(rpc, takenElsewhere);

  return {
    httpMethod,
    template,
    segments,
    verb,
    pathParameters,
    queryParameters,
    body,
    updateMask,
    responseBody,
    format,
  };
}

function parseTemplate(rpc: DescMethod, template: string): PathTemplate {
  try {
    return parsePathTemplate(template);
  } catch (error) {
    throw new GenerationError(rpc, `the path "${template}": ${(error as Error).message}`);
  }
}

/** All that the readers and writers of JSON do not support fails the generation. */
function checkMessage(
  rpc: DescMethod,
  message: DescMessage,
  typeOf: (field: DescField) => JsonType,
): void {
  try {
    checkFields(message, typeOf);
  } catch (error) {
    throw new GenerationError(rpc, error instanceof Error ? error.message : String(error));
  }
}

function pathParameterType(rpc: DescMethod, name: string): PathParameter["type"] {
  const field = findField(rpc.input, name);
  if (field === undefined) {
    throw new GenerationError(rpc, `the path variable "${name}" names no field`);
  }
  if (field.fieldKind === "scalar") {
    const type = requestTypeOf(field);
    if (typeof type === "string" && type !== "struct" && type !== "text_map") return type;
  }
  const problem = `the path variable "${name}" must not be a list or a message`;
  throw new GenerationError(rpc, problem);
}

/**
 * The query parameters of an RPC: every field that neither the path nor the body takes.
 * Throws a GenerationError for a field that text cannot express, since the field would be
 * out of the caller's reach.
 */
function queryParametersOf(rpc: DescMethod, takenElsewhere: ReadonlySet<string>): QueryParameter[] {
  return rpc.input.fields
    .filter(({ name }) => !takenElsewhere.has(name))
    .map((field) => {
      const { name } = field;
      const type = requestTypeOf(field);
      if (type === "struct" || typeof type === "object") {
        throw new GenerationError(rpc, `the field "${name}" cannot be a query parameter`);
      }
      return { name, type, repeated: field.fieldKind === "list" };
    });
}

function checkBody(rpc: DescMethod, httpMethod: string, body: string): void {
  if (METHODS_WITHOUT_BODY.includes(httpMethod)) {
    throw new GenerationError(rpc, `body: ${httpMethod} has none`);
  }
  if (body === "*") return;
  const field = findField(rpc.input, body);
  if (field === undefined) {
    throw new GenerationError(rpc, `body: the request has no field "${body}"`);
  }
  const type = field.fieldKind === "message" ? requestTypeOf(field) : "list or scalar";
  if (typeof type === "string") {
    throw new GenerationError(rpc, `body: the field "${body}" is not written as a JSON object`);
  }
}

/** By its name in AIP-134. Only where the body is a field can a mask be relative to it. */
function updateMaskOf(rpc: DescMethod, body: string): string | null {
  const field = findField(rpc.input, "update_mask");
  const isMask =
    field?.fieldKind === "message" && field.message.typeName === "google.protobuf.FieldMask";
  return isMask && body !== "*" ? field.name : null;
}

function findField(message: DescMessage, name: string): DescField | undefined {
  return message.fields.find((field) => field.name === name);
}
