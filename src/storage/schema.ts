import type { ColumnType, Kysely, Transaction } from "kysely";
import type { PlanStatus, PlanTier } from "../domain/account.ts";
import type { Right } from "../domain/api-key.ts";
import type { AuditEvent, AuditEventKind } from "../domain/audit-event.ts";
import type { CompanyId, MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Metadata, Provenance } from "../domain/memory.ts";
import type { AutoSupersedeMode } from "../domain/settings.ts";

/** Written once: to rewrite it is a compile error. */
type Immutable<T> = ColumnType<T, T, never>;

/** The columns that supersession writes, and nothing else does after the insert. */
type SetBySupersession<T> = ColumnType<T | null, T | null, T | null>;

interface AccountsTable {
  company_id: Immutable<CompanyId>;
  org_id: Immutable<string>;
  plan_tier: PlanTier;
  plan_status: PlanStatus;
  writes_limit: number | null;
  grace_days: number | null;
  rate: number | null;
  burst: number | null;
  period_anchor: Instant;
  created_at: Immutable<Instant>;
  suspended_at: Instant | null;
}

interface WriteUsageTable {
  company_id: Immutable<CompanyId>;
  period_start: Immutable<Instant>;
  writes_used: number;
  /** What the latest admission counted: how its own statement learns the number. */
  last_admitted: number;
  quota_reached_at: Instant | null;
  grace_ends_at: Instant | null;
}

interface ApiKeysTable {
  company_id: Immutable<CompanyId>;
  id: Immutable<string>;
  digest: Immutable<Uint8Array>;
  prefix: Immutable<string>;
  name: string | null;
  created_at: Immutable<Instant>;
  expires_at: Immutable<Instant | null>;
  revoked_at: Instant | null;
  rights: Immutable<readonly Right[]>;
  /** Names and beginnings of names, which end in `*`; none: every tenant. */
  tenants: Immutable<readonly string[]>;
}

interface ApiKeyUsesTable {
  company_id: Immutable<CompanyId>;
  api_key_id: Immutable<string>;
  last_used_at: Instant;
}

interface SessionsTable {
  company_id: Immutable<CompanyId>;
  id: Immutable<string>;
  digest: Immutable<Uint8Array>;
  created_at: Immutable<Instant>;
  last_used_at: Instant;
  /** null: no identity provider said what it calls it. */
  provider_session_id: Immutable<string | null>;
  id_token: Immutable<string | null>;
}

interface SignInLinksTable {
  company_id: Immutable<CompanyId>;
  digest: Uint8Array;
  expires_at: Instant;
}

interface LogoutTokensTable {
  company_id: Immutable<CompanyId>;
  digest: Immutable<Uint8Array>;
  expires_at: Immutable<Instant>;
}

/** A table whose other columns stand in statements that are written out alone. */
interface WrittenOutTable extends Record<string, unknown> {
  company_id: Immutable<CompanyId>;
}

interface CallsTable extends WrittenOutTable {
  at: Immutable<Instant>;
}

/** A column that is null follows the default. */
interface ApiKeySettingsTable {
  company_id: Immutable<CompanyId>;
  api_key_id: Immutable<string>;
  auto_supersede_default: boolean | null;
  excluded_categories: readonly string[] | null;
  min_confidence: number | null;
  classifier_model: string | null;
  auto_supersede_mode: AutoSupersedeMode | null;
  log_questions: boolean | null;
}

export interface MemoriesTable {
  company_id: Immutable<CompanyId>;
  id: Immutable<MemoryId>;
  /** The default tenant is '' (see memory-row.ts). */
  tenant_id: Immutable<string>;
  decision: Immutable<string>;
  /** null: the same text as `decision`, which is stored once. */
  summary: Immutable<string | null>;
  topic: Immutable<string>;
  importance_score: Immutable<number>;
  source: Immutable<string>;
  created_at: Immutable<Instant>;
  valid_from: Immutable<Instant>;
  valid_to: SetBySupersession<Instant>;
  superseded_by: SetBySupersession<MemoryId>;
  superseded_at: SetBySupersession<Instant>;
  /** null: the same text as `decision`. */
  original_message: Immutable<string | null>;
  /** Code points of the original message that the fact was taken from; null: all, or not known. */
  span_start: Immutable<number | null>;
  span_end: Immutable<number | null>;
  metadata: ColumnType<Metadata, string, never>;
  /** When it was stated; null: at `valid_from`. */
  stated_at: Immutable<Instant | null>;
  /** What it is about (`attributeOf`); null: it does not say so plainly. */
  attribute: Immutable<string | null>;
  /** The excluded category that the extraction put it in; null: in none. */
  category: Immutable<string | null>;
  mode: Immutable<Provenance["mode"]>;
  session_id: Immutable<string | null>;
  message_index: Immutable<number | null>;
  extraction_provider: Immutable<string | null>;
  extraction_model: Immutable<string | null>;
  extraction_byo_llm: Immutable<boolean | null>;
}

