import { randomUUID } from "node:crypto";
import type { Account, ApiKey } from "../../../src/domain/account.ts";
import type { EmbeddingSpace } from "../../../src/domain/embedding.ts";
import { type Instant, MINUTE, parseInstant } from "../../../src/domain/instant.ts";
import type { Memory, Provenance } from "../../../src/domain/memory.ts";
import { insertAccount } from "../../../src/storage/accounts.ts";
import type { SpaceVector } from "../../../src/storage/embedding-spaces.ts";
import {
  insertMemories,
  lockMemories,
  markSuperseded,
  type NewMemory,
} from "../../../src/storage/memories.ts";
import type { Executor } from "../../../src/storage/schema.ts";
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

export function newCompanyId(): string {
  return `company-${randomUUID()}`;
}

export function accountOf(companyId: string, fields: Partial<Account> = {}): Account {
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

export function apiKeyOf(companyId: string, fields: Partial<ApiKey> = {}): ApiKey {
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
  companyId: string,
  { provenance, embedding, ...memory }: NewMemoryFields = {},
): NewMemory {
  return {
    memory: {
      id: randomUUID(),
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

/** Stores one memory of an account and returns it. */
export async function storeMemory(
  db: Executor,
  companyId: string,
  fields: NewMemoryFields = {},
): Promise<Memory> {
  const stored = newMemory(companyId, fields);
  await transaction(db, (trx) => insertMemories(trx, [stored]));
  return stored.memory;
}

/** Ends a memory as the service does: locked, together with its replacement. */
export async function supersede(
  db: Executor,
  memory: Memory,
  by: Memory | null,
  validTo: Instant = NOW,
): Promise<void> {
  await transaction(db, async (trx) => {
    const ids = by === null ? [memory.id] : [memory.id, by.id];
    await lockMemories(trx, memory.companyId, ids);
    await markSuperseded(trx, memory.companyId, memory.id, {
      validTo,
      supersededBy: by?.id ?? null,
      supersededAt: NOW,
    });
  });
}
