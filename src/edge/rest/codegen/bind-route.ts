import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import type { PathParameter, Route } from "../route.ts";
import { GenerationError } from "./generation-error.ts";
import type { HttpBinding } from "./http-bindings.ts";
import { parameterTypeOf } from "./parameter-type.ts";
import { type PathTemplate, PathTemplateError, parsePathTemplate } from "./path-template.ts";
import { queryParametersOf } from "./query-parameters.ts";

/** A route without the descriptor of its RPC, which the generated code imports. */
export type RouteDescription = Omit<Route, "rpc">;

/** Methods whose requests have no content (RFC 9110, sections 9.3.1, 9.3.2 and 9.3.5). */
const METHODS_WITHOUT_BODY: readonly string[] = ["GET", "HEAD", "DELETE"];

/** Checks a binding against the messages of its RPC. Throws a GenerationError. */
export function bindRoute(rpc: DescMethod, binding: HttpBinding): RouteDescription {
  if (rpc.methodKind !== "unary") {
    throw new GenerationError(rpc, "only unary RPCs can be served over REST");
  }
  const { httpMethod, template, body, responseBody } = binding;
  const { segments, variables, verb } = parseTemplate(rpc, template);
  const pathParameters = variables.map(({ fieldPath, from, to }): PathParameter => {
    return { name: fieldPath, type: pathParameterType(rpc, fieldPath), from, to };
  });

  if (body !== null) checkBody(rpc, httpMethod, body);
  if (responseBody !== null && findField(rpc.output, responseBody) === undefined) {
    throw new GenerationError(rpc, `response_body: the response has no field "${responseBody}"`);
  }
  const updateMask = httpMethod === "PATCH" && body !== null ? updateMaskOf(rpc, body) : null;

  const takenElsewhere = new Set(variables.map((variable) => variable.fieldPath));
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
  };
}

function parseTemplate(rpc: DescMethod, template: string): PathTemplate {
  try {
    return parsePathTemplate(template);
  } catch (error) {
    if (!(error instanceof PathTemplateError)) throw error;
    throw new GenerationError(rpc, `the path "${template}": ${error.message}`);
  }
}

function pathParameterType(rpc: DescMethod, fieldPath: string): PathParameter["type"] {
  let message: DescMessage | undefined = rpc.input;
  let field: DescField | undefined;
  for (const name of fieldPath.split(".")) {
    field = message && findField(message, name);
    if (field === undefined) {
      throw new GenerationError(rpc, `the path variable "${fieldPath}" names no field`);
    }
    if (field.oneof !== undefined) {
      throw new GenerationError(rpc, `the path variable "${fieldPath}" must not be of a oneof`);
    }
    message = field.fieldKind === "message" ? field.message : undefined;
  }
  const type = field && parameterTypeOf(field);
  if (!type || (field?.fieldKind !== "scalar" && field?.fieldKind !== "enum")) {
    throw new GenerationError(
      rpc,
      `the path variable "${fieldPath}" must not be a list, a map or a message`,
    );
  }
  return type;
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
  const isObject =
    field.fieldKind === "message" &&
    (field.message.file.proto.package !== "google.protobuf" ||
      field.message.typeName === "google.protobuf.Struct");
  if (!isObject) {
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
