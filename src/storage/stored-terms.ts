import { type Kysely, sql } from "kysely";
import { type SearchTerms, TERMS_VERSION } from "../domain/search-terms.ts";
import { termsParameter } from "./column-values.ts";
import { listMemories, type MemoryPage } from "./reembedding.ts";
import type { AccountDb, Executor, Schema } from "./schema.ts";

/**
 * How the search terms of stored memories are made anew where the rules have changed. They are
 * looked for across accounts, as the rules are.
 */

/** One page of all memories. The text is of a memory whose terms some other rules made. */
export function listMemoriesToRefresh(db: Executor, page: MemoryPage) {
  return listMemories(
    db,
    page,
    sql`exists (
      select from memory_vectors
      where memory_vectors.company_id = memories.company_id
        and memory_vectors.memory_id = memories.id
        and space_id in (
          select id from embedding_spaces where terms_version <> ${TERMS_VERSION}
        )
    )`,
  );
}

/**
 * Stores the terms of an account's memories with their vectors in every space; returns how many
 * vectors. Memories that were erased meanwhile are
 * left out.
 *
 * The memories are locked, in ID order: a supersession at the same time waits, or this does.
 */
export async function storeTerms(
  db: AccountDb,
  memories: readonly { readonly id: string; readonly terms: SearchTerms }[],
): Promise<number> {
  if (memories.length === 0) return 0;
  const rows = memories.map(
    ({ id, terms }) => sql`(
      ${id}::uuid, ${termsParameter(terms)}::sparsevec, ${terms.length}::integer
    )`,
  );
  const stored = await sql`
    with new (id, terms, length) as (values ${sql.join(rows)}),
    locked as (
      select id from memories
      where company_id = ${db.companyId} and id in (select id from new)
      order by id
      for update
    )
    update memory_vectors
    set terms = new.terms, length = new.length
    from locked
    join new using (id)
    where memory_vectors.company_id = ${db.companyId} and memory_id = locked.id`.execute(db);
  return Number(stored.numAffectedRows ?? 0);
}

/** Whether the terms of some space are of other rules than the present ones. */
export async function hasOutdatedTerms(db: Executor): Promise<boolean> {
  const outdated = await db
    .selectFrom("embedding_spaces")
    .select("id")
    .where("terms_version", "<>", TERMS_VERSION)
    .limit(1)
    .executeTakeFirst();
  return outdated !== undefined;
}

/** Has the spaces say that terms were made by the present rules: all of them, or the last ones. */
export async function markTerms(db: Kysely<Schema>): Promise<void> {
  await db
    .updateTable("embedding_spaces")
    .set({ terms_version: sql.lit(TERMS_VERSION) })
    .where("terms_version", "<>", sql.lit(TERMS_VERSION))
    .execute();
}
