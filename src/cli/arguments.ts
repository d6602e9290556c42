import { create } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { InvalidArgumentError } from "commander";
import { parseInstant, splitInstant } from "../domain/instant.ts";

/** What an `int32` holds; the service knows the narrower limits. */
const MAX_INT32 = 2_147_483_647;

export function wholeNumber(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= MAX_INT32)) throw new InvalidArgumentError("It must be a whole number.");
  return value;
}

export function decimalNumber(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError("It must be a number.");
  return Number(text);
}

/** The word for no value of one's own. */
const DEFAULT = "default";

export type OrDefault<T> = T | typeof DEFAULT;

/** Reads what `parse` reads, and the word `default` as it is. */
export function orDefault<T>(parse: (text: string) => T): (text: string) => OrDefault<T> {
  return (text) => (text === DEFAULT ? DEFAULT : parse(text));
}

/** The value; undefined where there is none of one's own. */
export function ownValue<T extends object | number>(
  value: OrDefault<T> | undefined,
): T | undefined {
  return value === DEFAULT ? undefined : value;
}

export function time(text: string): Timestamp {
  const instant = parseInstant(text);
  if (instant === null) {
    throw new InvalidArgumentError(
      "It must be a date-time with an offset or Z, such as 2026-05-01T00:00:00Z.",
    );
  }
  const { seconds, micros } = splitInstant(instant);
  return create(TimestampSchema, { seconds, nanos: micros * 1_000 });
}
