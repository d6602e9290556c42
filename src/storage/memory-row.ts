import { type Expression, type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { ExportedMemory } from "../domain/exported-memory.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Memory, Provenance } from "../domain/memory.ts";
import type { AccountDb, MemoriesTable } from "./schema.ts";

export const MEMORY_COLUMNS = [
  "company_id",
  "id",
  "tenant_id",
  "decision",
  "summary",
  "topic",
  "importance_score",
  "source",
  "created_at",
  "valid_from",
  "valid_to",
  "superseded_by",
  "superseded_at",
  "original_message",
  "span_start",
  "span_end",
  "metadata",
] as const;

const PROVENANCE_COLUMNS = [
  "mode",
  "session_id",
  "message_index",
  "extraction_provider",
  "extraction_model",
  "extraction_byo_llm",
] as const;

export type MemoryRow = Pick<Selectable<MemoriesTable>, (typeof MEMORY_COLUMNS)[number]>;
export type ProvenanceRow = Pick<Selectable<MemoriesTable>, (typeof PROVENANCE_COLUMNS)[number]>;

export function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`memories.${name}`)));
}

export const memoryColumns = columnsOf(MEMORY_COLUMNS);
export const provenanceColumns = columnsOf(PROVENANCE_COLUMNS);

/** A list of IDs as one parameter: the statement is the same for every length. */
export function uuidsOf(ids: readonly MemoryId[]) {
  return sql<readonly MemoryId[]>`${ids}::uuid[]`;
}

/**
 * The default tenant, as the column `tenant_id` stores it. Null would drop the
 * row out of foreign keys and of index look-ups by equality; '' is free, because
 * the interface refuses it as a tenant's name (D8).
 */
export const DEFAULT_TENANT = "";

/** `null`: the default tenant. */
export function toTenantColumn(tenantId: string | null): string {
  return tenantId ?? DEFAULT_TENANT;
}

/** Of a row with a `tenant_id`: whether it is of one of these tenants (D47); null: of any. */
export function isOfTenants(tenantIds: readonly (string | null)[] | null): RawBuilder<boolean> {
  if (tenantIds === null) return sql`true`;
  const [first = null, ...others] = tenantIds.map(toTenantColumn);
  return others.length === 0
    ? sql`tenant_id = ${first}`
    : sql`tenant_id = any(${[first, ...others]}::text[])`;
}

/** null: the default tenant. */
export function fromTenantColumn(tenantId: string): string | null {
  return tenantId === DEFAULT_TENANT ? null : tenantId;
}

export function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    companyId: row.company_id,
    tenantId: fromTenantColumn(row.tenant_id),
    decision: row.decision,
    summary: row.summary ?? row.decision,
    topic: row.topic,
    importanceScore: row.importance_score,
    source: row.source,
    createdAt: row.created_at,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    supersededBy: row.superseded_by,
    supersededAt: row.superseded_at,
    originalMessage: row.original_message ?? row.decision,
    ...(row.span_start !== null &&
      row.span_end !== null && { span: { start: row.span_start, end: row.span_end } }),
    metadata: row.metadata,
  };
}

export function toProvenance(row: ProvenanceRow): Provenance {
  const { mode, session_id, message_index, extraction_provider: provider } = row;
  const { extraction_model: model, extraction_byo_llm: byoLlm } = row;
  const extraction =
    provider === null || model === null || byoLlm === null ? null : { provider, model, byoLlm };
  return { mode, sessionId: session_id, messageIndex: message_index, extraction };
}

/** All that is stored of a memory, but for its vectors. */
export interface MemoryValues extends Omit<ExportedMemory, "history"> {
  /** What it is about, to find others about the same; null: it does not say so plainly. */
  readonly attribute: string | null;
}

/** What is stored of it, but for its account. */
export function fromMemory(values: MemoryValues): Omit<Insertable<MemoriesTable>, "company_id"> {
  const { memory, provenance, statedAt, attribute, category } = values;
  const { extraction } = provenance;
  return {
    id: memory.id,
    tenant_id: toTenantColumn(memory.tenantId),
    decision: memory.decision,
    summary: memory.summary === memory.decision ? null : memory.summary,
    topic: memory.topic,
    importance_score: memory.importanceScore,
    source: memory.source,
    created_at: memory.createdAt,
    valid_from: memory.validFrom,
    valid_to: memory.validTo,
    superseded_by: memory.supersededBy,
    superseded_at: memory.supersededAt,
    original_message: memory.originalMessage === memory.decision ? null : memory.originalMessage,
    span_start: memory.span?.start ?? null,
    span_end: memory.span?.end ?? null,
    metadata: JSON.stringify(memory.metadata),
    stated_at: statedAt === memory.validFrom ? null : statedAt,
    attribute,
    category,
    mode: provenance.mode,
    session_id: provenance.sessionId,
    message_index: provenance.messageIndex,
    extraction_provider: extraction?.provider ?? null,
    extraction_model: extraction?.model ?? null,
    extraction_byo_llm: extraction?.byoLlm ?? null,
  };
}

/** Of vectors at a distance that pgvector measures by their cosine; clipped to 0 and 1. */
export function similarityOf(distance: number): number {
  return Math.min(1, Math.max(0, 1 - distance));
}

/** How much of what a statement finds is a page (D37). */
export interface PageLimits {
  readonly limit: number;
  /** Of their texts, as `textBytes` counts them; one memory is found however long it is. */
  readonly maxTextBytes: number;
}

export interface FoundMemories {
  readonly memories: readonly Memory[];
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

/** The rows of `found`, which has `text_bytes`, that fit a page; `has_more`: others follow. */
export function rowsOfPage(
  found: Expression<unknown>,
  order: RawBuilder<unknown>,
  limits: PageLimits,
) {
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

/** The same, read. */
export async function selectPage<Row extends object>(
  db: AccountDb,
  found: Expression<Row>,
  order: RawBuilder<unknown>,
  limits: PageLimits,
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  type Told = Record<"text_bytes" | "text_bytes_so_far", unknown> & { readonly has_more: boolean };
  const page = rowsOfPage(found, order, limits) as RawBuilder<Row & Told>;
  const { rows } = await page.execute(db);
  return {
    rows: rows.map(({ text_bytes, text_bytes_so_far, has_more, ...row }) => row as unknown as Row),
    hasMore: rows.at(-1)?.has_more ?? false,
  };
}
