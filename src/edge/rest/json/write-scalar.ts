import { type DescEnum, ScalarType } from "@bufbuild/protobuf";

/** Writes what a message holds as JSON text. Throws for what JSON cannot express. */
export type WriteJson = (value: unknown) => string;

export const SCALAR_WRITERS: Record<ScalarType, WriteJson> = {
  [ScalarType.STRING]: (value) => JSON.stringify(value),
  [ScalarType.BYTES]: (value) => `"${Buffer.from(value as Uint8Array).toString("base64")}"`,
  [ScalarType.BOOL]: String,
  [ScalarType.INT32]: String,
  [ScalarType.SINT32]: String,
  [ScalarType.SFIXED32]: String,
  [ScalarType.UINT32]: String,
  [ScalarType.FIXED32]: String,
  // In quotes, as ProtoJSON has it: a client's numbers may be doubles.
  [ScalarType.INT64]: quote,
  [ScalarType.SINT64]: quote,
  [ScalarType.SFIXED64]: quote,
  [ScalarType.UINT64]: quote,
  [ScalarType.FIXED64]: quote,
  [ScalarType.FLOAT]: writeNumber,
  [ScalarType.DOUBLE]: writeNumber,
};

/** The name, or the number of a value that has none here. */
export function enumWriter(desc: DescEnum): WriteJson {
  return (value) => {
    const name = desc.value[value as number]?.name;
    return name === undefined ? String(value) : quote(name);
  };
}

function quote(value: unknown): string {
  return `"${value}"`;
}

function writeNumber(value: unknown): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as JSON`);
  return String(value);
}
