import { DAY, type Instant, instantFromDate } from "./instant.ts";

/** One calendar month in UTC, half open: `[start, end)`. */
export interface BillingPeriod {
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * The billing period at a moment (D30): calendar months in UTC, counted from the
 * anchor. A day that a month does not have is its last day (31 January, 28
 * February, 31 March); the time of day stays, to the microsecond.
 *
 * Nothing precedes the anchor: a server whose clock is a little behind that of
 * the one which set the anchor counts into the first period.
 */
export function billingPeriod(anchor: Instant, now: Instant): BillingPeriod {
  const months = Math.max(0, monthsSinceYearZero(now) - monthsSinceYearZero(anchor));
  const start = addMonths(anchor, months);
  if (start > now && months > 0) return { start: addMonths(anchor, months - 1), end: start };
  return { start, end: addMonths(anchor, months + 1) };
}

function monthsSinceYearZero(instant: Instant): number {
  const date = new Date(Number(startOfDay(instant) / 1000n));
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Counts from the anchor, not from the period before, so that a clamped day does not stick. */
function addMonths(anchor: Instant, months: number): Instant {
  const dayStart = startOfDay(anchor);
  const date = new Date(Number(dayStart / 1000n));
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(dayOfMonth, daysInMonth(date)));
  return instantFromDate(date) + (anchor - dayStart);
}

function daysInMonth(date: Date): number {
  const lastDay = new Date(date);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  return lastDay.getUTCDate();
}

function startOfDay(instant: Instant): Instant {
  const sinceMidnight = ((instant % DAY) + DAY) % DAY;
  return instant - sinceMidnight;
}
