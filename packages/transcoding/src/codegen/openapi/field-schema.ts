import { type FieldRules, json_field, rules } from "@agent-memory/gen/transcoding/v1/options_pb";
import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import type { JsonType } from "../../json/field.ts";
import { GenerationError } from "../http-bindings.ts";
import { defined, type JsonSchema } from "./json-schema.ts";

/** The rules of a field's values, by its option. */
export function rulesOf(field: DescField): FieldRules {
  return getOption(field, rules);
}

/** The schema of a value, or of each text in a map, without what its rules say. */
const SIMPLE_SCHEMAS: Readonly<Record<Exclude<JsonType, DescMessage>, JsonSchema>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  double: { type: "number", format: "double" },
  timestamp: { type: "string", format: "date-time" },
  field_mask: { type: "string" },
  text_map: { type: "string" },
  struct: { type: "object", additionalProperties: true },
};

/**
 * The schema of what a field holds: of the list, for a repeated one, or of the map. `value` is the
 * schema of a message, or the simple type of the field.
 */
export function valueSchema(
  field: DescField,
  value: Exclude<JsonType, DescMessage> | JsonSchema,
): JsonSchema {
  const ofField = rulesOf(field);
  const simple = typeof value === "string" ? SIMPLE_SCHEMAS[value] : value;
  const element = { ...simple, ...elementRules(ofField) };
  if (field.fieldKind === "map") return mapSchema(element, ofField);
  if (field.fieldKind !== "list") return element;
  return defined({
    type: "array",
    items: element,
    minItems: getOption(field, json_field).rejectEmpty ? 1 : undefined,
    maxItems: ofField.maxItems,
  });
}

function mapSchema(text: JsonSchema, { maxItems, maxKeyLength }: FieldRules): JsonSchema {
  return defined({
    type: "object",
    additionalProperties: text,
    propertyNames:
      maxKeyLength === undefined
        ? undefined
        : { minLength: 1, maxLength: maxKeyLength, pattern: NO_CONTROL_CHARACTERS },
    maxProperties: maxItems,
  });
}

/** The example of a field, and whether it is deprecated. */
export function annotations(field: DescField): JsonSchema {
  const { exampleJson } = rulesOf(field);
  return defined({
    examples: exampleJson === "" ? undefined : [parsed(field, exampleJson)],
    deprecated: field.deprecated || undefined,
  });
}

/** The default of a field that was left out. */
export function defaultOf(field: DescField): JsonSchema {
  const { defaultJson } = rulesOf(field);
  return defaultJson === "" ? {} : { default: parsed(field, defaultJson) };
}

/** Portable to the regular expressions of most languages. */
const NOT_BLANK = String.raw`\S`;
const NO_CONTROL_CHARACTERS = String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`;

function elementRules(of: FieldRules): JsonSchema {
  const patterns = [
    of.notBlank ? NOT_BLANK : "",
    of.noControlCharacters ? NO_CONTROL_CHARACTERS : "",
    of.pattern,
  ].filter((pattern) => pattern !== "");
  return defined({
    const: of.words.length === 1 ? of.words[0] : undefined,
    enum: of.words.length > 1 ? of.words : undefined,
    minLength: of.minLength,
    // A character is a byte at least.
    maxLength: of.maxLength ?? of.maxBytes,
    "x-max-bytes": of.maxBytes,
    pattern: patterns.length === 1 ? patterns[0] : undefined,
    allOf: patterns.length > 1 ? patterns.map((pattern) => ({ pattern })) : undefined,
    format: of.format === "" ? undefined : of.format,
    minimum: of.minimum,
    maximum: of.maximum,
  });
}

function parsed(field: DescField, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new GenerationError(field, `${json} is not JSON`);
  }
}
