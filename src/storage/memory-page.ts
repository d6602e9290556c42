import { type RawBuilder, sql } from "kysely";
import type { Memory } from "../domain/memory.ts";

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

/** Whether a memory is behind this one, the limits aside. */
export function hasMoreBehind(order: RawBuilder<unknown>) {
  return sql<boolean>`lead(true, 1, false) over (${order} rows unbounded preceding)`;
}

/** Of rows with the columns `text_bytes` and `text_bytes_so_far`: those that the page holds. */
export function fitsPage({ maxTextBytes }: Pick<PageLimits, "maxTextBytes">) {
  return sql<boolean>`(text_bytes_so_far <= ${maxTextBytes} or text_bytes_so_far = text_bytes)`;
}
