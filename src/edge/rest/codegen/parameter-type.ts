import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import type { ParameterType } from "../route.ts";

/**
 * What the text of a parameter for this field, or for one element of this list,
 * is read as. Null: text cannot express it.
 */
export function parameterTypeOf(field: DescField): ParameterType | null {
  if (field.fieldKind === "map") return null;
  if (field.enum !== undefined) return "enum";
  if (field.scalar !== undefined) return SCALAR_TYPES[field.scalar];
  if (field.message === undefined) return null;
  if (isWrapperDesc(field.message)) return SCALAR_TYPES[field.message.fields[0].scalar];
  switch (field.message.typeName) {
    case "google.protobuf.Timestamp":
      return "timestamp";
    case "google.protobuf.FieldMask":
      return "field_mask";
    default:
      return null;
  }
}

const SCALAR_TYPES: Record<ScalarType, ParameterType> = {
  [ScalarType.STRING]: "string",
  [ScalarType.BYTES]: "bytes",
  [ScalarType.BOOL]: "bool",
  [ScalarType.INT32]: "int32",
  [ScalarType.SINT32]: "int32",
  [ScalarType.SFIXED32]: "int32",
  [ScalarType.UINT32]: "uint32",
  [ScalarType.FIXED32]: "uint32",
  [ScalarType.INT64]: "int64",
  [ScalarType.SINT64]: "int64",
  [ScalarType.SFIXED64]: "int64",
  [ScalarType.UINT64]: "uint64",
  [ScalarType.FIXED64]: "uint64",
  [ScalarType.FLOAT]: "float",
  [ScalarType.DOUBLE]: "double",
};
