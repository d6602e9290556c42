import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { v7 as uuidv7 } from "uuid";
import type { Account, ApiKey } from "../../../src/domain/account.ts";
import { RIGHTS } from "../../../src/domain/api-key.ts";
import type { AuditEvent } from "../../../src/domain/audit-event.ts";
import type { EmbeddingSpace, Vector } from "../../../src/domain/embedding.ts";
import { type ErasureScope, WHOLE_ACCOUNT } from "../../../src/domain/erasure.ts";
import { type CompanyId, type MemoryId, toCompanyId, toMemoryId } from "../../../src/domain/ids.ts";
import { type Instant, MINUTE, parseInstant } from "../../../src/domain/instant.ts";
import type { Memory, MemoryFilters, Provenance } from "../../../src/domain/memory.ts";
import type { KeptRejectedFact } from "../../../src/domain/rejected-fact.ts";
import type { SearchTerms } from "../../../src/domain/search-terms.ts";
import { insertAccount } from "../../../src/storage/accounts.ts";
import { listAuditEvents } from "../../../src/storage/audit-events.ts";
import type { ServiceDb } from "../../../src/storage/connection-pool.ts";
import type { SpaceVector } from "../../../src/storage/embedding-spaces.ts";
import type { IdempotencyClaim, TextOf } from "../../../src/storage/idempotency-keys.ts";
import { findMemoryRecord } from "../../../src/storage/memories.ts";
import { findEarlierVersions } from "../../../src/storage/memory-chains.ts";
import { eraseMemories } from "../../../src/storage/memory-erasure.ts";
import { lockMemories } from "../../../src/storage/memory-locks.ts";
import {
  type MemoryEnd,
  type MemoryWrite,
  type NewMemory,
  writeMemories,
} from "../../../src/storage/memory-writes.ts";
import type { AccountDb, AccountTrx } from "../../../src/storage/schema.ts";
import type { MemorySearch } from "../../../src/storage/search-scope.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { IS_DISTRIBUTED } from "../../support/database.ts";

/** With microseconds that a Date would lose. */
export const NOW = instant("2026-05-04T03:02:01.123457Z");

/** Of a read that is about all memories of a tenant that are current. */
export const NO_FILTERS: MemoryFilters = {
  asOf: null,
  knownAt: null,
  sessionId: null,
  topic: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
};

export const TEST_SPACE: EmbeddingSpace = { provider: "test", model: "unit", dimensions: 4 };
/** Of the first space of a database. */
export const TEST_SPACE_ID = 1;

/** For what is nearest to a vector among the current memories of the default tenant. */
export const ANY_SEARCH: MemorySearch = {
  tenantIds: [null],
  sources: null,
  ...NO_FILTERS,
  now: NOW,
  vector: inTestSpace([1, 0, 0, 0]),
  terms: [],
  space: { provider: "any" },
  limit: 10,
};

export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (parsed === null) throw new Error(`${text} is not a time`);
  return parsed;
}

export function minutes(count: number): Instant {
  return BigInt(count) * MINUTE;
}

export function newCompanyId(): CompanyId {
  return toCompanyId(`company-${randomUUID()}`);
}

/** Statements that wait for a lock; those of a distributed database do on a worker. */
export async function countLockWaits(db: ServiceDb): Promise<number> {
  const waiting = IS_DISTRIBUTED
    ? sql`select from citus_lock_waits`
    : sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(db)).rows.length;
}

/** As much of a constraint's name as every shard's has. */
const NAME_ON_SHARDS = 40;

/**
 * For what fails by a constraint. A worker of a distributed database names it in the sentence
 * only, with the number of the shard.
 */
