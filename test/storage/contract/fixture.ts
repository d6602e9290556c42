import { randomUUID } from "node:crypto";
import type { Account, ApiKey } from "../../../src/domain/account.ts";
import type { AuditEvent } from "../../../src/domain/audit-event.ts";
import type { EmbeddingSpace } from "../../../src/domain/embedding.ts";
import { type CompanyId, type MemoryId, toCompanyId, toMemoryId } from "../../../src/domain/ids.ts";
import { type Instant, MINUTE, parseInstant } from "../../../src/domain/instant.ts";
import type { Memory, Provenance } from "../../../src/domain/memory.ts";
import { insertAccount } from "../../../src/storage/accounts.ts";
import { findLastSequences } from "../../../src/storage/audit-events.ts";
import type { SpaceVector } from "../../../src/storage/embedding-spaces.ts";
import { findMemoryRecord, lockMemories } from "../../../src/storage/memories.ts";
import {
  type MemoryEnd,
  type MemoryWrite,
  type NewMemory,
  writeMemories,
} from "../../../src/storage/memory-writes.ts";
import type { Executor, Trx } from "../../../src/storage/schema.ts";
import { transaction } from "../../../src/storage/transaction.ts";

/** With microseconds that a Date would lose. */
export const NOW = instant("2026-05-04T03:02:01.123457Z");

export const TEST_SPACE: EmbeddingSpace = { provider: "test", model: "unit", dimensions: 4 };
/** Of the first space of a database. */
export const TEST_SPACE_ID = 1;

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
    ...fields,
  };
}

/** A stored account that no other test uses. */
export async function newAccount(db: Executor, fields: Partial<Account> = {}): Promise<Account> {
  const account = accountOf(newCompanyId(), fields);
  await insertAccount(db, account);
  return account;
}

export function apiKeyOf(companyId: CompanyId, fields: Partial<ApiKey> = {}): ApiKey {
  return {
    id: randomUUID(),
    companyId,
    prefix: "svc_abcd",
    createdAt: NOW,
    lastUsedAt: null,
    revokedAt: null,
    ...fields,
  };
}

export interface NewMemoryFields extends Partial<Memory> {
  readonly provenance?: Partial<Provenance>;
  readonly embedding?: readonly number[];
}

export function newMemory(
  companyId: CompanyId,
  { provenance, embedding, ...memory }: NewMemoryFields = {},
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
      ...memory,
    },
    provenance: {
      mode: "content",
      sessionId: null,
      messageIndex: null,
      extraction: null,
      ...provenance,
    },
    vectors: [inTestSpace(embedding ?? [1, 0, 0, 0])],
  };
}

export function inTestSpace(vector: readonly number[]): SpaceVector {
  return { spaceId: TEST_SPACE_ID, vector };
}

/** A write of one account that does what the fields say and nothing else. */
export function writeOf(companyId: CompanyId, fields: Partial<MemoryWrite> = {}): MemoryWrite {
  return { companyId, created: [], ended: [], events: [], lastSequences: new Map(), ...fields };
}

/** Stores memories of one account. */
export async function storeMemories(db: Executor, created: readonly NewMemory[]): Promise<void> {
  const [first] = created;
  if (first === undefined) return;
  const write = writeOf(first.memory.companyId, { created });
  await transaction(db, (trx) => writeMemories(trx, write));
}

/** Stores one memory of an account and returns it. */
export async function storeMemory(
  db: Executor,
  companyId: CompanyId,
  fields: NewMemoryFields = {},
): Promise<Memory> {
  const stored = newMemory(companyId, fields);
  await storeMemories(db, [stored]);
  return stored.memory;
}

/** null: the account has no such memory. */
export async function findMemory(
  db: Executor,
  companyId: CompanyId,
  id: MemoryId,
): Promise<Memory | null> {
  return (await findMemoryRecord(db, companyId, id))?.memory ?? null;
}

/** Ends a memory as the service does: locked, together with its replacement. */
export async function supersede(
  db: Executor,
  memory: Memory,
  by: Memory | null,
  validTo: Instant = NOW,
): Promise<void> {
  const ids = by === null ? [memory.id] : [memory.id, by.id];
  const end = { id: memory.id, validTo, supersededBy: by?.id ?? null, supersededAt: NOW };
  await transaction(db, async (trx) => {
    await lockMemories(trx, memory.companyId, ids);
    await writeEnd(trx, memory.companyId, end);
  });
}

/** Takes a supersession back: the memory is what it was when it was stored. */
export async function restore(db: Executor, { id, companyId, validTo }: Memory): Promise<void> {
  await transaction(db, async (trx) => {
    await lockMemories(trx, companyId, [id]);
    await writeEnd(trx, companyId, { id, validTo, supersededBy: null, supersededAt: null });
  });
}

export async function writeEnd(trx: Trx, companyId: CompanyId, end: MemoryEnd): Promise<void> {
  await writeMemories(trx, writeOf(companyId, { ended: [end] }));
}

/** Appends to the histories of stored memories as the service does: locked. */
export async function appendEvents(
  db: Executor,
  companyId: CompanyId,
  events: readonly AuditEvent[],
): Promise<void> {
  const ids = events.map(({ memoryId }) => memoryId);
  await transaction(db, async (trx) => {
    await lockMemories(trx, companyId, ids);
    const lastSequences = await findLastSequences(trx, companyId, ids);
    await writeMemories(trx, writeOf(companyId, { events, lastSequences }));
  });
}
