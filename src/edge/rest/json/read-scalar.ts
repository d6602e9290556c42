import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import { type Location, refuse } from "./location.ts";

/** Checks a JSON value and turns it into what a message holds. Throws a RestError. */
export type ReadJson = (json: unknown, at: Location | null) => unknown;

const MAX_FLOAT = 3.4028234663852886e38;

export const SCALAR_READERS: Record<ScalarType, ReadJson> = {
  [ScalarType.STRING]: readString,
  [ScalarType.BYTES]: readBytes,
  [ScalarType.BOOL]: readBool,
  [ScalarType.INT32]: wholeNumberReader(-(2 ** 31), 2 ** 31 - 1),
  [ScalarType.SINT32]: wholeNumberReader(-(2 ** 31), 2 ** 31 - 1),
  [ScalarType.SFIXED32]: wholeNumberReader(-(2 ** 31), 2 ** 31 - 1),
  [ScalarType.UINT32]: wholeNumberReader(0, 2 ** 32 - 1),
  [ScalarType.FIXED32]: wholeNumberReader(0, 2 ** 32 - 1),
  [ScalarType.INT64]: longReader(-(2n ** 63n), 2n ** 63n - 1n),
  [ScalarType.SINT64]: longReader(-(2n ** 63n), 2n ** 63n - 1n),
  [ScalarType.SFIXED64]: longReader(-(2n ** 63n), 2n ** 63n - 1n),
  [ScalarType.UINT64]: longReader(0n, 2n ** 64n - 1n),
  [ScalarType.FIXED64]: longReader(0n, 2n ** 64n - 1n),
  [ScalarType.FLOAT]: numberReader(MAX_FLOAT),
  [ScalarType.DOUBLE]: numberReader(Number.MAX_VALUE),
};

/** Text that every store and every client can hold. */
export function readString(json: unknown, at: Location | null): string {
  if (typeof json !== "string") refuse(at, "must be a string");
  if (json.includes("\0") || !json.isWellFormed()) {
    refuse(at, "must not contain NUL or a lone surrogate");
  }
  return json;
}

/** By name only: numbers are for the wire. */
export function enumReader(desc: DescEnum): ReadJson {
  const numbers = new Map(desc.values.map((value) => [value.name, value.number]));
  const rule = `must be one of ${[...numbers.keys()].join(", ")}`;
  return (json, at) => {
    const number = typeof json === "string" ? numbers.get(json) : undefined;
    return number ?? refuse(at, rule);
  };
}

function readBool(json: unknown, at: Location | null): boolean {
  return typeof json === "boolean" ? json : refuse(at, "must be true or false");
}

/** Both alphabets of RFC 4648, padded or not, as ProtoJSON has it. */
function readBytes(json: unknown, at: Location | null): Uint8Array {
  const isBase64 =
    typeof json === "string" &&
    /^[A-Za-z0-9+/_-]*={0,2}$/.test(json) &&
    json.replaceAll("=", "").length % 4 !== 1;
  return isBase64 ? new Uint8Array(Buffer.from(json, "base64")) : refuse(at, "must be base64");
}

function wholeNumberReader(min: number, max: number): ReadJson {
  return (json, at) => {
    if (!Number.isInteger(json)) refuse(at, "must be a whole number");
    const number = json as number;
    if (number < min || number > max) refuse(at, `must be a whole number from ${min} to ${max}`);
    return number + 0; // -0 becomes 0
  };
}

function longReader(min: bigint, max: bigint): ReadJson {
  return (json, at) => {
    const isDecimal = typeof json === "string" && /^-?(?:0|[1-9]\d{0,19})$/.test(json);
    if (!isDecimal && !Number.isSafeInteger(json)) {
      refuse(at, "must be a whole number, in quotes where it is not within ±(2^53 - 1)");
    }
    const long = BigInt(json as string | number);
    if (long < min || long > max) refuse(at, `must be a whole number from ${min} to ${max}`);
    return long;
  };
}

function numberReader(max: number): ReadJson {
  return (json, at) => {
    if (typeof json !== "number") refuse(at, "must be a number");
    if (!(Math.abs(json) <= max)) refuse(at, `must be a number from -${max} to ${max}`);
    return json;
  };
}
