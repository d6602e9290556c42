import type { CompiledQuery } from "kysely";
import { giveWay } from "../concurrency/loop-turns.ts";
import type { AuditEvent } from "../domain/audit-event.ts";
import type { VersionEnd } from "../domain/chain.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Memory } from "../domain/memory.ts";
import type { SearchTerms } from "../domain/search-terms.ts";
import type { Settings } from "../domain/settings.ts";
import { isAsJudged, type JudgementBasis, lockJudgements } from "./candidates.ts";
import { StatementText, termsParameter, vectorParameter } from "./column-values.ts";
import { embeddingModelReplaced, type SpaceVector } from "./embedding-spaces.ts";
import { type ResponseToStore, storingResponse } from "./idempotency-keys.ts";
import { presentMemories } from "./memory-locks.ts";
import { fromMemory, type MemoryValues, toTenantColumn } from "./memory-row.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";
import { isTransient, sqlStateOf } from "./storage-failure.ts";
import { sendTogether } from "./transaction.ts";
import { type Admission, countWrites, hasSettings } from "./write-usage.ts";

export interface NewMemory extends MemoryValues {
  /** One in the active embedding space, and one in the next where there is one. */
  readonly vectors: readonly SpaceVector[];
  /** Of its decision. */
  readonly terms: SearchTerms;
}

/**
 * What a supersession, or taking one back, writes to a memory: the only change it ever sees.
 * Exports rely on that: they take a snapshot of these columns, and read the rest page by page.
 */
export type MemoryEnd = Pick<Memory, "id" | "validTo" | "supersededBy" | "supersededAt">;

/** What one transaction does to the memories of one account. */
export interface MemoryWrite {
  /** A replacement among them comes behind the memories that it replaces. */
  readonly created: readonly NewMemory[];
  /** Stored memories, locked in the transaction. A null `supersededAt` takes a supersession back. */
  readonly ended: readonly MemoryEnd[];
  /** Superseded memories, of the same locks, whose ends later versions of their chains move. */
  readonly moved: readonly VersionEnd[];
  /** Of all these memories, in order. */
  readonly events: readonly AuditEvent[];
  /** The last sequence of each history that has begun before. */
  readonly lastSequences: ReadonlyMap<MemoryId, number>;
}

/** Each may be of 32 KiB, with two vectors: to put more of them in words would hold up others. */
const MAX_CREATED_A_STATEMENT = 25;

/**
 * Writes memories, their vectors and their histories in one statement: all lists of values and all
 * of one account, so that a distributed database sends each part to one shard, and without a round
 * trip for each table.
 *
 * No cut over to another space comes between its check of the active space and the commit: until
 * then the transaction holds a lock of the vectors' table, which a cut over waits for.
 *
 * Throws `model_unavailable` when a memory has no vector in the active space: it would be missing
 * from every answer. Throws an Error for a vector that is not of its space's length and for an end
 * that is not as `ended` or `moved` says.
 */
export async function writeMemories(trx: AccountTrx, write: Partial<MemoryWrite>): Promise<void> {
  const nothing = { created: [], ended: [], moved: [], events: [], lastSequences: new Map() };
  for (const part of partsOf({ ...nothing, ...write })) await writeAtOnce(trx, part);
}

/** The same write as parts that are one statement each, in order. */
export function partsOf(write: MemoryWrite): MemoryWrite[] {
  const parts: MemoryWrite[] = [];
  let rest = write.created;
  let { events } = write;
  // The last ones first: what replaces a memory must be there before it.
  while (rest.length > MAX_CREATED_A_STATEMENT) {
    const created = rest.slice(-MAX_CREATED_A_STATEMENT);
    rest = rest.slice(0, -MAX_CREATED_A_STATEMENT);
    const ids = new Set(created.map(({ memory }) => memory.id));
    const { true: own = [], false: others = [] } = Object.groupBy(
      events,
      ({ memoryId }) => `${ids.has(memoryId)}`,
    );
    parts.push({ ...write, created, ended: [], moved: [], events: own });
    events = others;
  }
  return [...parts, { ...write, created: rest, events }];
}

