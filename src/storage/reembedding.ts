import { sql } from "kysely";
import type { CompanyId } from "../domain/ids.ts";
import type { SearchTerms } from "../domain/search-terms.ts";
import { termsParameter, vectorParameter } from "./column-values.ts";
import { findActiveSpace, type SpaceVector } from "./embedding-spaces.ts";
import type { AccountDb, Executor, Trx } from "./schema.ts";

/**
 * How a database moves to another embedding space. Nearly all of it is across accounts:
 * a space is the whole database's. Pages are in the order of memory IDs, which is
 * the order of creation (D4), so what is written meanwhile comes last.
 */

/** How long a cut over waits for writes in flight, while others wait for it. */
const CUT_OVER_LOCK_TIMEOUT = "3s";

/** A place in the order of all memories: behind this one. */
export interface MemoryPosition {
  readonly id: string;
  readonly companyId: CompanyId;
}

export interface MemoryPage {
  readonly after: MemoryPosition | null;
  readonly limit: number;
}

/** A memory, and its text where it has no vector in the space. */
export interface MemoryToFill extends MemoryPosition {
  readonly decision: string | null;
}

/** One page of all memories, superseded ones too: they can be restored. `after` null: from the start. */
export async function listMemoriesToFill(db: Executor, spaceId: number, page: MemoryPage) {
  const { rows } = await sql<MemoryToFill>`
    select memories.id, memories.company_id as "companyId",
      case when not exists (
        select from memory_vectors
        where memory_vectors.company_id = memories.company_id
          and memory_vectors.memory_id = memories.id
          and memory_vectors.space_id = ${spaceId}
      ) then memories.decision end as decision
    from memories
    where ${behind(page.after)}
    order by memories.id, memories.company_id
    limit ${page.limit}`.execute(db);
  return rows;
}

/** Stores vectors of an account's memories that have none in their space, and returns how many. */
export async function fillVectors(
  db: AccountDb,
  vectors: readonly (SpaceVector & { readonly id: string; readonly terms: SearchTerms })[],
) {
  const rows = vectors.map(
    ({ id, spaceId, vector, terms }) => sql`(
      ${id}::uuid, ${spaceId}::integer, ${vectorParameter(vector)}::vector,
      ${termsParameter(terms)}::sparsevec, ${terms.length}::integer
    )`,
  );
  if (rows.length === 0) return 0;
  // The memories are locked in ID order: a supersession at the same time either was committed,
  // and is seen, or comes later and finds what is stored. What was erased meanwhile is left out.
  // Counted by what it returns: a distributed database reports the rows that it was given.
  const filled = await sql`
    with new (id, space_id, embedding, terms, length) as (values ${sql.join(rows)}),
    locked as (
      select id, company_id, tenant_id, source, valid_from, valid_to, superseded_at, session_id
      from memories
      where company_id = ${db.companyId} and id in (select id from new)
      order by id
      for update
    )
    insert into memory_vectors (
      company_id, memory_id, tenant_id, source, valid_from, valid_to, is_superseded, session_id,
      space_id, embedding, terms, length
    )
    select company_id, id, tenant_id, source, valid_from, valid_to, superseded_at is not null,
      session_id, space_id, embedding, terms, length
    from locked
    join new using (id)
    on conflict do nothing
    returning memory_id`.execute(db);
  return filled.rows.length;
}

/** Counts memories, and those without a vector in the space: each has one at most. */
export async function countVectors(db: Executor, spaceId: number) {
  const { rows } = await sql<{ memories: number; vectors: number }>`
    select
      (select count(*) from memories) as memories,
      (select count(*) from memory_vectors where space_id = ${spaceId}) as vectors`.execute(db);
  const [{ memories, vectors } = { memories: 0, vectors: 0 }] = rows;
  return { memories, missing: memories - vectors };
}

/**
 * Makes a space the active one, if every memory has a vector in it; returns how
 * many lack one, and with any nothing changes.
 *
 * Locks the vectors' table against writers until the transaction ends. So no
 * write is in flight, of this server or of another one however it is configured,
 * that checked the space that was active before; each that waits checks again.
 */
export async function cutOver(trx: Trx, spaceId: number): Promise<number> {
  await sql`set local lock_timeout = ${sql.lit(CUT_OVER_LOCK_TIMEOUT)}`.execute(trx);
  await sql`lock table memory_vectors in share row exclusive mode`.execute(trx);
  const active = await findActiveSpace(trx);
  if (active.id === spaceId) return 0;
  const { missing } = await countVectors(trx, spaceId);
  if (missing > 0) return missing;
  for (const id of [active.id, spaceId]) {
    const space = trx.updateTable("embedding_spaces").where("id", "=", id);
    await space.set({ is_active: id === spaceId }).execute();
  }
  return 0;
}

/** Removes a page's vectors outside the active space and `keptSpaceId`; returns how many. */
export async function removeOldVectors(trx: Trx, keptSpaceId: number | null, page: MemoryPage) {
  const { rows } = await sql<MemoryPosition & { readonly removed: number }>`
    with page as (
      select id, company_id from memories
      where ${behind(page.after)}
      order by id, company_id
      limit ${page.limit}
    ),
    removed as (
      delete from memory_vectors
      using page
      where memory_vectors.company_id = page.company_id
        and memory_vectors.memory_id = page.id
        and space_id in (
          select id from embedding_spaces
          where not is_active and id is distinct from ${keptSpaceId}::integer
        )
      returning memory_vectors.memory_id
    )
    select id, company_id as "companyId", (select count(*) from removed) as removed
    from page
    order by id, company_id`.execute(trx);
  return { removed: rows[0]?.removed ?? 0, memories: rows };
}

/** A condition on `memories`: those that come later in the order of all. */
function behind(after: MemoryPosition | null) {
  return after === null
    ? sql`true`
    : sql`(memories.id, memories.company_id) > (${after.id}::uuid, ${after.companyId})`;
}
