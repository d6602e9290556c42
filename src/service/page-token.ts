import { invalidField } from "../domain/failure.ts";

/**
 * A place in a list, behind which its next page starts, as texts. Pages that start
 * behind an entry stay where they are while others write.
 */
export type Place = readonly string[];

/** Which page of a list. */
export interface PageRequest {
  readonly pageSize: number;
  /** The `nextPageToken` of the page before; null: the first page. */
  readonly pageToken: string | null;
}

/** What one page holds. */
export interface Page<T> {
  readonly entries: readonly T[];
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

/** The first `pageSize` of the entries found, where one more was looked up to see if any follow. */
export function pageOf<T>(
  found: readonly T[],
  pageSize: number,
  placeOf: (last: T) => Place,
): Page<T> {
  const entries = found.slice(0, pageSize);
  return { entries, nextPageToken: tokenBehind(entries, found.length > entries.length, placeOf) };
}

/** The token of the page behind these entries; null: no entries follow. */
export function tokenBehind<T>(
  entries: readonly T[],
  hasMore: boolean,
  placeOf: (last: T) => Place,
): string | null {
  const last = hasMore ? entries.at(-1) : undefined;
  return last === undefined ? null : writePageToken(placeOf(last));
}

/** The token of a place. Callers are to pass it back as it is, and to read nothing in it. */
export function writePageToken(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/**
 * Where a page starts, in the list's own terms; null: at the start of the list.
 * `read` answers null for a place that none of the list's tokens have: then, and for
 * a text that is no token, throws `invalid_field`.
 */
export function readPageToken<T>(token: string | null, read: (place: Place) => T | null): T | null {
  if (token === null) return null;
  const place = placeIn(token);
  const value = place === null ? null : read(place);
  if (value === null) {
    throw invalidField("page_token", "must be the `next_page_token` of an earlier answer");
  }
  return value;
}

function placeIn(token: string): Place | null {
  try {
    const place: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    const isPlace =
      Array.isArray(place) && place.every(isStorable) && writePageToken(place) === token;
    return isPlace ? place : null;
  } catch {
    return null;
  }
}

/** Postgres stores no text with a NUL or a lone surrogate, so no place has one. */
function isStorable(part: unknown): boolean {
  return typeof part === "string" && part.isWellFormed() && !part.includes("\0");
}
