import { claimEmbeddingSpaces } from "../../../../src/storage/embedding-spaces.ts";
import { searchMemories } from "../../../../src/storage/memory-search.ts";
import { newCompanyId, storeMemories, TEST_SPACE } from "../../../storage/contract/fixture.ts";
import { type Random, randomFrom } from "../../../storage/contract/random.ts";
import {
  differenceFrom,
  randomMemory,
  randomSearch,
} from "../../../storage/contract/random-scopes.ts";
import { rankAll } from "../../../storage/contract/search-oracle.ts";
import { openTestDatabase, type TestEngine } from "../../../support/database.ts";
import type { Bench } from "../bench.ts";
import type { Findings } from "../findings.ts";

/** Sets of memories, each of which is searched so often. */
const SETS = {
  full: { postgres: 150, pglite: 30 },
  short: { postgres: 5, pglite: 2 },
};
const SEARCHES_OF_A_SET = 8;
const SIZES = [1, 2, 3, 5, 10, 40, 200];

/** Whether searches find what a score of one memory after the other gives. */
export async function measureExactness({ extent }: Bench): Promise<Findings> {
  const rows = [];
  for (const engine of ["postgres", "pglite"] as const) {
    rows.push(await compare(engine, SETS[extent][engine]));
  }
  const differing = rows.reduce((sum, [, , each]) => sum + Number(each), 0);
  const scopes = rows.reduce((sum, [, each]) => sum + Number(each), 0);
  return {
    tables: [
      {
        title: "Searches against brute force",
        note:
          `Sets of 1 to ${Math.max(...SIZES)} random memories, of conversations, sources, topics and times, some superseded, ` +
          "and random searches of them, with and without filters. The other way is a program of its own, which scores one memory after the other.",
        columns: ["", "scopes", "that differ"],
        rows,
      },
    ],
    ratios: [
      {
        what: "Random scopes whose answer differs from brute force",
        bound: "at most",
        asked: 0,
        measured: differing,
        from: `${scopes.toLocaleString("en")} scopes`,
      },
    ],
    plots: [],
  };
}

async function compare(engine: TestEngine, sets: number): Promise<[string, number, number]> {
  const { database, close } = await openTestDatabase(engine);
  await claimEmbeddingSpaces(database.db, [TEST_SPACE]);
  const random = randomFrom(sets);
  let differing = 0;
  for (let set = 0; set < sets; set++) differing += await differingInSet(random);
  await close();
  return [database.description.replace(/ (in|at) \S+$/, ""), sets * SEARCHES_OF_A_SET, differing];

  async function differingInSet(from: Random): Promise<number> {
    const companyId = newCompanyId();
    const stored = Array.from({ length: from.of(SIZES) }, () => randomMemory(companyId, from));
    await storeMemories(database.db, stored);
    let count = 0;
    for (let i = 0; i < SEARCHES_OF_A_SET; i++) {
      const search = randomSearch(from);
      const found = await searchMemories(database.db.of(companyId), search);
      const ids = (found?.memories ?? []).map(({ memory }) => memory.id);
      if (differenceFrom(rankAll(stored, search), ids, search.limit) !== null) count += 1;
    }
    return count;
  }
}
