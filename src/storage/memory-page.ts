import { type Expression, type RawBuilder, sql } from "kysely";
import type { Memory } from "../domain/memory.ts";
import type { AccountDb } from "./schema.ts";

/** How much of what a statement finds is a page (D37). */
export interface PageLimits {
  /** Memories at most. */
  readonly limit: number;
  /** Of their texts, as `textBytes` counts them; one memory is found however long it is. */
  readonly maxTextBytes: number;
}

export interface FoundMemories {
  readonly memories: readonly Memory[];
  /** Whether more memories follow behind these. */
  readonly hasMore: boolean;
}

/**
 * Of a memory's texts, each as often as the memory has it, in UTF-8.
 *
 * How long a text is stands with the row: what the limits leave out is not fetched from
 * where long texts are.
 */
export const textBytes = sql<number>`(octet_length(decision) + octet_length(coalesce(summary, decision))
  + octet_length(coalesce(original_message, decision)) + octet_length(topic)
  + case when metadata = '{}' then 0 else octet_length(metadata::text) end)`;

/** Of a memory and of those before it; `order` is an ORDER BY. */
export function bytesSoFar(bytes: RawBuilder<number>, order: RawBuilder<unknown>) {
  return sql<string>`sum(${bytes}) over (${order} rows unbounded preceding)`;
}

/** Of rows with the columns `text_bytes` and `text_bytes_so_far`: those that the page holds. */
export function fitsPage({ maxTextBytes }: Pick<PageLimits, "maxTextBytes">) {
  return sql<boolean>`(text_bytes_so_far <= ${maxTextBytes} or text_bytes_so_far = text_bytes)`;
}

/**
 * Of what the select `found` finds, which has `text_bytes`, the rows of a page in their order,
 * each with `has_more`: whether another row is behind it, the limits aside.
 */
export function pageOf(
  found: Expression<unknown>,
  order: RawBuilder<unknown>,
  limits: PageLimits,
): RawBuilder<unknown> {
  return sql`
    select * from (
      select *, ${bytesSoFar(sql`text_bytes`, order)} as text_bytes_so_far,
        lead(true, 1, false) over (${order} rows unbounded preceding) as has_more
      from (${found}) as found
      ${order}
      limit ${limits.limit}
    ) as found
    where ${fitsPage(limits)}
    ${order}`;
}

interface PageRow {
  readonly text_bytes: number;
  readonly text_bytes_so_far: string;
  readonly has_more: boolean;
}

/** The same, read. */
export async function selectPage<Row extends object>(
  db: AccountDb,
  found: Expression<Row>,
  order: RawBuilder<unknown>,
  limits: PageLimits,
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  const page = pageOf(found, order, limits) as RawBuilder<Row & PageRow>;
  const { rows } = await page.execute(db);
  return {
    rows: rows.map(({ text_bytes, text_bytes_so_far, has_more, ...row }) => row as unknown as Row),
    hasMore: rows.at(-1)?.has_more ?? false,
  };
}
