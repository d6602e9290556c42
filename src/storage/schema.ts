import type { ColumnType, Kysely } from "kysely";
import type { PlanStatus, PlanTier } from "../domain/account.ts";
import type { AuditEvent, AuditEventKind } from "../domain/audit-event.ts";
import type { Instant } from "../domain/instant.ts";
import type { Provenance } from "../domain/memory.ts";
import type { AutoSupersedeMode } from "../domain/settings.ts";

/** Written once: to rewrite it is a compile error. */
type Immutable<T> = ColumnType<T, T, never>;

/** The columns that supersession writes, and nothing else does after the insert. */
type SetBySupersession<T> = ColumnType<T | null, T | null, T | null>;

interface AccountsTable {
  company_id: Immutable<string>;
  org_id: Immutable<string>;
  plan_tier: PlanTier;
  plan_status: PlanStatus;
  writes_limit: number | null;
  grace_days: number | null;
  rate: number | null;
  burst: number | null;
  period_anchor: Instant;
  created_at: Immutable<Instant>;
}

interface WriteUsageTable {
  company_id: Immutable<string>;
  period_start: Immutable<Instant>;
  writes_used: number;
  /** What the latest admission counted: how its own statement learns the number. */
  last_admitted: number;
  quota_reached_at: Instant | null;
  grace_ends_at: Instant | null;
}

interface ApiKeysTable {
  company_id: Immutable<string>;
  id: Immutable<string>;
  digest: Immutable<Uint8Array>;
  prefix: Immutable<string>;
  created_at: Immutable<Instant>;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
}

/** A column that is null follows the default. */
interface ApiKeySettingsTable {
  company_id: Immutable<string>;
  api_key_id: Immutable<string>;
  auto_supersede_default: boolean | null;
  excluded_categories: readonly string[] | null;
  min_confidence: number | null;
  classifier_model: string | null;
  auto_supersede_mode: AutoSupersedeMode | null;
}

export interface MemoriesTable {
  company_id: Immutable<string>;
  id: Immutable<string>;
  /** The default tenant is '' (see tenant-column.ts). */
  tenant_id: Immutable<string>;
  decision: Immutable<string>;
  summary: Immutable<string>;
  topic: Immutable<string>;
  importance_score: Immutable<number>;
  source: Immutable<string>;
  created_at: Immutable<Instant>;
  valid_from: Immutable<Instant>;
  valid_to: SetBySupersession<Instant>;
  superseded_by: SetBySupersession<string>;
  superseded_at: SetBySupersession<Instant>;
  original_message: Immutable<string>;
  mode: Immutable<Provenance["mode"]>;
  session_id: Immutable<string | null>;
  message_index: Immutable<number | null>;
  extraction_provider: Immutable<string | null>;
  extraction_model: Immutable<string | null>;
  extraction_byo_llm: Immutable<boolean | null>;
}

/** A memory's vector in one embedding space beside all that retrieval filters on. */
interface MemoryVectorsTable {
  company_id: Immutable<string>;
  memory_id: Immutable<string>;
  space_id: Immutable<number>;
  tenant_id: Immutable<string>;
  source: Immutable<string>;
  valid_from: Immutable<Instant>;
  valid_to: SetBySupersession<Instant>;
  is_superseded: boolean;
  /** pgvector's binary form (see vector-parameter.ts); read as text. */
  embedding: ColumnType<string, Uint8Array, never>;
}

interface AuditEventsTable {
  company_id: Immutable<string>;
  memory_id: Immutable<string>;
  /** From 1, without gaps, for each memory. */
  sequence: Immutable<number>;
  event: Immutable<AuditEventKind>;
  at: Immutable<Instant>;
  actor: Immutable<string>;
  detail: ColumnType<AuditEvent["detail"], string, never>;
}

interface IdempotencyKeysTable {
  company_id: Immutable<string>;
  key: Immutable<string>;
  fingerprint: Uint8Array;
  attempt_id: string;
  claimed_at: Instant;
  /** JSON text; null while the attempt runs. */
  response: string | null;
  /** The tenant whose memories' text the response may hold; null: it holds none. */
  text_of_tenant_id: string | null;
}

interface EmbeddingSpacesTable {
  id: ColumnType<number, never, never>;
  provider: Immutable<string>;
  model: Immutable<string>;
  dimensions: Immutable<number>;
  /** Retrieval is within the one active space. */
  is_active: boolean;
}

/** The tables as the newest migration leaves them. */
export interface Schema {
  accounts: AccountsTable;
  write_usage: WriteUsageTable;
  api_keys: ApiKeysTable;
  api_key_settings: ApiKeySettingsTable;
  memories: MemoriesTable;
  memory_vectors: MemoryVectorsTable;
  audit_events: AuditEventsTable;
  idempotency_keys: IdempotencyKeysTable;
  embedding_spaces: EmbeddingSpacesTable;
}

/** A database or a transaction on it: repositories work on either. */
export type Executor = Kysely<Schema>;
