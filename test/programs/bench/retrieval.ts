/**
 * Prints what the search by words and meaning costs beside one by meaning alone, measured
 * in the same run, and what search terms cost a write. Read the ratios; the milliseconds
 * are this machine's and this moment's.
 *
 *     npm run bench:retrieval       on a Postgres that is made for the run, and on PGlite
 */
import {
  type Database,
  type DatabaseLocation,
  openDatabase,
} from "../../../src/storage/database.ts";
import { newCompanyId } from "../../storage/contract/fixture.ts";
import { AVAILABLE_ENGINES, newTestLocation, type TestEngine } from "../../support/database.ts";
import { fillDatabase } from "./retrieval/filled-database.ts";
import { madeSearches, type Times, timeBoth } from "./retrieval/searches.ts";
import { measureStorage } from "./retrieval/storage-costs.ts";

/** Dimensions, and how many memories are in scope. */
const RUNS = {
  postgres: [
    [768, [300, 1_000, 2_000, 10_000, 50_000]],
    [256, [300, 10_000]],
    [1_536, [300, 10_000]],
  ],
  pglite: [[768, [300, 1_000, 2_000, 10_000]]],
} as const;

/** Those who use the database too. */
const OTHERS = Array.from({ length: 200 }, (_, i) => ({ tenantId: `other ${i}`, memories: 20 }));

/** Not measured: a connection settles on its plans. */
const WARM_UP = 8;
const SEARCHES = 40;

// With idle processors, Postgres would share a large scan among some, but not each kind of it.
process.env.PGOPTIONS = "-c max_parallel_workers_per_gather=0";

for (const engine of AVAILABLE_ENGINES.toReversed()) {
  for (const [dimensions, scopes] of RUNS[engine]) await measure(engine, dimensions, scopes);
}

async function measure(
  engine: TestEngine,
  dimensions: number,
  scopes: readonly number[],
): Promise<void> {
  const { location, remove } = await newTestLocation(engine);
  const companyId = newCompanyId();
  const tenants = scopes.map((memories) => ({ tenantId: `of ${memories}`, memories }));
  await withDatabase(location, async ({ db, description }) => {
    console.log(`\n${description.replace(/ (in|at) \S+$/, "")}, ${dimensions} dimensions`);
    await fillDatabase(db, companyId, [...tenants, ...OTHERS], dimensions);
  });
  console.log("memories   by meaning alone ms   by words and meaning ms   times as long");
  for (const { tenantId, memories } of tenants) {
    // A new connection: the plans of one are made for the scopes that it has seen.
    await withDatabase(location, async ({ db }) => {
      const times: Times[] = [];
      for (const search of await madeSearches(tenantId, dimensions, WARM_UP + SEARCHES)) {
        times.push(await timeBoth(db.of(companyId), search));
      }
      console.log(lineOf(memories, times.slice(WARM_UP)));
    });
  }
  if (engine === "postgres") {
    await withDatabase(location, async ({ db }) =>
      console.log(await measureStorage(db, companyId)),
    );
  }
  await remove();
}

async function withDatabase(
  location: DatabaseLocation,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(location);
  await work(database);
  await database.close();
}

/** Of the faster ones: what else the machine does makes only the others slower. */
function lineOf(memories: number, times: readonly Times[]): string {
  const nearestMs = lowerQuartile(times.map((each) => each.nearestMs));
  const searchMs = lowerQuartile(times.map((each) => each.searchMs));
  return [
    String(memories).padStart(8),
    nearestMs.toFixed(1).padStart(21),
    searchMs.toFixed(1).padStart(25),
    (searchMs / nearestMs).toFixed(2).padStart(15),
  ].join(" ");
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 2] ?? Number.NaN;
}
