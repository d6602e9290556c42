import { invalidField } from "../domain/failure.ts";
import { isMemoryId, isUuid } from "../domain/ids.ts";
import { formatInstant } from "../domain/instant.ts";

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

/**
 * The order of a list: the fields of an entry that tell its position, and how each is read from
 * a token; null: no token has such a text. The next page starts behind a position, so that
 * pages stay where they are while others write.
 */
export type ListOrder<Position> = {
  readonly [Name in keyof Position]: (text: string) => Position[Name] | null;
};

/** Reads a part of a position from a token; null: no token has such a text. */
export const uuidIn = (text: string) => (isUuid(text) ? text : null);
/** As `uuidIn`. */
export const memoryIdIn = (text: string) => (isMemoryId(text) ? text : null);
/** As `uuidIn`: a number from 1. */
export const numberIn = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);

/** The subject of a list. The last part of its tokens names it, and other lists refuse them. */
interface PageScope {
  readonly id: string;
  readonly what: "memory" | "filters";
}

/** The first `pageSize` of the entries found, where one more was looked up to see if any follow. */
export function pageOf<T extends Position, Position extends object>(
  found: readonly T[],
  pageSize: number,
  order: ListOrder<Position>,
): Page<T> {
  const entries = found.slice(0, pageSize);
  return { entries, nextPageToken: tokenBehind(entries, found.length > entries.length, order) };
}

/** The token of the page behind these entries; null: no entries follow. */
export function tokenBehind<Position extends object>(
  entries: readonly NoInfer<Position>[],
  hasMore: boolean,
  order: ListOrder<Position>,
  scope?: PageScope,
): string | null {
  const last = hasMore ? entries.at(-1) : undefined;
  if (last === undefined) return null;
  const values = (Object.keys(order) as (keyof Position)[]).map((name) => last[name]);
  const texts = values.map((each) => (typeof each === "bigint" ? formatInstant(each) : `${each}`));
  return writeToken(scope === undefined ? texts : [...texts, scope.id]);
}

/** Callers are to pass it back as it is, and to read nothing in it. */
function writeToken(texts: readonly string[]): string {
  return Buffer.from(JSON.stringify(texts)).toString("base64url");
}

/** Where a page starts; null: at the start. Throws `invalid_field` for another list or `scope`. */
export function readPageToken<Position>(
  token: string | null,
  order: ListOrder<Position>,
  scope?: PageScope,
): Position | null {
  if (token === null) return null;
  const texts = textsIn(token);
  const names = Object.keys(order) as (keyof Position)[];
  const values = names.map((name, index) => order[name](texts?.[index] ?? ""));
  if (texts === null || texts.length < names.length || values.includes(null)) {
    throw invalidField("page_token", "must be the `next_page_token` of an earlier answer");
  }
  if (scope !== undefined && texts.at(-1) !== scope.id) {
    const rule = `must be used with the ${scope.what} of the page that it came from`;
    throw invalidField("page_token", rule);
  }
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Position;
}

function textsIn(token: string): readonly string[] | null {
  try {
    const texts: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    const isToken = Array.isArray(texts) && texts.every(isStorable) && writeToken(texts) === token;
    return isToken ? texts : null;
  } catch {
    return null;
  }
}

/** Postgres stores no text with a NUL or a lone surrogate, so no token has one. */
function isStorable(text: unknown): boolean {
  return typeof text === "string" && text.isWellFormed() && !text.includes("\0");
}