async function writeAtOnce(trx: AccountTrx, write: MemoryWrite): Promise<void> {
  const statement = new StatementText(trx.companyId);
  const tables = tablesWritten(statement, write);
  if (tables.length === 0) return;
  const ends = write.ended.length + write.moved.length;
  const { rows } = await trx.executeQuery(
    statement.query<{ ended: number; spaces: readonly Space[] }>(
      `with ${tables.join(", ")}
      select
        ${ends === 0 ? "0" : "(select count(*) from ended)"} as ended,
        (
          select json_agg(json_build_object('id', id, 'length', dimensions, 'isActive', is_active))
          from embedding_spaces
        ) as spaces`,
    ),
  );
  const [{ ended, spaces } = { ended: 0, spaces: [] }] = rows;
  if (ended !== ends) {
    throw new Error(`Of ${ends} ends, ${ends - ended} were not given or taken back before`);
  }
  for (const { vectors } of write.created) checkVectors(vectors, spaces);
}

/** What a write does to each table, by a name; a part of a statement. */
export function tablesWritten(statement: StatementText, write: MemoryWrite): string[] {
  return [
    ...createdTables(statement, write),
    ...endedTables(statement, write),
    ...eventTables(statement, write),
  ];
}

interface Space {
  readonly id: number;
  readonly length: number;
  readonly isActive: boolean;
}

function checkVectors(vectors: readonly SpaceVector[], spaces: readonly Space[]): void {
  const found = vectors.map(({ spaceId, vector }) =>
    spaces.find(({ id, length }) => id === spaceId && length === vector.length),
  );
  if (found.includes(undefined)) {
    throw new Error("A vector is not of the embedding space that it is meant for");
  }
  if (!found.some((space) => space?.isActive)) throw embeddingModelReplaced();
}

function createdTables(statement: StatementText, { created }: MemoryWrite): string[] {
  if (created.length === 0) return [];
  const vectors = created.flatMap(({ memory, provenance, terms, vectors }) =>
    vectors.map(({ spaceId, vector }) => ({
      memory_id: memory.id,
      space_id: spaceId,
      tenant_id: toTenantColumn(memory.tenantId),
      source: memory.source,
      valid_from: memory.validFrom,
      valid_to: memory.validTo,
      is_superseded: memory.supersededAt !== null,
      embedding: vectorParameter(vector),
      terms: termsParameter(terms),
      length: terms.length,
      session_id: provenance.sessionId,
    })),
  );
  if (vectors.length === 0) throw embeddingModelReplaced();
  return [
    `created as (${statement.insert("memories", created.map(fromMemory))})`,
    `created_vectors as (${statement.insert("memory_vectors", vectors)})`,
  ];
}

/**
 * A moved end leaves the rest of a supersession as it is. Vectors are kept in step: those of a
 * superseded memory are out of every search.
 */
function endedTables(statement: StatementText, { ended, moved }: MemoryWrite): string[] {
  const changes = [
    ...ended.map((end) => ({ ...end, isMoved: false })),
    ...moved.map((end) => ({ ...end, supersededBy: null, supersededAt: null, isMoved: true })),
  ];
  if (changes.length === 0) return [];
  const rows = changes.map(({ id, validTo, supersededBy, supersededAt, isMoved }) => {
    const ids = [id, supersededBy].map((each) => `${statement.value(each)}::uuid`);
    const times = [validTo, supersededAt].map((each) => `${statement.value(each)}::timestamptz`);
    return `(${[...ids, ...times].join(", ")}, ${isMoved})`;
  });
  const change = `(values ${rows.join(", ")})
    as change (id, superseded_by, valid_to, superseded_at, is_moved)`;
  return [
    `ended as (
      update memories
      set valid_to = change.valid_to,
          superseded_by = case when is_moved then memories.superseded_by else change.superseded_by end,
          superseded_at = case when is_moved then memories.superseded_at else change.superseded_at end
      from ${change}
      where memories.company_id = ${statement.account}
        and memories.id = change.id
        and case when is_moved then memories.superseded_by is not null
          else (memories.superseded_at is null) = (change.superseded_at is not null) end
      returning memories.id
    )`,
    `ended_vectors as (
      update memory_vectors
      set valid_to = change.valid_to,
          is_superseded = is_moved or change.superseded_at is not null
      from ${change}
      where memory_vectors.company_id = ${statement.account} and memory_vectors.memory_id = change.id
    )`,
  ];
}

function eventTables(statement: StatementText, { events, lastSequences }: MemoryWrite): string[] {
  if (events.length === 0) return [];
  const sequences = new Map(lastSequences);
  const rows = events.map(({ memoryId, event, at, actor, detail }) => {
    const sequence = (sequences.get(memoryId) ?? 0) + 1;
    sequences.set(memoryId, sequence);
    return { memory_id: memoryId, sequence, event, at, actor, detail: JSON.stringify(detail) };
  });
  return [`events as (${statement.insert("audit_events", rows)})`];
}

