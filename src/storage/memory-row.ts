import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory, Provenance } from "../domain/memory.ts";
import type { MemoriesTable } from "./schema.ts";

export const MEMORY_COLUMNS = [
  "memories.company_id",
  "memories.id",
  "memories.tenant_id",
  "memories.decision",
  "memories.summary",
  "memories.topic",
  "memories.importance_score",
  "memories.source",
  "memories.created_at",
  "memories.valid_from",
  "memories.valid_to",
  "memories.superseded_by",
  "memories.superseded_at",
  "memories.original_message",
  "memories.span_start",
  "memories.span_end",
  "memories.metadata",
] as const;

/** The same for a statement that is written as SQL. */
export const memoryColumns = sql.join(MEMORY_COLUMNS.map((column) => sql.ref(column)));

export const PROVENANCE_COLUMNS = [
  "memories.mode",
  "memories.session_id",
  "memories.message_index",
  "memories.extraction_provider",
  "memories.extraction_model",
  "memories.extraction_byo_llm",
] as const;

export const provenanceColumns = sql.join(PROVENANCE_COLUMNS.map((column) => sql.ref(column)));

type ColumnName<T> = T extends `memories.${infer Name}` ? Name & keyof MemoriesTable : never;
export type MemoryRow = Pick<
  Selectable<MemoriesTable>,
  ColumnName<(typeof MEMORY_COLUMNS)[number]>
>;
export type ProvenanceRow = Pick<
  Selectable<MemoriesTable>,
  ColumnName<(typeof PROVENANCE_COLUMNS)[number]>
>;

/** A list of IDs as one parameter: the statement is the same for every length. */
export function uuidsOf(ids: readonly MemoryId[]) {
  return sql<readonly MemoryId[]>`${ids}::uuid[]`;
}

/**
 * The default tenant, as the column `tenant_id` stores it. Null would drop the
 * row out of foreign keys and of index look-ups by equality; '' is free, because
 * the interface refuses it as a tenant's name (D8).
 */
const DEFAULT_TENANT = "";

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
  const {
    extraction_provider: provider,
    extraction_model: model,
    extraction_byo_llm: byoLlm,
  } = row;
  return {
    mode: row.mode,
    sessionId: row.session_id,
    messageIndex: row.message_index,
    extraction:
      provider === null || model === null || byoLlm === null ? null : { provider, model, byoLlm },
  };
}

/** All that is stored of a memory, but for its vectors. */
export interface MemoryValues {
  readonly memory: Memory;
  readonly provenance: Provenance;
  /** The time of its conversation, or the start that its writer gave. */
  readonly statedAt: Instant;
  /** What it is about, to find others about the same; null: it does not say so plainly. */
  readonly attribute: string | null;
  /** The excluded category that the extraction put it in; null: in none. */
  readonly category: string | null;
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
