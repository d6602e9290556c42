import {
  checkExportedMemory,
  type ExportedMemory,
  type ImportedLine,
} from "../domain/exported-memory.ts";
import { atLine, Failure } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { importBatch, RefusedLine } from "./import-batch.ts";
import { ImportedTenants } from "./imported-tenants.ts";
import { admitReader } from "./plan.ts";

/** What has come of an import so far, also of one that then fails. */
export interface ImportProgress {
  importedCount: number;
  /** Of those that the account had already, equal in every respect. */
  skippedCount: number;
}

/** That are stored in one transaction; longer texts and histories make fewer. */
const MEMORIES_A_BATCH = 100;
const EVENTS_A_BATCH = 1_000;
const CHARACTERS_A_BATCH = 1024 * 1024;

/**
 * Stores memories as an export has them (D45): with their IDs, times, chains and histories. Each
 * comes behind its replacement, and those of a tenant one after the other. What the account
 * has already is skipped, so that an import that broke off is sent again from the start. All
 * that comes before a line that is refused is stored; `progress` tells how many.
 *
 * Throws, with the number of the line: `invalid_field` for a memory that could not have come
 * about, or whose replacement did not come before; `memory_exists` where its ID is that of
 * another one; `tenant_not_empty` where its tenant held memories that did not come before;
 * `write_quota_exceeded` where the quota ends. And `plan_canceled`, `plan_blocked`,
 * `model_unavailable`, `overloaded`, `unauthenticated`.
 */
export async function importMemories(
  context: MemoryContext,
  caller: Caller,
  lines: AsyncIterable<ImportedLine>,
  progress: ImportProgress,
  signal: AbortSignal,
): Promise<void> {
  admitReader(context, caller);
  const { companyId, apiKeyId } = caller;
  const tenants = new ImportedTenants();
  try {
    for await (const batch of inBatches(checked(context, lines))) {
      await importFirst(context, caller, batch, tenants, progress, signal);
    }
  } finally {
    context.log.info({ companyId, apiKeyId, ...progress }, "memories were imported");
  }
}

/** All of a batch, or what comes before the line at fault, for which it then throws. */
async function importFirst(
  context: MemoryContext,
  caller: Caller,
  batch: readonly ImportedLine[],
  tenants: ImportedTenants,
  progress: ImportProgress,
  signal: AbortSignal,
): Promise<void> {
  try {
    const importedCount = await importBatch(context, caller, batch, tenants, signal);
    progress.importedCount += importedCount;
    progress.skippedCount += batch.length - importedCount;
  } catch (error) {
    if (!(error instanceof RefusedLine)) throw error;
    const before = batch.slice(0, batch.indexOf(error.line));
    if (before.length > 0) await importFirst(context, caller, before, tenants, progress, signal);
    throw atLine(error.line.number, error.failure);
  }
}

async function* checked(
  context: MemoryContext,
  lines: AsyncIterable<ImportedLine>,
): AsyncGenerator<ImportedLine> {
  for await (const line of lines) {
    try {
      checkExportedMemory(line.memory, context.now());
    } catch (error) {
      throw error instanceof Failure ? atLine(line.number, error) : error;
    }
    yield line;
  }
}

/** What comes before an error is a batch too. An ID comes once in each. */
async function* inBatches(lines: AsyncIterable<ImportedLine>): AsyncGenerator<ImportedLine[]> {
  let batch = new Map<MemoryId, ImportedLine>();
  let shares = 0;
  try {
    for await (const line of lines) {
      const { id } = line.memory.memory;
      if (batch.has(id) || shares >= 1) {
        yield [...batch.values()];
        batch = new Map();
        shares = 0;
      }
      batch.set(id, line);
      shares += shareOf(line.memory);
    }
  } catch (error) {
    if (batch.size > 0) yield [...batch.values()];
    throw error;
  }
  if (batch.size > 0) yield [...batch.values()];
}

/** Of a batch: by the number of memories, of events, or by their length. */
function shareOf({ memory, history }: ExportedMemory): number {
  const { decision, summary, originalMessage } = memory;
  const texts = [decision, summary, originalMessage];
  const details = history.map(({ detail }) => JSON.stringify(detail));
  const characters = [...texts, ...details].reduce((sum, { length }) => sum + length, 0);
  return Math.max(
    1 / MEMORIES_A_BATCH,
    history.length / EVENTS_A_BATCH,
    characters / CHARACTERS_A_BATCH,
  );
}
