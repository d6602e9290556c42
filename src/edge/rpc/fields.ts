import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { JsonValue } from "../../domain/audit-event.ts";
import { invalidField } from "../../domain/failure.ts";
import { isUuid, type MemoryId, toMemoryId } from "../../domain/ids.ts";
import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT, SECOND } from "../../domain/instant.ts";
import {
  MAX_METADATA_ENTRIES,
  MAX_METADATA_KEY_CHARACTERS,
  MAX_METADATA_TEXT_CHARACTERS,
} from "../../domain/limits.ts";
import type { Metadata } from "../../domain/memory.ts";

/**
 * Readers of request fields. Each takes the field's name as the caller wrote it
 * and its value, and throws `invalid_field` with the rule that was broken.
 */

const CONTROL_CHARACTER = /\p{Cc}/u;

/** The ID in lower case. */
export function readUuid(field: string, value: string): string {
  const id = value.toLowerCase();
  if (!isUuid(id)) throw invalidField(field, "must be a UUID");
  return id;
}

/** As readUuid, of a memory. */
export function readMemoryId(field: string, value: string): MemoryId {
  return toMemoryId(readUuid(field, value));
}

/** A short text: 1 to `maxCharacters` characters, none of them a control character. */
export function readLabel(field: string, value: string, maxCharacters: number): string {
  const length = characterCount(value);
  if (length < 1 || length > maxCharacters) {
    throw invalidField(field, `must have 1 to ${maxCharacters.toLocaleString("en")} characters`);
  }
  checkEncoding(field, value);
  if (CONTROL_CHARACTER.test(value)) {
    throw invalidField(field, "must not contain control characters");
  }
  return value;
}

/** As readLabel; null when the field was left out. */
export function readOptionalLabel(
  field: string,
  value: string | undefined,
  maxCharacters: number,
): string | null {
  return value === undefined ? null : readLabel(field, value, maxCharacters);
}

/** A long text, exactly as given: not blank, at most `maxBytes` of UTF-8. */
export function readText(field: string, value: string, maxBytes: number): string {
  if (value.trim() === "") throw invalidField(field, "must not be empty");
  if (Buffer.byteLength(value) > maxBytes) {
    throw invalidField(field, `must have at most ${maxBytes.toLocaleString("en")} bytes of UTF-8`);
  }
  checkEncoding(field, value);
  return value;
}

/** The value; one that was left out is refused. */
export function required<T>(field: string, value: T | null | undefined): T {
  if (value === undefined || value === null) throw invalidField(field, "is required");
  return value;
}

/** One of the words; left out, it is none. */
export function readWord<Word extends string>(
  field: string,
  value: string | undefined,
  words: readonly Word[],
): Word {
  const word = words.find((each) => each === value);
  if (word === undefined) throw invalidField(field, `must be one of "${words.join('", "')}"`);
  return word;
}

export function readWholeNumber(
  field: string,
  value: number | undefined,
  range: { readonly min: number; readonly max: number; readonly fallback?: number },
): number {
  if (value === undefined && range.fallback !== undefined) return range.fallback;
  if (value === undefined || !Number.isInteger(value) || value < range.min || value > range.max) {
    throw invalidField(
      field,
      `must be a whole number from ${range.min} to ${range.max.toLocaleString("en")}`,
    );
  }
  return value;
}

/** A number from 0 to 1; null when the field was left out. */
export function readFraction(field: string, value: number | undefined): number | null {
  if (value === undefined) return null;
  if (!(value >= 0 && value <= 1)) throw invalidField(field, "must be a number from 0 to 1");
  return value;
}

/** Texts by name: 1 to 64 characters a key, none of them a control character, and 256 a text. */
export function readMetadata(field: string, metadata: Readonly<Record<string, string>>): Metadata {
  const entries = Object.entries(metadata);
  if (entries.length > MAX_METADATA_ENTRIES) {
    throw invalidField(field, `must have at most ${MAX_METADATA_ENTRIES} entries`);
  }
  for (const [key, text] of entries) {
    const entry = `${field}.${key}`;
    readLabel(entry, key, MAX_METADATA_KEY_CHARACTERS);
    checkEncoding(entry, text);
    if (characterCount(text) > MAX_METADATA_TEXT_CHARACTERS) {
      throw invalidField(entry, `must have at most ${MAX_METADATA_TEXT_CHARACTERS} characters`);
    }
  }
  return metadata;
}

/** A JSON object of which every text can be stored. */
export function readJsonObject(
  field: string,
  object: Readonly<Record<string, unknown>>,
): { readonly [name: string]: JsonValue } {
  checkJson(field, object);
  return object as { readonly [name: string]: JsonValue };
}

function checkJson(field: string, value: unknown): void {
  if (typeof value === "string") checkEncoding(field, value);
  else if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidField(field, "must hold numbers that JSON can express");
  } else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      checkEncoding(field, name);
      checkJson(`${field}.${name}`, each);
    }
  }
}

/** null when the field was left out. Nanoseconds beyond microseconds are dropped. */
export function readInstant(field: string, value: Timestamp | undefined): Instant | null {
  if (value === undefined) return null;
  const instant = value.seconds * SECOND + BigInt(Math.trunc(value.nanos / 1_000));
  const isValid =
    value.nanos >= 0 &&
    value.nanos < 1_000_000_000 &&
    instant >= EARLIEST_INSTANT &&
    instant <= LATEST_INSTANT;
  if (!isValid) throw invalidField(field, "must be a time from the year 1 to 9999");
  return instant;
}

function characterCount(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** What Postgres cannot store as text, or no UTF-8 can express. */
function checkEncoding(field: string, value: string): void {
  if (value.includes("\0") || !value.isWellFormed()) {
    throw invalidField(field, "must not contain NUL or a lone surrogate");
  }
}
