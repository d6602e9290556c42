import type { Instant } from "../domain/instant.ts";
import type { Memory, Provenance } from "../domain/memory.ts";
import type { EmbeddingSpace } from "../providers/embedder.ts";
import type { Executor } from "./schema.ts";

export interface NewMemory {
  readonly memory: Memory;
  readonly provenance: Provenance;
  readonly embedding: readonly number[];
}

/** Stores memories of one account with their vectors. */
export declare function insertMemories(
  trx: Executor,
  memories: readonly NewMemory[],
): Promise<void>;

/** null: the account has no such memory. */
export declare function findMemory(
  db: Executor,
  companyId: string,
  id: string,
): Promise<Memory | null>;

/** Whether any account has the memory; only to tell 403 from 404 once findMemory missed. */
export declare function memoryExists(db: Executor, id: string): Promise<boolean>;

/** Locks the account's memories of these IDs in ID order; IDs it does not have are left out. */
export declare function lockMemories(
  trx: Executor,
  companyId: string,
  ids: readonly string[],
): Promise<Memory[]>;

/** The last memory on the way along `superseded_by`; the memory itself when it has no replacement. */
export declare function findChainHeadId(
  trx: Executor,
  companyId: string,
  id: string,
): Promise<string>;

/** Every memory of the chain (D18: of a merge, all branches), by valid_from, created_at, ID. */
export declare function findChain(db: Executor, companyId: string, id: string): Promise<Memory[]>;

export interface SupersessionChange {
  readonly validTo: Instant;
  readonly supersededBy: string | null;
  readonly supersededAt: Instant;
}

/** Ends a locked memory that is not superseded yet, and its vector. */
export declare function markSuperseded(
  trx: Executor,
  companyId: string,
  id: string,
  change: SupersessionChange,
): Promise<void>;

export interface MemoryFilter {
  readonly companyId: string;
  readonly tenantId: string | null;
  readonly source: string | null;
  readonly includeSuperseded: boolean;
  readonly asOf: Instant | null;
  readonly now: Instant;
  readonly limit: number;
  /** Only memories behind this one in the order of the list. */
  readonly after: { readonly createdAt: Instant; readonly id: string } | null;
}

/** D21 and D22: newest first. */
export declare function listMemories(db: Executor, filter: MemoryFilter): Promise<Memory[]>;

/**
 * Erases memories with their vectors, audit events and everything else that may
 * hold their text, and returns how many. `tenantId` undefined: of every tenant.
 */
export declare function deleteMemories(
  trx: Executor,
  companyId: string,
  tenantId: string | undefined,
): Promise<number>;

export interface MemoryRecord {
  readonly memory: Memory;
  readonly provenance: Provenance;
  readonly embedding: EmbeddingSpace;
}

/** null: the account has no such memory. */
export declare function findMemoryRecord(
  db: Executor,
  companyId: string,
  id: string,
): Promise<MemoryRecord | null>;