export function violates(constraint: string) {
  return (error: unknown) =>
    error instanceof pg.DatabaseError &&
    (error.constraint ?? /violates [^"]+"([^"]+)"$/.exec(error.message)?.[1])?.slice(
      0,
      NAME_ON_SHARDS,
    ) === constraint.slice(0, NAME_ON_SHARDS);
}

export function newMemoryId(): MemoryId {
  return toMemoryId(randomUUID());
}

export function accountOf(companyId: CompanyId, fields: Partial<Account> = {}): Account {
  return {
    companyId,
    orgId: randomUUID(),
    planTier: "starter",
    planStatus: "active",
    writesLimit: null,
    graceDays: null,
    rate: null,
    burst: null,
    periodAnchor: NOW,
    createdAt: NOW,
    suspendedAt: null,
    ...fields,
  };
}

/** A stored account that no other test uses. */
export async function newAccount(db: ServiceDb, fields: Partial<Account> = {}): Promise<Account> {
  const account = accountOf(newCompanyId(), fields);
  await insertAccount(db.of(account.companyId), account);
  return account;
}

export function apiKeyOf(companyId: CompanyId, fields: Partial<ApiKey> = {}): ApiKey {
  return {
    id: randomUUID(),
    companyId,
    prefix: "svc_abcd",
    createdAt: NOW,
    lastUsedAt: null,
    name: null,
    expiresAt: null,
    revokedAt: null,
    rights: RIGHTS,
    tenants: [],
    ...fields,
  };
}

export interface NewMemoryFields extends Partial<Memory> {
  readonly provenance?: Partial<Provenance>;
  readonly embedding?: Vector;
  readonly terms?: SearchTerms;
  /** Its start by default. */
  readonly statedAt?: Instant;
  readonly attribute?: string;
  readonly category?: string;
}

export function newMemory(
  companyId: CompanyId,
  { provenance, embedding, terms, statedAt, attribute, category, ...memory }: NewMemoryFields = {},
): NewMemory {
  return {
    memory: {
      id: newMemoryId(),
      companyId,
      tenantId: null,
      decision: "The user lives in Lisbon.",
      summary: "Lives in Lisbon",
      topic: "General",
      importanceScore: 5,
      source: "agent",
      createdAt: NOW,
      validFrom: NOW,
      validTo: null,
      supersededBy: null,
      supersededAt: null,
      originalMessage: "I live in Lisbon",
      metadata: {},
      ...memory,
    },
    provenance: {
      mode: "content",
      sessionId: null,
      messageIndex: null,
      extraction: null,
      ...provenance,
    },
    statedAt: statedAt ?? memory.validFrom ?? NOW,
    attribute: attribute ?? null,
    category: category ?? null,
    vectors: [inTestSpace(embedding ?? [1, 0, 0, 0])],
    terms: terms ?? { numbers: [], length: 0 },
  };
}

export function rejectedFact(fields: Partial<KeptRejectedFact> = {}): KeptRejectedFact {
  return {
    id: uuidv7(),
    tenantId: null,
    sessionId: "chat-7",
    source: "agent_session",
    metadata: { user: "7", 'with "marks"': "{a,b}" },
    rejectedAt: NOW,
    saidAt: NOW - minutes(5),
    fact: "The user lives in Rome",
    isFactCut: false,
    isRetraction: false,
    message: "Somebody lives in Rome, \\ or {does} they?",
    messageIndex: 3,
    reason: "subject",
    ...fields,
  };
}

/** A first attempt of a request of this account. */
export function claimOf(companyId: CompanyId, key: string = randomUUID()): IdempotencyClaim {
  return {
    companyId,
    key,
    fingerprint: new Uint8Array(32),
    attemptId: randomUUID(),
    now: NOW,
    expiresBefore: NOW - minutes(24 * 60),
    leasedSince: NOW - minutes(5),
  };
}

export function inTestSpace(vector: Vector): SpaceVector {
  return { spaceId: TEST_SPACE_ID, vector };
}

/** A write of one account that does what the fields say and nothing else. */
export function writeOf(fields: Partial<MemoryWrite> = {}): MemoryWrite {
  return { created: [], ended: [], moved: [], events: [], lastSequences: new Map(), ...fields };
}

/** Stores memories of one account. */
export async function storeMemories(db: ServiceDb, created: readonly NewMemory[]): Promise<void> {
  const [first] = created;
  if (first === undefined) return;
  const write = writeOf({ created });
  await transaction(db.of(first.memory.companyId), (trx) => writeMemories(trx, write));
}

/** Stores one memory of an account and returns it. */
export async function storeMemory(
  db: ServiceDb,
  companyId: CompanyId,
  fields: NewMemoryFields = {},
): Promise<Memory> {
  const stored = newMemory(companyId, fields);
  await storeMemories(db, [stored]);
  return stored.memory;
}

/** null: the account has no such memory. */
export async function findMemory(
  db: ServiceDb,
  companyId: CompanyId,
  id: MemoryId,
): Promise<Memory | null> {
  return (await findMemoryRecord(db.of(companyId), id))?.memory ?? null;
}

/** Ends a memory as the service does: locked, together with its replacement. */
export async function supersede(
  db: ServiceDb,
  memory: Memory,
  by: Memory | null,
  validTo: Instant = NOW,
): Promise<void> {
  const ids = by === null ? [memory.id] : [memory.id, by.id];
  const end = { id: memory.id, validTo, supersededBy: by?.id ?? null, supersededAt: NOW };
  await transaction(db.of(memory.companyId), async (trx) => {
    await lockMemories(trx, ids);
    await writeEnd(trx, end);
  });
}

/** Takes a supersession back: the memory is what it was when it was stored. */
export async function restore(db: ServiceDb, { id, companyId, validTo }: Memory): Promise<void> {
  await transaction(db.of(companyId), async (trx) => {
    await lockMemories(trx, [id]);
    await writeEnd(trx, { id, validTo, supersededBy: null, supersededAt: null });
  });
}

async function writeEnd(trx: AccountTrx, end: MemoryEnd): Promise<void> {
  await writeMemories(trx, writeOf({ ended: [end] }));
}

/** Appends to the histories of stored memories as the service does: locked. */
export async function appendEvents(
  db: ServiceDb,
  companyId: CompanyId,
  events: readonly AuditEvent[],
): Promise<void> {
  const ids = events.map(({ memoryId }) => memoryId);
  await transaction(db.of(companyId), async (trx) => {
    await lockMemories(trx, ids);
    const lastSequences = await findLastSequences(trx, ids);
    await writeMemories(trx, writeOf({ events, lastSequences }));
  });
}

/** The whole history of a memory, as it was written. */
export async function historyOf(db: AccountDb, id: MemoryId): Promise<AuditEvent[]> {
  const page = { limit: 10_000, maxTextBytes: Number.MAX_SAFE_INTEGER };
  const { events } = await listAuditEvents(db, id, 0, page);
  return events.map(({ sequence: _, ...event }) => event);
}

/** The last sequence of each memory's history. */
export async function findLastSequences(
  trx: AccountTrx,
  ids: readonly MemoryId[],
): Promise<ReadonlyMap<MemoryId, number>> {
  const { lastSequences } = await findEarlierVersions(trx, new Map(ids.map((id) => [id, null])));
  return lastSequences;
}

/** What a response of a conversation with a tenant holds the text of. */
export function textOfTenant(tenantId: string | null): TextOf {
  const write = { tenantId, sessionId: "chat", source: "agent", metadata: {}, createdAt: NOW };
  return { memoryIds: [], write };
}

export const ERASER = { actor: "dashboard", now: () => NOW };

/** Erases memories of an account; returns how many. */
export async function eraseAll(
  db: ServiceDb,
  companyId: CompanyId,
  scope: Partial<ErasureScope> = {},
): Promise<number> {
  let erased = 0;
  const erasure = eraseMemories(db.of(companyId), { ...WHOLE_ACCOUNT, ...scope }, ERASER);
  for await (const count of erasure) erased += count;
  return erased;
}