/** All that a call writes which ends no stored memory. */
interface WholeWrite {
  readonly write: MemoryWrite;
  readonly admission: Admission;
  /** null: the call has no idempotency key. */
  readonly kept: ResponseToStore | null;
  /** The settings that the key must have; null: they were read for this write. */
  readonly presumed: { readonly apiKeyId: string; readonly settings: Settings } | null;
  /** Memories that its histories speak of, which must be there. */
  readonly spokenOf: readonly MemoryId[];
  /** What the judgement of its facts rests on; empty: none was judged. */
  readonly basis: readonly JudgementBasis[];
}

/** Of a statement that finds something else than the write takes for granted. */
const DIVISION_BY_ZERO = "22012";

/**
 * Writes memories, counts them against the quota and keeps the response, all or nothing,
 * in one round trip: mostly a single statement, which is its own transaction. It presumes
 * that the quota admits all of them, and that their vectors are of the active embedding
 * space. It presumes that the idempotency key is still this attempt's, and what is said of
 * automatic supersession, of other memories and of the judgement.
 *
 * false: one of these is not so, or the database asks to try again, and nothing was
 * stored. The same steps, one by one in a transaction, tell which (`writeMemories`,
 * `admitWrites`, `completeIdempotencyKey`).
 */
export async function writeWhole(db: AccountDb, whole: WholeWrite): Promise<boolean> {
  const parts = partsOf(whole.write);
  const last = parts.length - 1;
  const { basis, admission } = whole;
  const isJudged = basis.length > 0;
  const statements: CompiledQuery<unknown>[] = isJudged ? [lockJudgements(db, basis)] : [];
  for (const [index, part] of parts.entries()) {
    if (index > 0) await giveWay();
    const statement = new StatementText(db.companyId);
    const tables = tablesWritten(statement, part);
    // Behind the lock's statement, since one that waits sees what was before.
    const look = isJudged && index === 0 ? [isAsJudged(statement, basis, admission.now)] : [];
    statements.push(
      index < last
        ? granting(statement, tables, look)
        : lastStatement(statement, whole, tables, look),
    );
  }
  const [only, ...others] = statements;
  try {
    const isAlone = only !== undefined && others.length === 0;
    await (isAlone ? db.executeQuery(only) : sendTogether(db, statements));
    return true;
  } catch (error) {
    if (sqlStateOf(error) === DIVISION_BY_ZERO || isTransient(error)) return false;
    throw error;
  }
}

/** Divides by zero where something is not as it should be. */
function granting(
  statement: StatementText,
  written: readonly string[],
  granted: readonly string[],
) {
  const all = ["true", ...granted].join(" and ");
  return statement.query(
    `with ${written.join(", ")} select 1 / coalesce((${all})::int, 0) as done`,
  );
}

/**
 * With what is written once. What exists is asked for with a column: Citus cannot send on rows
 * that have none.
 */
function lastStatement(
  statement: StatementText,
  { write, admission, kept, presumed, spokenOf }: WholeWrite,
  tables: readonly string[],
  look: readonly string[],
) {
  const written = [...tables, `counted as (${countWrites(statement, admission)})`];
  const granted = [...look];
  // Its locks first: all writers of the account wait for whoever holds the row of the quota.
  if (spokenOf.length > 0) {
    written.push(`present as materialized (${presentMemories(statement, spokenOf)})`);
    granted.push(`(select count(*) from present) = ${statement.value(spokenOf.length)}::int`);
  }
  granted.push(
    `(select last_admitted from counted) = ${statement.value(admission.wanted)}::int`,
    ...spacesOf(write).map(
      ({ spaceId, length, isActive }) => `exists (
        select 1 from embedding_spaces
        where id = ${statement.value(spaceId)} and dimensions = ${statement.value(length)}
          ${isActive ? "and is_active" : ""}
      )`,
    ),
  );
  if (kept !== null) {
    written.push(`kept as (${storingResponse(statement, kept)})`);
    granted.push("(select count(*) from kept) = 1");
  }
  if (presumed !== null) granted.push(hasSettings(statement, presumed.apiKeyId, presumed.settings));
  return granting(statement, written, granted);
}

/** Each embedding space that vectors are of; the first vector of each memory is to be of the active one. */
function spacesOf({ created }: MemoryWrite) {
  const spaces = new Map<string, { spaceId: number; length: number; isActive: boolean }>();
  for (const { vectors } of created) {
    for (const [index, { spaceId, vector }] of vectors.entries()) {
      const space = { spaceId, length: vector.length, isActive: index === 0 };
      spaces.set(Object.values(space).join(" "), space);
    }
  }
  return [...spaces.values()];
}
