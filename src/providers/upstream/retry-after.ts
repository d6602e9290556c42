/**
 * How long a response asks to wait, in milliseconds; null where it does not say.
 * A date is read against the response's own `Date`, so that it does not matter
 * whose clock is right.
 */
export function readRetryAfter(headers: { get(name: string): string | null }): number | null {
  const text = headers.get("retry-after");
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  if (!text.endsWith(" GMT")) return null;
  const waitMs = Date.parse(text) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(waitMs) ? null : Math.max(waitMs, 0);
}
