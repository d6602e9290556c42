import { json_field } from "@agent-memory/gen/transcoding/v1/options_pb";
import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import { Edition, hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";

/** The type of a field or its elements: a simple value, texts by name, a message with fields. */
export type JsonType = SimpleType | "text_map" | "struct" | DescMessage;

/** A type that text in a path or a query string can express. */
export type SimpleType = "string" | "bool" | "int32" | "double" | "timestamp" | "field_mask";

const SCALAR_TYPES: { readonly [type in ScalarType]?: SimpleType } = {
  [ScalarType.STRING]: "string",
  [ScalarType.BOOL]: "bool",
  [ScalarType.INT32]: "int32",
  [ScalarType.DOUBLE]: "double",
};

const MESSAGE_TYPES: ReadonlyMap<string, JsonType> = new Map([
  ["google.protobuf.Timestamp", "timestamp"],
  ["google.protobuf.FieldMask", "field_mask"],
  ["google.protobuf.Struct", "struct"],
]);

/** The type of a response's field. Throws an Error, with its name, for a kind that REST lacks. */
export function responseTypeOf(field: DescField): JsonType {
  if (field.parent.file.edition !== Edition.EDITION_PROTO3) refuseField(field, "not proto3");
  if (field.fieldKind === "map") {
    const isOfTexts = field.mapKey === ScalarType.STRING && field.scalar === ScalarType.STRING;
    return isOfTexts ? "text_map" : refuseField(field, "a map of other things than texts");
  }
  if (field.enum !== undefined) refuseField(field, "an enum");
  if (field.scalar !== undefined) {
    return SCALAR_TYPES[field.scalar] ?? refuseField(field, ScalarType[field.scalar].toLowerCase());
  }
  const { message } = field;
  const type = MESSAGE_TYPES.get(message.typeName);
  if (type !== undefined) return type;
  if (hasCustomJsonRepresentation(message)) refuseField(field, message.typeName);
  return message;
}

/** The same for a field of a request, which may only be of a oneof that is all of its message. */
export function requestTypeOf(field: DescField): JsonType {
  if (field.oneof !== undefined && flatArmsOf(field.parent) === null) {
    refuseField(field, "of a oneof in a request");
  }
  return responseTypeOf(field);
}

/** The arms of a oneof, whose fields stand in the place of the whole. */
export type FlatArms = NonNullable<ReturnType<typeof flatArmsOf>>;

/** The arms of a message that is nothing but a oneof of flat messages; null: it is something else. */
export function flatArmsOf({ members }: DescMessage) {
  const [only] = members;
  if (members.length !== 1 || only?.kind !== "oneof") return null;
  const arms = only.fields.flatMap((field) =>
    isFlat(field) && field.fieldKind === "message" ? { field, message: field.message } : [],
  );
  return arms.length === only.fields.length ? arms : null;
}

/** Whether the members of a message stand in the place of the message itself. */
export function isFlat(field: DescField): boolean {
  return getOption(field, json_field).flatten;
}

function refuseField(field: DescField, kind: string): never {
  throw new Error(`${field} is ${kind}: REST does not carry that`);
}

/** The name of a field in JSON, queries and errors: the proto's, or the `json_name` it sets. */
export function jsonNameOf({ name, jsonName }: DescField): string {
  return jsonName === protoCamelCase(name) ? name : jsonName;
}

/** The text whose name a list has in requests; null: none. Throws where their kinds differ. */
export function textReplacedBy(field: DescField): DescField | null {
  const { inPlaceOf } = getOption(field, json_field);
  if (inPlaceOf === "") return null;
  const text = fieldOf(field.parent, inPlaceOf);
  if (
    field.fieldKind !== "list" ||
    text.scalar !== ScalarType.STRING ||
    text.fieldKind !== "scalar"
  ) {
    throw new Error(`${field}: only a list can be in place of a text`);
  }
  return text;
}

/** The field of that name in the proto file. Throws when there is none. */
export function fieldOf(message: DescMessage, name: string): DescField {
  const field = message.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${message.typeName} has no field ${name}`);
  return field;
}
