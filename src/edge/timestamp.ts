import { parseInstant, splitInstant } from "../domain/instant.ts";

/** Reads a date-time as requests in JSON have it, for messages; null: it is none. */
export function parseTimestamp(text: string): { seconds: bigint; nanos: number } | null {
  const instant = parseInstant(text);
  if (instant === null) return null;
  const { seconds, micros } = splitInstant(instant);
  return { seconds, nanos: micros * 1_000 };
}
