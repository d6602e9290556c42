import { invalidField } from "../domain/failure.ts";

/**
 * A position in a list, behind which its next page starts, as texts. Pages that start
 * behind an entry stay where they are while others write.
 */
export type Position = readonly string[];

/** Which page of a list. */
export interface PageRequest {
  readonly pageSize: number;
  /** The `nextPageToken` of the page before; null: the first page. */
  readonly pageToken: string | null;
}

/** One page of a list. */
export interface Page<T> {
  readonly entries: readonly T[];
  /** null on the last page. */
  readonly nextPageToken: string | null;
}

/** The first `pageSize` of the entries found, where one more was looked up to see if any follow. */
export function pageOf<T>(
  found: readonly T[],
  pageSize: number,
  positionOf: (last: T) => Position,
): Page<T> {
  const entries = found.slice(0, pageSize);
  return {
    entries,
    nextPageToken: tokenBehind(entries, found.length > entries.length, positionOf),
  };
}

/** The token of the page behind these entries; null: no entries follow. */
export function tokenBehind<T>(
  entries: readonly T[],
  hasMore: boolean,
  positionOf: (last: T) => Position,
): string | null {
  const last = hasMore ? entries.at(-1) : undefined;
  return last === undefined ? null : writePageToken(positionOf(last));
}

/** Callers are to pass it back as it is, and to read nothing in it. */
export function writePageToken(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** The subject of a list. The last part of its tokens names it, and other lists refuse them. */
export interface PageScope {
  readonly id: string;
  readonly what: "memory" | "filters";
}

/**
 * Where a page starts, in the list's own terms; null: at the start of the list.
 * `read` answers null for a position that none of the list's tokens have: then, for a text
 * that is no token, and for a token of another `scope`, throws `invalid_field`.
 */
export function readPageToken<T>(
  token: string | null,
  read: (position: Position) => T | null,
  scope?: PageScope,
): T | null {
  if (token === null) return null;
  const position = positionIn(token);
  const value = position && read(scope === undefined ? position : position.slice(0, -1));
  if (position === null || value === null) {
    throw invalidField("page_token", "must be the `next_page_token` of an earlier answer");
  }
  if (scope !== undefined && position.at(-1) !== scope.id) {
    const rule = `must be used with the ${scope.what} of the page that it came from`;
    throw invalidField("page_token", rule);
  }
  return value;
}

function positionIn(token: string): Position | null {
  try {
    const position: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    const isPosition =
      Array.isArray(position) && position.every(isStorable) && writePageToken(position) === token;
    return isPosition ? position : null;
  } catch {
    return null;
  }
}

/** Postgres stores no text with a NUL or a lone surrogate, so no position has one. */
function isStorable(part: unknown): boolean {
  return typeof part === "string" && part.isWellFormed() && !part.includes("\0");
}
