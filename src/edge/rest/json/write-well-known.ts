import { type DescMessage, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import {
  type FieldMask,
  hasCustomJsonRepresentation,
  type ListValueSchema,
  type Timestamp,
  type ValueSchema,
} from "@bufbuild/protobuf/wkt";
import type { WriteJson } from "./write-scalar.ts";

/**
 * The writer of a message whose JSON is not an object of its fields. Undefined:
 * it is one. Throws for such a type that has no writer here.
 */
export function wellKnownWriter(desc: DescMessage): WriteJson | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Timestamp":
      return (value) => writeTimestamp(value as Timestamp);
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

/** UTC with microseconds, always six digits; what is finer is dropped. */
function writeTimestamp({ seconds, nanos }: Timestamp): string {
  const toTheSecond = new Date(Number(seconds) * 1000).toISOString();
  if (toTheSecond.length !== "2026-05-04T03:02:01.000Z".length) {
    throw new RangeError(`${toTheSecond} is not within the years 0 to 9999`);
  }
  const micros = String(Math.trunc(nanos / 1000)).padStart(6, "0");
  return `"${toTheSecond.slice(0, 19)}.${micros}Z"`;
}