/** A memory's vector in one embedding space beside all that retrieval filters on. */
interface MemoryVectorsTable {
  company_id: Immutable<CompanyId>;
  memory_id: Immutable<MemoryId>;
  space_id: Immutable<number>;
  tenant_id: Immutable<string>;
  source: Immutable<string>;
  valid_from: Immutable<Instant>;
  valid_to: SetBySupersession<Instant>;
  is_superseded: boolean;
  /** pgvector's binary form (`vectorParameter`); read as text. */
  embedding: ColumnType<string, Uint8Array, never>;
  /** A sparse vector with 1 at the number of each term. */
  terms: string;
  /** Terms of the text, repeated ones too. */
  length: number;
  /** The conversation; null: none was named. */
  session_id: string | null;
}

interface AuditEventsTable {
  company_id: Immutable<CompanyId>;
  memory_id: Immutable<MemoryId>;
  /** From 1, without gaps, for each memory. */
  sequence: Immutable<number>;
  event: Immutable<AuditEventKind>;
  at: Immutable<Instant>;
  actor: Immutable<string>;
  detail: ColumnType<AuditEvent["detail"], string, never>;
}

interface IdempotencyKeysTable {
  company_id: Immutable<CompanyId>;
  key: Immutable<string>;
  fingerprint: Uint8Array;
  attempt_id: string;
  /** When the attempt last said that it runs; so also when its record began to age. */
  claimed_at: Instant;
  /** The response message in protobuf; null while the attempt runs, and once it is erased. */
  response: Uint8Array | null;
  /** End of the billing period whose quota cut the response short (D29); null: it is whole. */
  quota_exceeded_until: Instant | null;
  /** Whose text the response may hold, in snake_case; null: it holds none. */
  text_of: ColumnType<object | null, string | null, string | null>;
  /** The request was done, and the text of its response was deleted since. */
  is_erased: boolean;
}

interface EmbeddingSpacesTable {
  id: ColumnType<number, never, never>;
  provider: Immutable<string>;
  model: Immutable<string>;
  dimensions: Immutable<number>;
  /** Retrieval is within the one active space. */
  is_active: boolean;
  /** Which rules made the terms of its memories. */
  terms_version: number;
}

export interface Schema {
  accounts: AccountsTable;
  write_usage: WriteUsageTable;
  api_keys: ApiKeysTable;
  api_key_uses: ApiKeyUsesTable;
  api_key_settings: ApiKeySettingsTable;
  sessions: SessionsTable;
  sign_in_links: SignInLinksTable;
  logout_tokens: LogoutTokensTable;
  calls: CallsTable;
  memories: MemoriesTable;
  memory_vectors: MemoryVectorsTable;
  audit_events: AuditEventsTable;
  decision_verdicts: WrittenOutTable;
  rejected_facts: WrittenOutTable;
  retention_rules: WrittenOutTable;
  idempotency_keys: IdempotencyKeysTable;
  embedding_spaces: EmbeddingSpacesTable;
}

/** A database or a transaction, for statements of no account or of several. */
export interface Executor extends Kysely<Schema> {
  readonly companyId?: undefined;
}

/** A transaction: what must run in one can't be called with the database. */
export interface Trx extends Transaction<Schema> {
  readonly companyId?: undefined;
}

/** The same for one account, which every statement names; one of another cannot be made. */
export interface AccountDb extends Kysely<Schema> {
  readonly companyId: CompanyId;
}

export interface AccountTrx extends Transaction<Schema> {
  readonly companyId: CompanyId;
}
