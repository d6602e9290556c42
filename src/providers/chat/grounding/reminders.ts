import { LANGUAGES, sourceOf, UNSPACED } from "./languages.ts";

const of = (marker: "reminder" | "request" | "courtesy") =>
  LANGUAGES.filter((language) => !UNSPACED.has(language))
    .map((language) => sourceOf(language, marker))
    .join("|");
const LEADING = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:${of("courtesy")})[,\s]+)*(?:(?:${of("request")})\s+(?:please )?)?(?:${of("reminder")})(?:[\s,:–—-]+|$)`,
  "u",
);
const REQUEST = new RegExp(
  String.raw`^[^\p{L}]*(?:(?:${of("courtesy")})[,\s]+)*(?:(?:${of("request")})\s+)?(?:(?:${of("courtesy")})[,\s]+)*`,
  "u",
);
const UNSPACED_REMINDER = new RegExp(
  [...UNSPACED].map((language) => sourceOf(language, "reminder")).join("|"),
  "u",
);

/**
 * A folded clause without what asks to keep it: "please remember that I live in Oslo" states
 * that, and neither asks nor denies (D25a).
 */
export function withoutReminder(folded: string): string {
  return folded.replace(LEADING, "").replace(UNSPACED_REMINDER, "");
}

/** Whether a folded clause asks to keep what it states: a mere "that" does not. */
export function isReminder(folded: string): boolean {
  const lead = folded.slice(0, folded.length - withoutReminder(folded).length);
  return !/^(?:dass)?\s*$/u.test(lead) || folded.search(UNSPACED_REMINDER) >= 0;
}

/** A folded clause without what makes an order polite: "could you please". */
export function withoutRequest(folded: string): string {
  return folded.replace(REQUEST, "");
}
