import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import { MAX_PAGE_TEXT_BYTES } from "../../../src/domain/limits.ts";
import type { MemoryFilters } from "../../../src/domain/memory.ts";
import { listAuditEvents } from "../../../src/storage/audit-events.ts";
import { findCandidates } from "../../../src/storage/candidates.ts";
import {
  belongsToAnother,
  findMemoryRecord,
  type MemoryFilter,
  selectMemories,
} from "../../../src/storage/memories.ts";
import {
  findEarlierVersions,
  findTrimmedVersions,
  findVersions,
  readSupersessionHistory,
} from "../../../src/storage/memory-chains.ts";
import { lockMemories } from "../../../src/storage/memory-locks.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
import { writeMemories } from "../../../src/storage/memory-writes.ts";
import type { AccountTrx } from "../../../src/storage/schema.ts";
import type { MemorySearch } from "../../../src/storage/search-scope.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { IS_DISTRIBUTED, TEST_ENGINES } from "../../support/database.ts";
import { genericPlanOf, WORK_MEMORY } from "./explain.ts";
import {
  ANY_SEARCH,
  minutes,
  type NewMemoryFields,
  NO_FILTERS,
  NOW,
  newCompanyId,
  newMemory,
  newMemoryId,
  storeMemories,
  writeOf,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

const ACCOUNTS = 4;
const MEMORIES_AN_ACCOUNT = 1_000;

const EVERY_FILTER: MemoryFilters = {
  asOf: NOW,
  knownAt: NOW,
  sessionId: "session-1",
  topic: "General",
  createdAfter: NOW - 1n,
  createdBefore: NOW + 1n,
  metadata: { project: "apollo" },
};

const ROLLED_BACK = new Error("rolled back");

interface TestAccount {
  readonly companyId: CompanyId;
  readonly ids: readonly [MemoryId, MemoryId, ...MemoryId[]];
}

function testAccount(): TestAccount {
  const others = Array.from({ length: MEMORIES_AN_ACCOUNT - 2 }, newMemoryId);
  return { companyId: newCompanyId(), ids: [newMemoryId(), newMemoryId(), ...others] };
}

/**
 * What a request asks for is found by an index, however many memories others have: by the plan
 * that a connection keeps, which is one for all values. Each shard
 * of a distributed database has plans of its own, which EXPLAIN does not show.
 */
describe.skipIf(IS_DISTRIBUTED).for(TEST_ENGINES)("plans of statements on %s", (engine) => {
  const contract = useStorage(engine, ["belongsToAnother"]);

  const account = testAccount();

  beforeAll(async () => {
    await store(account, () => ({}));
    for (let count = 1; count < ACCOUNTS; count++) {
      await store(testAccount(), (index) => ({
        validTo: NOW,
        supersededAt: index % 2 === 0 ? NOW : null,
      }));
    }
    await sql`analyze`.execute(contract.db);
  });

  /** Conversations of a few memories each. */
  const inSession = (index: number) => ({ sessionId: `session-${Math.floor(index / 8)}` });

  async function store(
    { companyId, ids }: TestAccount,
    fieldsOf: (index: number) => NewMemoryFields,
  ): Promise<void> {
    await storeMemories(
      contract.db,
      ids.map((id, index) =>
        newMemory(companyId, { id, provenance: inSession(index), ...fieldsOf(index) }),
      ),
    );
    const event = { event: "created", at: NOW, actor: "key", detail: {} } as const;
    const events = ids.map((memoryId) => ({ memoryId, ...event }));
    await transaction(contract.db.of(companyId), (trx) => writeMemories(trx, writeOf({ events })));
  }

  const inTransaction = (companyId: CompanyId, work: (trx: AccountTrx) => Promise<unknown>) =>
    transaction(contract.db.of(companyId), work);
  const page = { limit: 100, maxTextBytes: MAX_PAGE_TEXT_BYTES };
  const question = { ...ANY_SEARCH, terms: [1, 2, 3] };
  const dbOf = ({ companyId }: TestAccount) => contract.db.of(companyId);
  const list = (fields: Partial<MemoryFilter>) => (account: TestAccount) =>
    selectMemories(dbOf(account), {
      ...{ tenantId: null, now: NOW, source: null, includeSuperseded: false, after: null },
      ...NO_FILTERS,
      ...page,
      ...fields,
    });
  const similar = (fields: Partial<MemorySearch>) => (account: TestAccount) =>
    searchMemories(dbOf(account), { ...question, ...fields });
  const words = (count: number) => Array.from({ length: count }, (_, index) => index);
  const endOf = (id: MemoryId) => ({ id, validTo: NOW, supersededBy: null, supersededAt: NOW });

  test("a statement is planned once, and not for its values", async () => {
    const plans = await contract.db.connection().execute(async (connection) => {
      await sql`prepare asked (text) as select $1 as asked`.execute(connection);
      await sql`execute asked (${sql.lit("a value")})`.execute(connection);
      const { rows } = await sql`
        select generic_plans::int as once, custom_plans::int as for_values
        from pg_prepared_statements where name = 'asked'`.execute(connection);
      await sql`deallocate asked`.execute(connection);
      return rows;
    });
    expect(plans).toEqual([{ once: 1, for_values: 0 }]);
  });

  test("a table is read by its index, of however few rows the statistics tell", async () => {
    const plan = await contract.db.connection().execute(async (connection) => {
      await sql`create temporary table few (id int primary key)`.execute(connection);
      await sql`insert into few values (1), (2), (3)`.execute(connection);
      await sql`analyze few`.execute(connection);
      const { rows } = await sql`explain select id from few where id > 1`.execute(connection);
      await sql`drop table few`.execute(connection);
      return JSON.stringify(rows);
    });
    expect(plan).toContain("Index");
  });

  test.for<{
    what: string;
    run: (account: TestAccount) => Promise<unknown>;
  }>([
    {
      what: "one memory",
      run: ({ companyId, ids: [id] }) => findMemoryRecord(contract.db.of(companyId), id),
    },
    {
      what: "an ID of any account",
      run: ({ companyId }) => belongsToAnother(contract.db.of(companyId), newMemoryId()),
    },
    {
      what: "a page of a chain",
      run: ({ companyId, ids: [id] }) =>
        findVersions(contract.db.of(companyId), id, {
          ...page,
          after: { validFrom: NOW, createdAt: NOW, id },
        }),
    },
    {
      what: "memories to lock",
      run: ({ companyId, ids }) =>
        inTransaction(companyId, (trx) => lockMemories(trx, ids.slice(0, 3))),
    },
    {
      what: "what a supersession reads",
      run: ({ companyId, ids: [memoryId, replacementId] }) =>
        inTransaction(companyId, (trx) => readSupersessionHistory(trx, memoryId, replacementId)),
    },
    {
      what: "a history",
      run: ({ companyId, ids: [id] }) => listAuditEvents(contract.db.of(companyId), id, 0, page),
    },
    {
      what: "memories to end",
      run: ({ companyId, ids }) =>
        inTransaction(companyId, async (trx) => {
          await writeMemories(trx, writeOf({ ended: ids.slice(0, 3).map(endOf) }));
          throw ROLLED_BACK;
        }).catch((error: unknown) => expect(error).toBe(ROLLED_BACK)),
    },
    {
      what: "the newest memories",
      run: (account) => list({ after: { createdAt: NOW, id: account.ids[0] } })(account),
    },
    {
      what: "the memories that held and were known",
      run: list({ ...EVERY_FILTER, sessionId: null }),
    },
    { what: "the memories of a conversation", run: list(EVERY_FILTER) },
    { what: "similar memories", run: similar({}) },
    { what: "the rarest words of a long question", run: similar({ terms: words(60) }) },
    {
      what: "similar memories of several tenants",
      run: similar({ tenantIds: [null, "one", "two"] }),
    },
    {
      what: "similar memories of a conversation, as they held and were known",
      run: similar(EVERY_FILTER),
    },
    {
      what: "candidates of several facts",
      run: ({ companyId }) =>
        findCandidates(contract.db.of(companyId), {
          ...{ tenantId: null, now: NOW, writtenAt: NOW, limit: 10, minSimilarity: 0.5 },
          facts: [0, 1, 2].map((index) => ({
            vector: question.vector,
            attributes: [],
            opening: null,
            statedAtMost: NOW + minutes(index),
          })),
        }),
    },
  ])("$what", async ({ run }) => {
    const queries = await contract.queriesOf(() => run(account));
    const query = queries.find(({ sql: text }) => /\bmemor|audit_events/.test(text));
    if (query === undefined) throw new Error("No query of memories ran");
    for (const workMemory of WORK_MEMORY) {
      const text = await genericPlanOf(contract.db, query, workMemory);
      expect(text).toContain("Index");
      expect(text).not.toMatch(/Seq Scan on (mem|audit)/);
      // An index that gives all of an account's rows is as good as none.
      expect(text).not.toMatch(/Index Cond: \(+company_id = [^()]*\)+$/m);
    }
  });
});

/** What a planner knew of a nearly empty table, it may go on believing of a large one. */
describe.skipIf(IS_DISTRIBUTED).for(TEST_ENGINES)("plans of walks on %s", (engine) => {
  const contract = useStorage(engine, []);

  test("of a merge that came after the statistics", async () => {
    const { db } = contract;
    const companyId = newCompanyId();
    const [memoryId, replacementId, ended] = [newMemoryId(), newMemoryId(), newMemoryId()];
    await storeMemories(db, [
      newMemory(companyId, { id: replacementId }),
      newMemory(companyId, { id: memoryId }),
      newMemory(companyId, {
        id: ended,
        validTo: NOW,
        supersededAt: NOW,
        supersededBy: replacementId,
      }),
    ]);
    await sql`vacuum (full, analyze) memories`.execute(db);
    await sql`
      insert into memories (company_id, id, tenant_id, decision, summary, topic, importance_score,
        source, created_at, valid_from, valid_to, superseded_by, superseded_at, mode, metadata)
      select company_id, gen_random_uuid(), tenant_id, decision, summary, topic, importance_score,
        source, created_at, valid_from, valid_to, ${memoryId}, superseded_at, mode, metadata
      from memories cross join generate_series(1, 1500)
      where company_id = ${companyId} and id = ${ended}`.execute(db);

    const account = db.of(companyId);
    const page = { limit: 100, maxTextBytes: MAX_PAGE_TEXT_BYTES, after: null };
    const inTransaction = (work: (trx: AccountTrx) => Promise<unknown>) =>
      transaction(account, work);
    const start = { id: replacementId, validFrom: NOW };
    const walks = [
      () => findVersions(account, memoryId, page),
      () => inTransaction((trx) => findEarlierVersions(trx, new Map([[memoryId, start]]))),
      () => inTransaction((trx) => findTrimmedVersions(trx, ended)),
      () => inTransaction((trx) => readSupersessionHistory(trx, memoryId, replacementId)),
    ];
    for (const walk of walks) {
      const query = (await contract.queriesOf(walk)).find(({ sql: text }) =>
        text.includes("with recursive"),
      );
      if (query === undefined) throw new Error("No walk ran");
      const plan = await genericPlanOf(db, query);
      expect(plan).toContain("Index Scan using memories_by_replacement");
      expect(plan).not.toMatch(/Index Cond: \(+company_id = [^()]*\)+$/m);
    }
  });
});
