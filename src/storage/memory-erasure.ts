import { type RawBuilder, sql } from "kysely";
import { type ErasedNeighbour, type ErasureScope, neighbourErased } from "../domain/erasure.ts";
import { overtaken } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { eraseTexts } from "./calls.ts";
import { eraseResponsesWithText } from "./idempotency-keys.ts";
import { lastSequenceOf, stepTo } from "./memory-chains.ts";
import { isInScope } from "./memory-filters.ts";
import { lockWhatIsFound } from "./memory-locks.ts";
import { uuidsOf } from "./memory-row.ts";
import { writeMemories } from "./memory-writes.ts";
import { eraseRejectedFacts, isRejectedInScope } from "./rejected-facts.ts";
import type { AccountDb, AccountTrx } from "./schema.ts";
import { transaction } from "./transaction.ts";

/**
 * Memories that are erased in one transaction, so that it is short: others wait for it, and
 * to check that nothing refers to a memory any more takes most of its time.
 */
const MEMORIES_A_BATCH = 100;
/** Each time another transaction has written between two looks. */
const MAX_LOOKS_IN_VAIN = 100;

/** Who erases, for the histories of the neighbours. */
export interface Eraser {
  readonly actor: string;
  now(): Instant;
}

/**
 * Erases the memories of a scope with their vectors, audit events and everything else that
 * may hold their text; yields, of each transaction once it is committed, how many.
 *
 * Each transaction closes the chains over what it erases. The last one finds no memory, erases
 * responses and rejected facts, and looks again. So a write that commits meanwhile loses all
 * of its memories in the scope, its response and what it rejected, or nothing.
 *
 * Throws `overloaded` when others write as fast as it looks.
 */
export async function* eraseMemories(
  db: AccountDb,
  scope: ErasureScope,
  eraser: Eraser,
): AsyncGenerator<number, void> {
  let after: MemoryId | null = null;
  for (let looksInVain = 0; looksInVain < MAX_LOOKS_IN_VAIN; ) {
    const batch: Batch = await transaction(db, (trx) => eraseBatch(trx, scope, after, eraser));
    yield batch.deleted;
    if (batch.isLast) return;
    after = batch.next;
    if (batch.deleted === 0) looksInVain++;
  }
  throw overtaken("memories are written faster than erased");
}

interface Batch {
  readonly deleted: number;
  readonly isLast: boolean;
  /** The next batch starts behind this memory; null: from the first one. */
  readonly next: MemoryId | null;
}

async function eraseBatch(
  trx: AccountTrx,
  scope: ErasureScope,
  after: MemoryId | null,
  eraser: Eraser,
): Promise<Batch> {
  const found = await findIds(trx, scope, after, MEMORIES_A_BATCH);
  const { ids, neighbours } = await lockWithNeighbours(trx, scope, found);
  if (ids.length > 0) {
    await closeOver(trx, ids, neighbours, eraser);
    await forgetReasons(trx, ids);
  }
  // Each time: should the next one fail, no response or answer is left of what is gone, and
  // nothing that was rejected beside it.
  await eraseResponsesWithText(trx, scope, ids);
  await eraseRejectedFacts(trx, scope, ids);
  const { memoryId, endedBefore, createdBefore } = scope;
  const isOfTenant = [memoryId, endedBefore, createdBefore].every((each) => each === null);
  if (ids.length > 0 || isOfTenant) await eraseTexts(trx, scope.tenantId);
  if (ids.length > 0) await deleteRows(trx, ids);
  // A statement of its own, with a snapshot of its own: a write may have committed since.
  const isDone = found.length === 0 && after === null;
  return {
    deleted: ids.length,
    isLast: isDone && (await findIds(trx, scope, null, 1)).length === 0,
    next: found.length < MEMORIES_A_BATCH ? null : (found.at(-1) ?? null),
  };
}

