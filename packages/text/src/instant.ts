/** A moment: microseconds since 1970-01-01T00:00:00Z. A `number` of them is exact only until 2255 (D3). */
export type Instant = bigint;

/** Length of time in microseconds. */
export type Microseconds = bigint;

export const SECOND: Microseconds = 1_000_000n;
export const MINUTE: Microseconds = 60n * SECOND;
export const HOUR: Microseconds = 60n * MINUTE;
export const DAY: Microseconds = 24n * HOUR;

/** The range of times that Postgres, protobuf and RFC 3339 all can express. */
export const EARLIEST_INSTANT: Instant = -62_135_596_800n * SECOND; // 0001-01-01T00:00:00Z
export const LATEST_INSTANT: Instant = 253_402_300_800n * SECOND - 1n; // 9999-12-31T23:59:59.999999Z

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?)$/;

/**
 * Reads an ISO 8601 date-time in the extended format with an offset or `Z`: as RFC 3339 writes it,
 * and as common languages do, whose seconds may be missing, whose fraction may follow a comma and
 * whose offset may be `+hhmm` or `+hh` (D3). Digits beyond microseconds are dropped.
 *
 * Returns null for anything else: no offset, a date alone, a day or time of day that does not
 * exist, a moment outside the years 1 to 9999 in UTC.
 */
export function parseInstant(text: string): Instant | null {
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = "0", fraction, , sign] = match;
  const [offsetHour, offsetMinute] = match.slice(10);
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const dayExists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!dayExists || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return null;

  const secondsOfDay = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const offsetSeconds = Number(offsetHour ?? 0) * 3600 + Number(offsetMinute ?? 0) * 60;
  const utcSeconds =
    date.getTime() / 1000 + secondsOfDay - (sign === "-" ? -offsetSeconds : offsetSeconds);
  const micros = BigInt((fraction ?? "").slice(0, 6).padEnd(6, "0"));
  const instant = BigInt(utcSeconds) * SECOND + micros;
  return instant < EARLIEST_INSTANT || instant > LATEST_INSTANT ? null : instant;
}

/** Writes UTC with six fractional digits, for example `2026-05-04T03:02:01.000000Z`. */
export function formatInstant(instant: Instant): string {
  const { seconds, micros } = splitInstant(instant);
  const toTheSecond = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${toTheSecond}.${String(micros).padStart(6, "0")}Z`;
}

/** Whole seconds (rounded down, also before 1970) and the remaining microseconds, 0 to 999,999. */
export function splitInstant(instant: Instant): { seconds: bigint; micros: number } {
  const remainder = instant % SECOND;
  const micros = remainder < 0n ? remainder + SECOND : remainder;
  return { seconds: (instant - micros) / SECOND, micros: Number(micros) };
}

/** A `Date` holds whole milliseconds, so nothing is lost. */
export function instantFromDate(date: Date): Instant {
  return BigInt(date.getTime()) * 1000n;
}

/** The earlier of two moments. */
export function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}

/** The later of two moments. */
export function later(a: Instant, b: Instant): Instant {
  return a > b ? a : b;
}

/** Reads a date-time as `parseInstant` does, into what protobuf's Timestamp holds. */
export function parseTimestamp(text: string): { seconds: bigint; nanos: number } | null {
  const instant = parseInstant(text);
  if (instant === null) return null;
  const { seconds, micros } = splitInstant(instant);
  return { seconds, nanos: micros * 1_000 };
}
