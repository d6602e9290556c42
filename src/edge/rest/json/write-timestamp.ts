import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { WriteJson } from "./write-scalar.ts";

const SECONDS_PER_DAY = 86_400;

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

/**
 * Writes UTC with microseconds, always six digits; what is finer is dropped.
 *
 * It is half of the work of writing a list of messages, so the date, which is
 * slow to compute, is kept while times are of one day.
 */
export function timestampWriter(): WriteJson {
  let lastDay = Number.NaN;
  let lastDate = "";
  return (value) => {
    const { seconds, nanos } = value as Timestamp;
    const day = Math.floor(Number(seconds) / SECONDS_PER_DAY);
    if (day !== lastDay) {
      lastDate = dateOf(day);
      lastDay = day;
    }
    const second = Number(seconds) - day * SECONDS_PER_DAY;
    const time = `${pair(second / 3600)}:${pair((second / 60) % 60)}:${pair(second % 60)}`;
    if (!(nanos >= 0 && nanos < 1e9)) throw new RangeError(`${nanos} nanoseconds are no time`);
    const fraction = pair(nanos / 1e7) + pair((nanos / 1e5) % 100) + pair((nanos / 1e3) % 100);
    return `"${lastDate}T${time}.${fraction}Z"`;
  };
}

/** Throws a RangeError outside the years 0 to 9999. */
function dateOf(day: number): string {
  const text = new Date(day * SECONDS_PER_DAY * 1000).toISOString();
  if (text.length !== "2026-05-04T00:00:00.000Z".length) {
    throw new RangeError(`${text} is not within the years 0 to 9999`);
  }
  return text.slice(0, "2026-05-04".length);
}

/** The whole part of a number below 100, in two digits. */
function pair(number: number): string {
  return TWO_DIGITS[Math.floor(number)] as string;
}
