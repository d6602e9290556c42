import { CompiledQuery, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import { findLastSequences, listAuditEvents } from "../../../src/storage/audit-events.ts";
import {
  findMemoryRecord,
  lockMemories,
  lockWithReplacement,
  memoryExists,
} from "../../../src/storage/memories.ts";
import {
  findChain,
  lockForSupersession,
  readSupersessionHistory,
} from "../../../src/storage/memory-chains.ts";
import { selectMemories } from "../../../src/storage/memory-list.ts";
import { findCandidates, findSimilarMemories } from "../../../src/storage/memory-vectors.ts";
import { writeMemories } from "../../../src/storage/memory-writes.ts";
import type { Executor, Trx } from "../../../src/storage/schema.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  inTestSpace,
  minutes,
  type NewMemoryFields,
  NOW,
  newCompanyId,
  newMemory,
  newMemoryId,
  storeMemories,
  writeOf,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

const ACCOUNTS = 10;
const MEMORIES_AN_ACCOUNT = 1_000;

const ROLLED_BACK = new Error("rolled back");

interface TestAccount {
  readonly companyId: CompanyId;
  readonly ids: readonly [MemoryId, MemoryId, ...MemoryId[]];
}

function testAccount(): TestAccount {
  const others = Array.from({ length: MEMORIES_AN_ACCOUNT - 2 }, newMemoryId);
  return { companyId: newCompanyId(), ids: [newMemoryId(), newMemoryId(), ...others] };
}

/** What a request asks for is found by an index, however many memories others have. */
describe.for(TEST_ENGINES)("plans of statements on %s", (engine) => {
  const contract = useStorage(engine, ["memoryExists"]);

  /** An account as large as the others, but the planner's statistics are from before it. */
  const unknown = testAccount();
  const known = testAccount();

  beforeAll(async () => {
    await store(known, () => ({}));
    for (let count = 1; count < ACCOUNTS; count++) {
      await store(testAccount(), (index) => ({
        validTo: NOW,
        supersededAt: index % 2 === 0 ? NOW : null,
      }));
    }
    await sql`analyze`.execute(contract.db);
    await store(unknown, () => ({}));
  });

  async function store(
    { companyId, ids }: TestAccount,
    fieldsOf: (index: number) => NewMemoryFields,
  ): Promise<void> {
    await storeMemories(
      contract.db,
      ids.map((id, index) => newMemory(companyId, { id, ...fieldsOf(index) })),
    );
    const event = { event: "created", at: NOW, actor: "key", detail: {} } as const;
    const events = ids.map((memoryId) => ({ memoryId, ...event }));
    await transaction(contract.db, (trx) => writeMemories(trx, writeOf(companyId, { events })));
  }

  const inTransaction = (work: (trx: Trx) => Promise<unknown>) => transaction(contract.db, work);
  const search = { tenantId: null, now: NOW, limit: 10 };
  const vector = inTestSpace([1, 0, 0, 0]);
  const endOf = (id: MemoryId) => ({ id, validTo: NOW, supersededBy: null, supersededAt: NOW });

  describe.for<{
    what: string;
    run: (account: TestAccount) => Promise<unknown>;
    /** A few memories of a list: of an account that it does not know, a planner may read all. */
    isList?: boolean;
  }>([
    {
      what: "one memory",
      run: ({ companyId, ids: [id] }) => findMemoryRecord(contract.db, companyId, id),
    },
    { what: "an ID of any account", run: () => memoryExists(contract.db, newMemoryId()) },
    {
      what: "a chain",
      run: ({ companyId, ids: [id] }) => findChain(contract.db, companyId, id),
    },
    {
      what: "memories to lock",
      isList: true,
      run: ({ companyId, ids }) =>
        inTransaction((trx) => lockMemories(trx, companyId, ids.slice(0, 3))),
    },
    {
      what: "a memory and its replacement to lock",
      isList: true,
      run: ({ companyId, ids: [id] }) =>
        inTransaction((trx) => lockWithReplacement(trx, companyId, id)),
    },
    {
      what: "what a supersession locks",
      isList: true,
      run: ({ companyId, ids: [memoryId, replacementId] }) =>
        inTransaction((trx) =>
          lockForSupersession(trx, companyId, { memoryId, replacementId }, [memoryId]),
        ),
    },
    {
      what: "what a supersession reads",
      run: ({ companyId, ids: [memoryId, replacementId] }) =>
        inTransaction((trx) =>
          readSupersessionHistory(trx, companyId, { memoryId, replacementId }),
        ),
    },
    {
      what: "the last sequences of histories",
      isList: true,
      run: ({ companyId, ids }) =>
        inTransaction((trx) => findLastSequences(trx, companyId, ids.slice(0, 3))),
    },
    {
      what: "a history",
      run: ({ companyId, ids: [id] }) => listAuditEvents(contract.db, companyId, id),
    },
    {
      what: "memories to end",
      isList: true,
      run: ({ companyId, ids }) =>
        inTransaction(async (trx) => {
          await writeMemories(trx, writeOf(companyId, { ended: ids.slice(0, 3).map(endOf) }));
          throw ROLLED_BACK;
        }).catch((error: unknown) => expect(error).toBe(ROLLED_BACK)),
    },
    {
      what: "the newest memories",
      run: ({ companyId, ids: [id] }) =>
        selectMemories(contract.db, {
          ...search,
          companyId,
          source: null,
          includeSuperseded: false,
          asOf: null,
          after: { createdAt: NOW, id },
        }),
    },
    {
      what: "similar memories",
      run: ({ companyId }) =>
        findSimilarMemories(contract.db, { ...search, companyId, sources: null, vector }),
    },
    {
      what: "similar memories of some sources",
      run: ({ companyId }) =>
        findSimilarMemories(contract.db, { ...search, companyId, sources: ["agent"], vector }),
    },
    {
      what: "candidates of several facts",
      run: ({ companyId }) =>
        findCandidates(contract.db, {
          ...search,
          companyId,
          minSimilarity: 0.5,
          facts: [0, 1, 2].map((index) => ({ vector, validFromAtMost: NOW + minutes(index) })),
        }),
    },
  ])("$what", ({ run, isList = false }) => {
    const accounts = [
      { of: "an account that the statistics know", account: known, planOf },
      { of: "an account that they do not know", account: unknown, planOf },
      { of: "any account", account: known, planOf: genericPlanOf },
    ];
    test.for(accounts.filter(({ account }) => !isList || account === known))(
      "of $of",
      async ({ account, planOf: plan }) => {
        const queries = await contract.queriesOf(() => run(account));
        const query = queries.find(({ sql: text }) => /\bmemor|audit_events/.test(text));
        if (query === undefined) throw new Error("No query of memories ran");
        const text = await plan(query);
        expect(text).toContain("Index");
        expect(text).not.toMatch(/Seq Scan on (mem|audit)/);
        // An index that gives all of an account's rows is as good as none.
        expect(text).not.toMatch(/Index Cond: \(+company_id = [^()]*\)+$/m);
      },
    );
  });

  async function planOf({ sql: text, parameters }: CompiledQuery): Promise<string> {
    return explained(CompiledQuery.raw(`explain ${text}`, [...parameters]));
  }

  /** The plan that a connection keeps for a statement that it has prepared, whatever the values. */
  async function genericPlanOf({ sql: text, parameters }: CompiledQuery): Promise<string> {
    return contract.db.connection().execute(async (connection) => {
      const nulls = parameters.map(() => "null").join(", ");
      const run = (statement: string) => connection.executeQuery(CompiledQuery.raw(statement));
      await run("set plan_cache_mode = force_generic_plan");
      await run(`prepare explained as ${text}`);
      try {
        return await explained(
          CompiledQuery.raw(`explain execute explained(${nulls})`),
          connection,
        );
      } finally {
        await run("deallocate explained");
        await run("reset plan_cache_mode");
      }
    });
  }

  async function explained(
    query: CompiledQuery,
    db: Pick<Executor, "executeQuery"> = contract.db,
  ): Promise<string> {
    const { rows } = await db.executeQuery<{ "QUERY PLAN": string }>(query);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }
});
