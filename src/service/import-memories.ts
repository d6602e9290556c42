import { type PlanUsage, writeQuotaExceeded } from "../domain/account.ts";
import { attributeOf } from "../domain/attribute.ts";
import {
  checkExportedMemory,
  type ExportedMemory,
  ImportedChains,
  type ImportedLine,
  isSameMemory,
  writesOf,
} from "../domain/exported-memory.ts";
import { Failure, LineFailure, ofLine, overtaken } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import { recordedEnd } from "../domain/recorded-end.ts";
import { zip } from "../domain/zip.ts";
import { findSnapshotMemories } from "../storage/exported-memories.ts";
import {
  findOtherwiseFilled,
  findTakenIds,
  type ImportedMemory,
  insertImported,
  lockImports,
  lockReplacements,
} from "../storage/memory-imports.ts";
import type { AccountDb, AccountTrx } from "../storage/schema.ts";
import { transaction } from "../storage/transaction.ts";
import { admitWrites } from "../storage/write-usage.ts";
import { confirmCaller } from "./authenticate.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { embedDocuments } from "./embeddings.ts";
import { readExportedLines } from "./export-memories.ts";
import { startRequestModels } from "./model-calls.ts";
import { admitReader, admitWriter } from "./plan.ts";

/** The counts of an import so far, also of one that then fails. */
export interface ImportProgress {
  importedCount: number;
  /** Memories that the account had already, equal in every respect. */
  skippedCount: number;
}

/** One import: who imports, with which counts and tenants so far. */
interface ImportRun {
  readonly context: MemoryContext;
  readonly caller: Caller;
  readonly tenants: ImportedTenants;
  readonly progress: ImportProgress;
  readonly signal: AbortSignal;
}

/** Limits of one transaction: memories, events of their histories, and characters of both. */
const MEMORIES_A_BATCH = 100;
const EVENTS_A_BATCH = 1_000;
const CHARACTERS_A_BATCH = 1024 * 1024;

/**
 * Stores memories as an export has them (D42c): with their IDs, times, chains and histories. Each
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
  const run = { context, caller, tenants: new ImportedTenants(), progress, signal };
  try {
    for await (const batch of inBatches(context, lines)) await importFirst(run, batch);
  } finally {
    context.log.info(
      { account: companyId, key_id: apiKeyId, ...progress },
      "memories were imported",
    );
  }
}

/** All of a batch, or what comes before the line at fault, for which it then throws. */
async function importFirst(run: ImportRun, batch: readonly ImportedLine[]): Promise<void> {
  const { progress } = run;
  try {
    const importedCount = await importBatch(run, batch);
    progress.importedCount += importedCount;
    progress.skippedCount += batch.length - importedCount;
  } catch (error) {
    if (!(error instanceof LineFailure)) throw error;
    const before = batch.filter(({ number }) => number < error.line);
    if (before.length > 0) await importFirst(run, before);
    throw error;
  }
}

/** Lines that were checked. Those before an error are a batch too. An ID comes once in each batch. */
async function* inBatches(context: MemoryContext, lines: AsyncIterable<ImportedLine>) {
  let batch = new Map<MemoryId, ImportedLine>();
  let shares = 0;
  let failure: unknown = null;
  try {
    for await (const line of lines) {
      ofLine(line.number, () => checkExportedMemory(line.memory, context.now()));
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
    failure = error;
  }
  if (batch.size > 0) yield [...batch.values()];
  if (failure !== null) throw failure;
}

/** The share of a batch that a memory takes: by number, by events, or by length. */
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

/** Each time another import has stored some of the same memories. */
const MAX_ATTEMPTS = 5;

/**
 * Stores those of the memories that the account does not have yet, in one transaction, and
 * returns how many these were. No ID comes twice among them.
 *
 * Throws a `LineFailure` where one of them cannot be stored, and nothing was then; and as
 * `importMemories` does.
 */
async function importBatch(run: ImportRun, lines: readonly ImportedLine[]): Promise<number> {
  const { caller, tenants } = run;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const fresh = await findFresh(caller.db, lines);
    const ids = new Set(idsOf(fresh));
    if (fresh.length === 0 || (await storeFresh(run, fresh, tenants.expected(lines, ids)))) {
      tenants.add(lines, ids);
      return fresh.length;
    }
  }
  throw overtaken("other imports store the same memories");
}

/** False: others have stored some of them meanwhile. There is at least one. */
async function storeFresh(
  { context, caller, signal }: ImportRun,
  fresh: readonly ImportedLine[],
  expected: ReadonlyMap<string | null, number>,
): Promise<boolean> {
  const { plan } = await admitWriter(context, caller).catch((error: unknown) => {
    throw error instanceof Failure ? new LineFailure(fresh[0]?.number ?? 0, error) : error;
  });
  const embedded = await embed(context, caller, fresh, signal);
  // The model took its time; the key may have been revoked meanwhile.
  await confirmCaller(context, caller);
  const by = { actor: caller.apiKeyId, at: context.now() };
  const isStored = await transaction(caller.db, (trx) => store(trx, embedded, expected, plan, by));
  // So that reads are refused at once where there is no grace.
  if (isStored && costOf(fresh) >= plan.writesRemaining) context.callers.forget(caller.companyId);
  return isStored;
}

function idsOf(lines: readonly ImportedLine[]): MemoryId[] {
  return lines.map(({ memory }) => memory.memory.id);
}

