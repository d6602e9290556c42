import { UnreadableCorpus } from "./corpus.ts";

/** Reading of JSON that somebody else wrote: what is not as it must be is named by its place. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectAt(value: unknown, place: string): JsonObject {
  if (!isObject(value)) throw new UnreadableCorpus(`${place} must be an object`);
  return value;
}

export function listAt(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableCorpus(`${place} must be a list`);
  return value;
}

export function textAt(value: unknown, place: string): string {
  if (typeof value !== "string" && typeof value !== "number") {
    throw new UnreadableCorpus(`${place} must be a text`);
  }
  return String(value);
}

/** ISO 8601 in UTC of a date in words or with slashes; null: it cannot be read. */
export function dateIn(text: string): string | null {
  const time = /(\d{1,2}):(\d{2})\s*([ap]m)?/iu.exec(text);
  const [, hours = "0", minutes = "0", half = ""] = time ?? [];
  const day = text
    .replace(time?.[0] ?? "", "")
    .replace(/\(\p{L}+\)|\bon\b|,/giu, " ")
    .replace(/[-/]/gu, " ");
  const date = new Date(`${day.trim().replace(/\s+/gu, " ")} UTC`);
  if (Number.isNaN(date.getTime())) return null;
  const hour = half === "" ? Number(hours) : (Number(hours) % 12) + (/p/iu.test(half) ? 12 : 0);
  date.setUTCHours(hour, Number(minutes));
  return date.toISOString();
}
