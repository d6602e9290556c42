/**
 * How many rows statements go through in a database of which the planner knows nothing, as
 * it is after a first load: in proportion to what they read, whatever plan is chosen.
 */
import { CompiledQuery, type LogEvent, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MemoryId } from "../../../src/domain/ids.ts";
import { MAX_PAGE_TEXT_BYTES } from "../../../src/domain/limits.ts";
import { findCandidates } from "../../../src/storage/candidates.ts";
import { claimEmbeddingSpaces } from "../../../src/storage/embedding-spaces.ts";
import { selectMemories } from "../../../src/storage/memories.ts";
import { findVersions } from "../../../src/storage/memory-chains.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
import type { AccountDb } from "../../../src/storage/schema.ts";
import {
  IS_DISTRIBUTED,
  openTestDatabase,
  TEST_ENGINES,
  type TestDatabase,
} from "../../support/database.ts";
import {
  ANY_SEARCH,
  minutes,
  NO_FILTERS,
  NOW,
  newCompanyId,
  newMemory,
  newMemoryId,
  storeMemories,
  TEST_SPACE,
} from "./fixture.ts";
import { NOT_OF_WORK } from "./storage.ts";

const MEMORIES = 1_500;
/** Of what is read, in all nodes of a plan; a row for each pair of memories would be 1,500. */
const MAX_ROWS_A_MEMORY = 150;

const SEARCH = { ...ANY_SEARCH, terms: [1, 2, 3] };
const LIST = { ...NO_FILTERS, tenantId: null, source: null, now: NOW, after: null, limit: 100 };
const PAGE = { ...LIST, includeSuperseded: true, maxTextBytes: MAX_PAGE_TEXT_BYTES };

/** A node of a plan, as EXPLAIN tells of it. */
interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

// Of a distributed database EXPLAIN shows one node: that which waits for the others.
describe.skipIf(IS_DISTRIBUTED).for(TEST_ENGINES)("without statistics on %s", (engine) => {
  const companyId = newCompanyId();
  const ids = Array.from({ length: MEMORIES }, newMemoryId);
  let queries: CompiledQuery[] = [];
  let opened: TestDatabase;
  let db: AccountDb;

  beforeAll(async () => {
    const log = ({ query }: LogEvent) => {
      if (!NOT_OF_WORK.test(query.sql)) queries.push(query);
    };
    opened = await openTestDatabase(engine, { log });
    const all = opened.database.db;
    // Postgres would soon gather them by itself.
    for (const table of ["memories", "memory_vectors", "audit_events"]) {
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(all);
    }
    await claimEmbeddingSpaces(all, [TEST_SPACE]);
    // All alike, so that nothing can be left out early; each replaced by the one after the next.
    await storeMemories(
      all,
      ids.map((id, index) =>
        newMemory(companyId, {
          id,
          terms: { numbers: [1], length: 1 },
          provenance: { sessionId: `session-${Math.floor(index / 8)}` },
          ...(index % 3 === 0 && index + 1 < MEMORIES && { ...endedBy(ids[index + 1]) }),
        }),
      ),
    );
    db = all.of(companyId);
  });
  afterAll(() => opened.close());

  const endedBy = (id: MemoryId | undefined) => ({
    supersededBy: id ?? null,
    supersededAt: NOW,
    validTo: NOW,
  });

  test.for<{ what: string; run: () => Promise<unknown> }>([
    { what: "a search", run: () => searchMemories(db, SEARCH) },
    {
      what: "a search of many words",
      run: () =>
        searchMemories(db, { ...SEARCH, terms: Array.from({ length: 100 }, (_, i) => i + 1) }),
    },
    {
      what: "a search as things held and were known",
      run: () => searchMemories(db, { ...SEARCH, asOf: NOW, knownAt: NOW }),
    },
    {
      what: "candidates of several facts",
      run: () =>
        findCandidates(db, {
          tenantId: null,
          now: NOW,
          writtenAt: NOW,
          limit: 10,
          minSimilarity: 0.5,
          facts: [0, 1, 2].map((index) => ({
            vector: SEARCH.vector,
            attributes: [],
            opening: null,
            statedAtMost: NOW + minutes(index),
          })),
        }),
    },
    { what: "a list", run: () => selectMemories(db, PAGE) },
    {
      what: "a list of what held and was known",
      run: () => selectMemories(db, { ...PAGE, asOf: NOW, knownAt: NOW }),
    },
    {
      what: "a chain",
      run: () =>
        findVersions(db, ids[0] as MemoryId, {
          limit: 100,
          maxTextBytes: MAX_PAGE_TEXT_BYTES,
          after: null,
        }),
    },
  ])("$what goes through rows in proportion to the memories", async ({ run }) => {
    queries = [];
    await run();
    for (const query of queries.splice(0)) {
      expect(await rowsOf(query), query.sql).toBeLessThan(MAX_ROWS_A_MEMORY * MEMORIES);
    }
  });

  /** Of all nodes, as often as each was run. */
  async function rowsOf({ sql: text, parameters }: CompiledQuery): Promise<number> {
    const explain = `explain (analyze, timing off, format json) ${text}`;
    const { rows } = await db.executeQuery<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      CompiledQuery.raw(explain, [...parameters]),
    );
    return workOf(rows[0]?.["QUERY PLAN"][0].Plan);
  }
});

function workOf(node: PlanNode | undefined): number {
  if (node === undefined) return Number.NaN;
  const removed =
    (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
  const own = (node["Actual Rows"] + removed) * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, plan) => sum + workOf(plan), own);
}