/** Those that are not stored yet. Throws a `LineFailure` for one whose ID another memory has. */
async function findFresh(db: AccountDb, lines: readonly ImportedLine[]) {
  const taken = await findTakenIds(db, idsOf(lines));
  const own = [...taken].filter(([, { isOwn }]) => isOwn).map(([id]) => id);
  const stored = await readStored(db, own);
  return lines.filter((line) => {
    const { id } = line.memory.memory;
    if (!taken.has(id)) return true;
    const before = stored.get(id);
    if (before !== undefined && isSameMemory(before, line.memory)) return false;
    const whose = before === undefined ? "of another account" : "with other content";
    const sentence = `\`id\` is that of a memory ${whose}`;
    throw new LineFailure(line.number, new Failure("memory_exists", sentence, { field: "id" }));
  });
}

async function readStored(db: AccountDb, ids: readonly MemoryId[]) {
  const stored = new Map<MemoryId, ExportedMemory>();
  if (ids.length === 0) return stored;
  let earlier: ExportedMemory["history"] = [];
  for await (const line of readExportedLines(db, await findSnapshotMemories(db, ids))) {
    if (line.kind === "events") earlier = [...earlier, ...line.events];
    else {
      const { memory, history } = line.memory;
      stored.set(memory.id, { ...line.memory, history: [...earlier, ...history] });
      earlier = [];
    }
  }
  return stored;
}

/** A line with what its memory is found by. */
interface EmbeddedLine extends ImportedLine {
  readonly memory: ImportedMemory;
}

async function embed(
  context: MemoryContext,
  caller: Caller,
  fresh: readonly ImportedLine[],
  signal: AbortSignal,
): Promise<EmbeddedLine[]> {
  using models = startRequestModels(context, caller, signal);
  const texts = fresh.map(({ memory }) => memory.memory.decision);
  const documents = await embedDocuments(context, caller.db, texts, models.call);
  return zip(fresh, documents).map(([{ number, memory }, document]) => {
    const attribute = attributeOf(memory.memory.decision);
    return { number, memory: { ...memory, attribute, ...document } };
  });
}

/** False: others have stored some of them meanwhile. Throws a `LineFailure`. */
async function store(
  trx: AccountTrx,
  fresh: readonly EmbeddedLine[],
  expected: ReadonlyMap<string | null, number>,
  plan: PlanUsage,
  by: { readonly actor: string; readonly at: Instant },
): Promise<boolean> {
  const ids = idsOf(fresh);
  await lockImports(trx, [...expected.keys()], ids);
  const taken = await findTakenIds(trx, ids);
  if (taken.size > 0) return false;
  const filled = await findOtherwiseFilled(trx, expected);
  const refused = fresh.find(({ memory: { memory } }) => filled.includes(memory.tenantId));
  if (refused !== undefined) {
    throw new LineFailure(refused.number, notEmpty(refused.memory.memory));
  }
  await checkChains(trx, fresh);
  const memories = fresh.map(({ memory }) => memory);
  await insertImported(trx, memories, by);

  // Last, because all writers of the account share the row of the quota, and from
  // here to the commit it is locked.
  const { periodStart, writesLimit } = plan;
  const wanted = costOf(fresh);
  const admitted = await admitWrites(trx, { periodStart, writesLimit, wanted, now: by.at });
  let cost = 0;
  const beyond = fresh.find(({ memory }) => {
    cost += writesOf(memory);
    return cost > admitted;
  });
  if (beyond !== undefined) throw new LineFailure(beyond.number, writeQuotaExceeded(plan));
  return true;
}

function costOf(lines: readonly ImportedLine[]): number {
  return lines.reduce((sum, { memory }) => sum + writesOf(memory), 0);
}

function notEmpty({ tenantId }: Memory): Failure {
  const tenant = tenantId === null ? "the default tenant" : `the tenant \`${tenantId}\``;
  const rule = "only an empty one can be imported into";
  const sentence = `${tenant} holds memories that do not come before this line; ${rule}`;
  return new Failure("tenant_not_empty", sentence, { field: "tenant_id" });
}

/** Throws a `LineFailure` for a memory that does not go on a chain as it is. */
async function checkChains(trx: AccountTrx, fresh: readonly EmbeddedLine[]): Promise<void> {
  const ids = new Set(idsOf(fresh));
  const ends = fresh.map(({ memory }) => recordedEnd(memory.history));
  const named = ends.flatMap(({ supersededBy, trimmedBy }) => [supersededBy, ...trimmedBy]);
  const stored = new Set(named.filter((id) => id !== null).filter((id) => !ids.has(id)));
  const chains = new ImportedChains(await lockReplacements(trx, [...stored]));
  for (const [{ number, memory }, end] of zip(fresh, ends))
    ofLine(number, () => chains.add(memory.memory, end));
}

/** The tenants of one import, by what came of them so far. */
class ImportedTenants {
  readonly #seen = new Map<string | null, number>();
  /** Into which this import has stored: nothing else was in them. */
  readonly #filled = new Set<string | null>();

  /** Tenants that `fresh` is the first to fill, with how many memories each must have by then. */
  expected(lines: readonly ImportedLine[], fresh: ReadonlySet<MemoryId>) {
    const expected = new Map<string | null, number>();
    const seen = new Map<string | null, number>();
    for (const { memory } of lines) {
      const { id, tenantId } = memory.memory;
      const before = seen.get(tenantId) ?? this.#seen.get(tenantId) ?? 0;
      seen.set(tenantId, before + 1);
      if (fresh.has(id) && !this.#filled.has(tenantId) && !expected.has(tenantId)) {
        expected.set(tenantId, before);
      }
    }
    return expected;
  }

  /** Once these lines are done with. */
  add(lines: readonly ImportedLine[], fresh: ReadonlySet<MemoryId>): void {
    for (const { memory } of lines) {
      const { id, tenantId } = memory.memory;
      this.#seen.set(tenantId, (this.#seen.get(tenantId) ?? 0) + 1);
      if (fresh.has(id)) this.#filled.add(tenantId);
    }
  }
}
