import { type RawBuilder, sql } from "kysely";
import type { AuditEvent } from "../domain/audit-event.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory } from "../domain/memory.ts";
import type { SearchTerms } from "../domain/search-terms.ts";
import type { VersionEnd } from "../domain/trimming.ts";
import { termsParameter, vectorParameter } from "./column-values.ts";
import { embeddingModelReplaced, type SpaceVector } from "./embedding-spaces.ts";
import { fromMemory, type MemoryValues, toTenantColumn } from "./memory-row.ts";
import type { AccountTrx } from "./schema.ts";

export interface NewMemory extends MemoryValues {
  /** One in the active embedding space, and one in the next where there is one. */
  readonly vectors: readonly SpaceVector[];
  /** Of its decision. */
  readonly terms: SearchTerms;
}

/** What a supersession, or taking one back, writes to a memory: the only change it ever sees. */
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
 * Writes memories, their vectors and their histories in one statement: all lists of
 * values and all of one account, so that a distributed database sends each part to
 * one shard, and without a round trip for each table.
 *
 * No cut over to another space comes between its check of the active space and the
 * commit: until then the transaction holds a lock of the vectors' table, which a
 * cut over waits for.
 *
 * Throws `model_unavailable` when a memory has no vector in the active space: it
 * would be missing from every answer. Throws an Error for a vector that is not of
 * its space's length and for an end that is not as `ended` or `moved` says.
 */
export async function writeMemories(trx: AccountTrx, write: MemoryWrite): Promise<void> {
  let rest = write.created;
  // The last ones first: what replaces a memory must be there before it.
  while (rest.length > MAX_CREATED_A_STATEMENT) {
    const created = rest.slice(-MAX_CREATED_A_STATEMENT);
    rest = rest.slice(0, -MAX_CREATED_A_STATEMENT);
    const ids = new Set(created.map(({ memory }) => memory.id));
    const events = write.events.filter(({ memoryId }) => ids.has(memoryId));
    await writeAtOnce(trx, { ...write, created, ended: [], moved: [], events });
    const others = write.events.filter(({ memoryId }) => !ids.has(memoryId));
    write = { ...write, created: rest, events: others };
  }
  await writeAtOnce(trx, write);
}

async function writeAtOnce(trx: AccountTrx, write: MemoryWrite): Promise<void> {
  const parts = [
    ...createdParts(trx, write),
    ...endedParts(trx, write),
    ...movedParts(trx, write),
    ...eventParts(trx, write),
  ];
  if (parts.length === 0) return;
  const { rows } = await sql<{ ended: number; moved: number; spaces: readonly Space[] }>`
    with ${sql.join(parts)}
    select
      ${write.ended.length === 0 ? sql`0` : sql`(select count(*) from ended)`} as ended,
      ${write.moved.length === 0 ? sql`0` : sql`(select count(*) from moved)`} as moved,
      (
        select json_agg(json_build_object('id', id, 'length', dimensions, 'isActive', is_active))
        from embedding_spaces
      ) as spaces`.execute(trx);
  const [{ ended, moved, spaces } = { ended: 0, moved: 0, spaces: [] }] = rows;
  if (ended !== write.ended.length) {
    throw new Error(`Of ${write.ended.length} ends, ${ended} were not given or taken back before`);
  }
  if (moved !== write.moved.length) {
    throw new Error(`Of ${write.moved.length} ends to move, ${moved} were of superseded memories`);
  }
  for (const { vectors } of write.created) checkVectors(vectors, spaces);
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

function createdParts(trx: AccountTrx, { created }: MemoryWrite): RawBuilder<unknown>[] {
  if (created.length === 0) return [];
  const vectors = created.flatMap(({ memory, provenance, terms, vectors }) =>
    vectors.map(({ spaceId, vector }) => ({
      company_id: trx.companyId,
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
  const rows = created.map((values) => ({ ...fromMemory(values), company_id: trx.companyId }));
  return [
    sql`created as (${trx.insertInto("memories").values(rows)})`,
    sql`created_vectors as (${trx.insertInto("memory_vectors").values(vectors)})`,
  ];
}

/** Vectors are kept in step: those of a superseded memory are out of every search. */
function endedParts({ companyId }: AccountTrx, { ended }: MemoryWrite): RawBuilder<unknown>[] {
  if (ended.length === 0) return [];
  const changes = sql`(values ${sql.join(
    ended.map(
      ({ id, validTo, supersededBy, supersededAt }) =>
        sql`(${id}::uuid, ${instant(validTo)}, ${supersededBy}::uuid, ${instant(supersededAt)})`,
    ),
  )}) as change (id, valid_to, superseded_by, superseded_at)`;
  return [
    sql`ended as (
      update memories
      set valid_to = change.valid_to,
          superseded_by = change.superseded_by,
          superseded_at = change.superseded_at
      from ${changes}
      where memories.company_id = ${companyId}
        and memories.id = change.id
        and (memories.superseded_at is null) = (change.superseded_at is not null)
      returning memories.id
    )`,
    sql`ended_vectors as (
      update memory_vectors
      set valid_to = change.valid_to, is_superseded = change.superseded_at is not null
      from ${changes}
      where memory_vectors.company_id = ${companyId} and memory_vectors.memory_id = change.id
    )`,
  ];
}

function movedParts({ companyId }: AccountTrx, { moved }: MemoryWrite): RawBuilder<unknown>[] {
  if (moved.length === 0) return [];
  const changes = sql`(values ${sql.join(
    moved.map(({ id, validTo }) => sql`(${id}::uuid, ${instant(validTo)})`),
  )}) as change (id, valid_to)`;
  return [
    sql`moved as (
      update memories set valid_to = change.valid_to
      from ${changes}
      where memories.company_id = ${companyId}
        and memories.id = change.id
        and memories.superseded_by is not null
      returning memories.id
    )`,
    sql`moved_vectors as (
      update memory_vectors set valid_to = change.valid_to
      from ${changes}
      where memory_vectors.company_id = ${companyId} and memory_vectors.memory_id = change.id
    )`,
  ];
}

function instant(value: Instant | null): RawBuilder<unknown> {
  return sql`${value}::timestamptz`;
}

function eventParts(
  trx: AccountTrx,
  { events, lastSequences }: MemoryWrite,
): RawBuilder<unknown>[] {
  if (events.length === 0) return [];
  const sequences = new Map(lastSequences);
  const rows = events.map(({ memoryId, event, at, actor, detail }) => {
    const sequence = (sequences.get(memoryId) ?? 0) + 1;
    sequences.set(memoryId, sequence);
    return {
      company_id: trx.companyId,
      memory_id: memoryId,
      sequence,
      event,
      at,
      actor,
      detail: JSON.stringify(detail),
    };
  });
  return [sql`events as (${trx.insertInto("audit_events").values(rows)})`];
}
