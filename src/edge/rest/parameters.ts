import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { jsonNameOf } from "./json/json-field.ts";
import { type AnyMessage, ensureMessage, setField } from "./json/local-field.ts";
import { fieldAt, type Location } from "./json/location.ts";
import type { JsonReaderCompiler } from "./json/message-reader.ts";
import type { ParameterType } from "./route.ts";

/** A field that text in the path or the query string is read into. */
export interface Parameter {
  /** As the caller writes it: names in JSON, joined by dots. */
  readonly name: string;
  readonly at: Location;
  /** Reads the text, or for a repeated field the texts, and sets the field. Throws a RestError. */
  set(message: AnyMessage, text: string | readonly string[]): void;
}

/** Throws when the message has no such field. */
export function compileParameter(
  message: DescMessage,
  { name, type }: { readonly name: string; readonly type: ParameterType },
  compiler: JsonReaderCompiler,
): Parameter {
  const fields = resolve(message, name.split("."));
  const field = fields[fields.length - 1] as DescField;
  const parents = fields.slice(0, -1) as (DescField & { fieldKind: "message" })[];
  const read = compiler.field(field);
  const jsonName = fields.map(jsonNameOf).join(".");
  const at = fieldAt(null, jsonName);
  return {
    name: jsonName,
    at,
    set(root, text) {
      const json =
        typeof text === "string"
          ? textToJson(type, text)
          : text.map((each) => textToJson(type, each));
      const value = read(json, at);
      const parent = parents.reduce((each, next) => ensureMessage(each, next, at), root);
      setField(parent, field, value, at);
    },
  };
}

function resolve(message: DescMessage, names: readonly string[]): DescField[] {
  let parent: DescMessage | undefined = message;
  return names.map((name) => {
    const field: DescField | undefined = parent?.fields.find((each) => each.name === name);
    if (field === undefined) throw new Error(`${message.typeName} has no field ${names.join(".")}`);
    parent = field.fieldKind === "message" ? field.message : undefined;
    return field;
  });
}

/**
 * The JSON value that a text stands for. Where it does not look like one of its
 * type it stays text, and the reader of the field refuses it by its own rule.
 */
function textToJson(type: ParameterType, text: string): string | number | boolean {
  switch (type) {
    case "bool":
      return text === "true" || (text === "false" ? false : text);
    case "int32":
    case "uint32":
      return /^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
    case "float":
    case "double":
      return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}
