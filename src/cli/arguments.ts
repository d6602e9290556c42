import { InvalidArgumentError } from "commander";
import { formatInstant, parseInstant } from "../domain/instant.ts";

/** The most that an `int32` holds; the service knows the narrower limits. */
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

/** Removes an account's own value. */
export const DEFAULT = "default";

/** Reads what `parse` reads, and the word `default` as it is. */
export function orDefault<T>(parse: (text: string) => T): (text: string) => T | typeof DEFAULT {
  return (text) => (text === DEFAULT ? DEFAULT : parse(text));
}

/** A date-time, as the JSON of a `Timestamp` has it. */
export function time(text: string): string {
  const instant = parseInstant(text);
  if (instant === null) {
    throw new InvalidArgumentError("It must be a date-time with an offset: 2026-05-01T00:00:00Z.");
  }
  return formatInstant(instant);
}

/** Words with commas between them. */
export function listed(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}
