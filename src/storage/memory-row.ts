import { type Insertable, type Selectable, sql } from "kysely";
import type { Memory, Provenance } from "../domain/memory.ts";
import type { MemoriesTable } from "./schema.ts";
import { fromTenantColumn, toTenantColumn } from "./tenant-column.ts";

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

type ColumnName<T> = T extends `memories.${infer Name}` ? Name & keyof MemoriesTable : never;
export type MemoryRow = Pick<
  Selectable<MemoriesTable>,
  ColumnName<(typeof MEMORY_COLUMNS)[number]>
>;
export type ProvenanceRow = Pick<
  Selectable<MemoriesTable>,
  ColumnName<(typeof PROVENANCE_COLUMNS)[number]>
>;

export function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    companyId: row.company_id,
    tenantId: fromTenantColumn(row.tenant_id),
    decision: row.decision,
    summary: row.summary,
    topic: row.topic,
    importanceScore: row.importance_score,
    source: row.source,
    createdAt: row.created_at,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    supersededBy: row.superseded_by,
    supersededAt: row.superseded_at,
    originalMessage: row.original_message,
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

export function fromMemory(memory: Memory, provenance: Provenance): Insertable<MemoriesTable> {
  const { extraction } = provenance;
  return {
    company_id: memory.companyId,
    id: memory.id,
    tenant_id: toTenantColumn(memory.tenantId),
    decision: memory.decision,
    summary: memory.summary,
    topic: memory.topic,
    importance_score: memory.importanceScore,
    source: memory.source,
    created_at: memory.createdAt,
    valid_from: memory.validFrom,
    valid_to: memory.validTo,
    superseded_by: memory.supersededBy,
    superseded_at: memory.supersededAt,
    original_message: memory.originalMessage,
    mode: provenance.mode,
    session_id: provenance.sessionId,
    message_index: provenance.messageIndex,
    extraction_provider: extraction?.provider ?? null,
    extraction_model: extraction?.model ?? null,
    extraction_byo_llm: extraction?.byoLlm ?? null,
  };
}
