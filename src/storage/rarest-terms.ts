import { sql } from "kysely";
import { maxInnerProduct } from "pgvector/kysely";
import type { AccountDb } from "./schema.ts";
import type { SearchScope } from "./search-scope.ts";
import { MAX_QUESTION_TERMS, TERMS_A_PRODUCT, termBits } from "./search-statement.ts";

/**
 * Of a question with more terms than a search takes, those that tell most: the ones that
 * the fewest memories of its scope have, in the order of the question. A term that none
 * has finds nothing and is left out. This is one more scan, for long questions alone.
 */
export async function rarestTerms(
  db: AccountDb,
  scope: SearchScope,
  terms: readonly number[],
): Promise<number[]> {
  const parts = Array.from({ length: Math.ceil(terms.length / TERMS_A_PRODUCT) }, (_, i) =>
    terms.slice(i * TERMS_A_PRODUCT, (i + 1) * TERMS_A_PRODUCT),
  );
  const products = parts.map(
    (part, i) =>
      sql`(-(${maxInnerProduct("terms", termBits(part))}))::int as ${sql.raw(`product${i}`)}`,
  );
  // Connections prepare each statement: it counts all bits of a product, also where the last
  // one has fewer terms.
  const counts = parts.flatMap((_, i) =>
    Array.from({ length: TERMS_A_PRODUCT }, (_, bit) =>
      sql.raw(`coalesce(sum((product${i} >> ${bit}) & 1), 0)::int`),
    ),
  );
  const { rows } = await sql<{ counts: number[] }>`
    with ${sql.join([...scope.tables, sql``], sql`, `)}scan as materialized (
      select ${sql.join(products)} ${scope.vectors}
    )
    select array[${sql.join(counts)}] as counts from scan`.execute(db);
  const memoriesWith = rows[0]?.counts ?? [];
  const rarest = [...terms.keys()]
    .filter((position) => (memoriesWith[position] ?? 0) > 0)
    .sort((a, b) => (memoriesWith[a] ?? 0) - (memoriesWith[b] ?? 0))
    .slice(0, MAX_QUESTION_TERMS);
  const chosen = new Set(rarest);
  return terms.filter((_, position) => chosen.has(position));
}
