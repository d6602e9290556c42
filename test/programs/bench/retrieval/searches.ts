import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import { questionTermsOf } from "../../../../src/service/embeddings.ts";
import { vectorParameter } from "../../../../src/storage/column-values.ts";
import { memoryColumns } from "../../../../src/storage/memory-row.ts";
import { searchMemories } from "../../../../src/storage/memory-search.ts";
import type { AccountDb } from "../../../../src/storage/schema.ts";
import type { MemorySearch } from "../../../../src/storage/search-scope.ts";
import { inTestSpace, NO_FILTERS, NOW } from "../../../storage/contract/fixture.ts";
import { randomFrom } from "../../../storage/contract/random.ts";
import { madeQuestion } from "../made-texts.ts";
import { embed } from "./filled-database.ts";

const LIMIT = 10;

/** For questions that are made, as the service searches for them. */
export async function madeSearches(
  tenantId: string,
  dimensions: number,
  count: number,
): Promise<MemorySearch[]> {
  const random = randomFrom(count);
  const questions = Array.from({ length: count }, () => ({ text: madeQuestion(random) }));
  const vectors = await embed(questions, "query", dimensions);
  return questions.map(({ text }, i) => ({
    tenantIds: [tenantId],
    sources: null,
    ...NO_FILTERS,
    now: NOW,
    vector: inTestSpace(vectors[i] ?? []),
    terms: questionTermsOf(text),
    space: { provider: "local" },
    limit: LIMIT,
  }));
}

/** What a search would be without words: the nearest memories, by one scan. */
export async function searchNearest(db: AccountDb, search: MemorySearch): Promise<void> {
  const { tenantIds, now, vector, limit } = search;
  await sql`
    with asked as materialized (select ${vectorParameter(vector.vector)}::vector as vector),
    nearest as materialized (
      select memory_id, embedding <=> (select vector from asked) as distance
      from memory_vectors
      where company_id = ${db.companyId} and tenant_id = ${tenantIds?.[0]}
        and space_id = (select id from embedding_spaces where id = ${vector.spaceId} and is_active)
        and not is_superseded and (valid_to is null or valid_to > ${now})
      order by distance, memory_id desc
      limit ${limit}
    )
    select memory.*, distance from nearest
    join lateral (
      select ${memoryColumns} from memories
      where memories.company_id = ${db.companyId} and memories.id = nearest.memory_id
      offset 0
    ) as memory on true
    order by distance, memory.id desc`.execute(db);
}

export interface Times {
  readonly nearestMs: number;
  readonly searchMs: number;
}

/** One after the other, so that both meet the same moment. */
export async function timeBoth(db: AccountDb, search: MemorySearch): Promise<Times> {
  const nearestMs = await timeOf(() => searchNearest(db, search));
  return { nearestMs, searchMs: await timeOf(() => searchMemories(db, search)) };
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await run();
  return performance.now() - since;
}
