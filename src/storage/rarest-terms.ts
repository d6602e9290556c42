import { sql } from "kysely";
import { sparseParameter } from "./column-values.ts";
import { asPlaces } from "./kept-statement.ts";
import type { AccountDb } from "./schema.ts";
import {
  bitOf,
  MAX_QUESTION_TERMS,
  signatureQueries,
  TERMS_A_SIGNATURE,
} from "./search-question.ts";
import { type MemorySearch, scopeOf, scopeValues } from "./search-scope.ts";

/**
 * Of a question with more terms than a search takes, those that tell most: the ones that
 * the fewest memories of its scope have, in the order of the question. A term that none
 * has finds nothing and is left out. One more scan of the scope, for long questions alone.
 */
export async function rarestTerms(db: AccountDb, search: MemorySearch): Promise<number[]> {
  const { terms } = search;
  const { tables, vectors } = scopeOf(
    db.companyId,
    search,
    asPlaces(scopeValues(db.companyId, search)),
  );
  // A connection prepares a statement for each number of places.
  const places = Math.ceil(terms.length / TERMS_A_SIGNATURE) * TERMS_A_SIGNATURE;
  const queries = signatureQueries(terms, places);
  const signatures = queries.map(
    (query, i) => sql`${sparseParameter(query)}::sparsevec as ${sql.raw(`signature${i}`)}`,
  );
  const bits = queries.map((_, i) =>
    sql.raw(`coalesce((-(terms <#> (select signature${i} from asked)))::int, 0) as bits${i}`),
  );
  const counts = Array.from({ length: places }, (_, i) =>
    sql.raw(`coalesce(sum(${bitOf(i)}), 0)::int`),
  );
  const { rows } = await sql<{ counts: number[] }>`
    with asked as materialized (select ${sql.join(signatures)}),
    ${sql.join(
      tables.map((table) => sql`${table}, `),
      sql``,
    )}
    scan as materialized (select ${sql.join(bits)} ${vectors})
    select array[${sql.join(counts)}] as counts from scan`.execute(db);
  const memoriesWith = rows[0]?.counts ?? [];
  const rarest = [...terms.keys()]
    .filter((position) => (memoriesWith[position] ?? 0) > 0)
    .sort((a, b) => (memoriesWith[a] ?? 0) - (memoriesWith[b] ?? 0))
    .slice(0, MAX_QUESTION_TERMS);
  const chosen = new Set(rarest);
  return terms.filter((_, position) => chosen.has(position));
}