async function findIds(
  trx: AccountTrx,
  scope: ErasureScope,
  after: MemoryId | null,
  limit: number,
): Promise<MemoryId[]> {
  const rows = await trx
    .selectFrom("memories")
    .select("id")
    .where("company_id", "=", trx.companyId)
    .where(isInScope(scope))
    .$if(after !== null, (query) => query.where("id", ">", after))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

interface Neighbour extends ErasedNeighbour {
  readonly lastSequence: number;
}

/** Locks memories and neighbours, which can come until all are locked; returns those in scope. */
async function lockWithNeighbours(
  trx: AccountTrx,
  scope: ErasureScope,
  found: readonly MemoryId[],
): Promise<{ readonly ids: readonly MemoryId[]; readonly neighbours: readonly Neighbour[] }> {
  if (found.length === 0) return { ids: [], neighbours: [] };
  const { rows } = await sql<{ id: MemoryId }>`
    select id from memories
    where company_id = ${trx.companyId} and id = any(${uuidsOf(found)}) and ${isInScope(scope)}
    order by id
    for update`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const look = () => findNeighbours(trx, ids);
  const neighbours = await lockWhatIsFound(trx, ids, look, (each) => each.map(({ id }) => id));
  return { ids, neighbours };
}

/**
 * What stays beside these memories: what they replaced, what replaces them, and what was said
 * in a message of theirs. What they replaced is now replaced by what follows them.
 */
async function findNeighbours(trx: AccountTrx, ids: readonly MemoryId[]): Promise<Neighbour[]> {
  if (ids.length === 0) return [];
  const { companyId } = trx;
  const isSibling = `tenant_id = erased.tenant_id and created_at = erased.created_at
    and message_index = erased.message_index
    and coalesce(original_message, decision) = erased.message`;
  const { rows } = await sql<Neighbour>`
    with recursive erased as materialized (
      select id, tenant_id, superseded_by, created_at, message_index,
        coalesce(original_message, decision) as message
      from memories where company_id = ${companyId} and id = any(${uuidsOf(ids)})
    ),
    following (id, next) as (
      select id, superseded_by from erased
      union
      select following.id, erased.superseded_by
      from following join erased on erased.id = following.next
    ),
    survivors as (
      select id, next from following where next is null or not next = any(${uuidsOf(ids)})
    ),
    found (id, erased_id) as (
      select next as id, id as erased_id from survivors
      union
      select replaced.id, erased.id
      from erased
      ${stepTo(companyId, "replaced", "superseded_by = erased.id", sql`id`)}
      union
      select sibling.id, erased.id
      from erased
      ${stepTo(companyId, "sibling", isSibling, sql`id`)}
    )
    select neighbour.*, told.erased as "erasedIds",
      case when survivors.id is null then superseded_by else survivors.next end as "supersededBy",
      "lastSequence"
    from (
      select id, array_agg(erased_id order by erased_id) as erased from found
      where not id = any(${uuidsOf(ids)})
      group by id
    ) as told
    ${stepTo(companyId, "neighbour", "id = told.id", sql`id, valid_to as "validTo", superseded_by`)}
    ${lastSequenceOf(companyId, sql`neighbour.id`)}
    left join survivors on survivors.id = neighbour.superseded_by
    order by neighbour.id`.execute(trx);
  return rows;
}

/** Has the neighbours go on without these memories, and without the message that both came from. */
async function closeOver(
  trx: AccountTrx,
  ids: readonly MemoryId[],
  neighbours: readonly Neighbour[],
  { actor, now }: Eraser,
): Promise<void> {
  if (neighbours.length === 0) return;
  await sql`
    update memories
    set superseded_by = kept.superseded_by,
      original_message = case when exists (
        select 1 from memories as erased
        where erased.company_id = ${trx.companyId} and erased.id = any(${uuidsOf(ids)})
          and erased.tenant_id = memories.tenant_id and erased.created_at = memories.created_at
          and erased.message_index = memories.message_index
      ) then null else memories.original_message end
    from unnest(
      ${uuidsOf(neighbours.map(({ id }) => id))},
      ${neighbours.map(({ supersededBy }) => supersededBy)}::uuid[]
    ) as kept (id, superseded_by)
    where memories.company_id = ${trx.companyId} and memories.id = kept.id`.execute(trx);
  const at = now();
  await writeMemories(trx, {
    events: neighbours.map((neighbour) => neighbourErased(neighbour, { actor, at })),
    lastSequences: new Map(neighbours.map(({ id, lastSequence }) => [id, lastSequence])),
  });
}

/** What a classifier said of these memories in the histories of others may quote them. */
async function forgetReasons(trx: AccountTrx, ids: readonly MemoryId[]): Promise<void> {
  await sql`
    update audit_events
    set detail = jsonb_set(
      jsonb_set(detail, '{reason}', '""'),
      '{supersessions}',
      (
        select coalesce(jsonb_agg(each.value || '{"reason": ""}'), '[]')
        from jsonb_array_elements(case when jsonb_typeof(detail->'supersessions') = 'array'
          then detail->'supersessions' else '[]' end) as each
      ),
      false
    )
    where company_id = ${trx.companyId} and detail ? 'reason'
      and (coalesce(detail->'candidates', '[]') || coalesce(detail->'superseded_by', '[]'))
        ?| ${ids}::text[]`.execute(trx);
}

async function deleteRows(trx: AccountTrx, ids: readonly MemoryId[]): Promise<void> {
  const idColumns = [
    ["memory_vectors", "memory_id"],
    ["audit_events", "memory_id"],
    ["memories", "id"],
  ] as const;
  for (const [table, id] of idColumns) {
    await trx
      .deleteFrom(table)
      .where("company_id", "=", trx.companyId)
      .where(sql<boolean>`${sql.ref(id)} = any(${uuidsOf(ids)})`)
      .execute();
  }
}

export interface ErasureCounts {
  readonly memoryCount: number;
  readonly rejectedFactCount: number;
}

export async function countErasable(db: AccountDb, scopes: readonly ErasureScope[]) {
  const isInOne = (is: (scope: ErasureScope) => RawBuilder<boolean>) =>
    sql.join([sql`false`, ...scopes.map(is)], sql` or `);
  const { rows } = await sql<ErasureCounts>`
    with erased as materialized (
      select tenant_id, created_at from memories
      where company_id = ${db.companyId} and (${isInOne(isInScope)})
    )
    select (select count(*) from erased) as "memoryCount",
      (
        select count(*) from rejected_facts
        where company_id = ${db.companyId} and (
          ${isInOne((scope) => isRejectedInScope(db.companyId, scope))} or exists (
            select 1 from erased where erased.tenant_id = rejected_facts.tenant_id
              and erased.created_at = rejected_facts.rejected_at
          )
        )
      ) as "rejectedFactCount"`.execute(db);
  return rows[0] ?? { memoryCount: 0, rejectedFactCount: 0 };
}
