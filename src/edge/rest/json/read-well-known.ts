import { create, type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
  FieldMaskSchema,
  hasCustomJsonRepresentation,
  ListValueSchema,
  TimestampSchema,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { checkDepth, entryAt, fieldAt, type Location, refuse } from "./location.ts";
import { type ReadJson, readString } from "./read-scalar.ts";

/**
 * Reads a date-time. Null: it is none. `seconds` since 1970 are rounded down;
 * `nanos` are 0 to 999,999,999.
 */
export type ParseTimestamp = (text: string) => { seconds: bigint; nanos: number } | null;

/**
 * The reader of a message whose JSON is not an object of its fields. Undefined:
 * it is one. Throws for such a type that has no reader here.
 */
export function wellKnownReader(
  desc: DescMessage,
  parseTimestamp: ParseTimestamp,
): ReadJson | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Timestamp":
      return (json, at) => {
        const time = typeof json === "string" ? parseTimestamp(json) : null;
        if (time === null) {
          const example = "2026-05-04T03:02:01Z";
          refuse(at, `must be a date-time with an offset, as in ${example} (RFC 3339)`);
        }
        return create(TimestampSchema, time);
      };
    case "google.protobuf.FieldMask":
      return (json, at) => create(FieldMaskSchema, { paths: readFieldMask(json, at) });
    case "google.protobuf.Struct":
      // Messages hold a Struct as plain JSON.
      return (json, at) => {
        if (!isJsonObject(json)) refuse(at, "must be an object");
        checkPlainJson(json, at);
        return json;
      };
    case "google.protobuf.ListValue":
      return (json, at) => {
        if (!Array.isArray(json)) refuse(at, "must be a list");
        checkPlainJson(json, at);
        return fromJson(ListValueSchema, json);
      };
    case "google.protobuf.Value":
      return (json, at) => {
        checkPlainJson(json, at);
        return fromJson(ValueSchema, json as JsonValue);
      };
  }
  if (hasCustomJsonRepresentation(desc)) {
    throw new Error(`JSON of ${desc.typeName} cannot be read`);
  }
  return undefined;
}

export function isJsonObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Names of fields as everywhere here, in snake_case, and not in ProtoJSON's camelCase. */
function readFieldMask(json: unknown, at: Location | null): string[] {
  const text = readString(json, at);
  if (text === "") return [];
  if (!/^[a-z_][a-z0-9_]*(?:[.,][a-z_][a-z0-9_]*)*$/.test(text)) {
    refuse(at, "must be names of fields, separated by commas");
  }
  return text.split(",");
}

/** What JSON.parse lets through and others cannot store: see readString. */
function checkPlainJson(json: unknown, at: Location | null): void {
  if (typeof json === "string") {
    readString(json, at);
  } else if (typeof json === "number") {
    if (!Number.isFinite(json)) refuse(at, "must be a number that a double can hold");
  } else if (Array.isArray(json)) {
    checkDepth(at);
    json.forEach((element, index) => {
      checkPlainJson(element, entryAt(at, index));
    });
  } else if (isJsonObject(json)) {
    checkDepth(at);
    for (const [name, value] of Object.entries(json)) {
      const entry = fieldAt(at, name);
      readString(name, entry);
      checkPlainJson(value, entry);
    }
  }
}
