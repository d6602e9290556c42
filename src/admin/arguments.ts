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
