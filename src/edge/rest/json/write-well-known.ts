import { type DescMessage, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import {
  type FieldMask,
  hasCustomJsonRepresentation,
  type ListValueSchema,
  type ValueSchema,
} from "@bufbuild/protobuf/wkt";
import type { WriteJson } from "./write-scalar.ts";
import { timestampWriter } from "./write-timestamp.ts";

/**
 * The writer of a message whose JSON is not an object of its fields. Undefined:
 * it is one. Throws for such a type that has no writer here.
 */
export function wellKnownWriter(desc: DescMessage): WriteJson | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Timestamp":
      return timestampWriter();
    case "google.protobuf.FieldMask":
      return (value) => JSON.stringify((value as FieldMask).paths.join(","));
    case "google.protobuf.Struct":
      // Messages hold a Struct as plain JSON.
      return (value) => JSON.stringify(value);
    case "google.protobuf.ListValue":
    case "google.protobuf.Value":
      return (value) =>
        toJsonString(desc, value as MessageShape<typeof ListValueSchema | typeof ValueSchema>);
  }
  if (hasCustomJsonRepresentation(desc)) {
    throw new Error(`JSON of ${desc.typeName} cannot be written`);
  }
  return undefined;
}
