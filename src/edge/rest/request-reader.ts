import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { jsonNameOf } from "./json/json-field.ts";
import { type AnyMessage, setField } from "./json/local-field.ts";
import { createJsonReaderCompiler, namesInside } from "./json/message-reader.ts";
import type { ParseTimestamp } from "./json/read-well-known.ts";
import { compilePathReader } from "./path-reader.ts";
import { compileQueryReader } from "./query-reader.ts";
import type { Route } from "./route.ts";

/** What a request carries, taken apart. */
export interface RequestParts {
  /** Segments of the path: raw, without the verb. */
  readonly segments: readonly string[];
  /** Raw, without `?`. */
  readonly query: string;
  /** Null where the route has no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Puts the parts of a request into one message. Throws a RestError. */
export type ReadRequest = (parts: RequestParts) => AnyMessage;

/** Compiles at start-up; throws for a message that cannot be read. */
export function compileRequestReader(route: Route, parseTimestamp: ParseTimestamp): ReadRequest {
  const compiler = createJsonReaderCompiler({ parseTimestamp });
  const readPath = compilePathReader(route, compiler);
  const readQuery = compileQueryReader(route, compiler);
  const readBody = compileBodyReader(route, parseTimestamp);
  return ({ segments, query, body }) => {
    const message = readBody(body ?? {});
    readQuery(message, query);
    readPath(message, segments);
    return message;
  };
}

/** The request as far as its body says it. What the path says must not be in the body. */
function compileBodyReader(
  route: Route,
  parseTimestamp: ParseTimestamp,
): (body: Readonly<Record<string, unknown>>) => AnyMessage {
  const { body, updateMask, pathParameters, rpc } = route;
  const inPath = new Set(pathParameters.map(({ name }) => name));
  // In a patch, null could mean "unchanged" or "without": it must not be guessed.
  const nulls = updateMask === null ? "left_out" : "refused";
  const compiler = createJsonReaderCompiler({ parseTimestamp, nulls });
  if (body === null) return () => create(rpc.input) as AnyMessage;
  if (body === "*") {
    const read = compiler.message(rpc.input, inPath);
    return (json) => read(json, null) as AnyMessage;
  }

  const field = fieldOf(route, body);
  if (field.fieldKind !== "message") throw new Error(`${field}: a body must be a message`);
  const read =
    field.message.typeName === "google.protobuf.Struct"
      ? compiler.field(field)
      : compiler.message(field.message, namesInside(body, inPath));
  const namesByJson = new Map(field.message.fields.map((each) => [jsonNameOf(each), each.name]));
  const maskField = updateMask === null ? null : fieldOf(route, updateMask);
  return (json) => {
    const message = create(rpc.input) as AnyMessage;
    setField(message, field, read(json, null), null);
    if (maskField !== null) {
      const mask = create(FieldMaskSchema, {
        paths: Object.keys(json).map((name) => namesByJson.get(name) ?? name),
      });
      setField(message, maskField, mask, null);
    }
    return message;
  };
}

function fieldOf(route: Route, name: string) {
  const field = route.rpc.input.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${route.rpc.input.typeName} has no field ${name}`);
  return field;
}
