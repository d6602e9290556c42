import { CompiledQuery, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { type MemoryId, toCompanyId } from "../../../src/domain/ids.ts";
import { findLastSequences } from "../../../src/storage/audit-events.ts";
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
import type { Trx } from "../../../src/storage/schema.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import {
  type Contract,
  inTestSpace,
  minutes,
  NOW,
  newCompanyId,
  newMemory,
  newMemoryId,
  storeMemories,
  writeOf,
} from "./fixture.ts";

const ACCOUNTS = 10;
const MEMORIES_AN_ACCOUNT = 1_000;

/** What a request asks for is found by an index, however many memories others have. */
export function plansContract(contract: Contract): void {
  const companyId = newCompanyId();
  const ids = Array.from({ length: MEMORIES_AN_ACCOUNT }, newMemoryId);
  const [id = newMemoryId(), replacementId = newMemoryId()] = ids;

  beforeAll(async () => {
    for (let account = 0; account < ACCOUNTS; account++) {
      const memories = ids.map((own, index) =>
        account === 0
          ? newMemory(companyId, { id: own })
          : newMemory(toCompanyId(`${companyId}-${account}`), {
              validTo: NOW,
              supersededAt: index % 2 === 0 ? NOW : null,
            }),
      );
      await storeMemories(contract.db, memories);
      const events = memories.map(({ memory }) => ({
        memoryId: memory.id,
        event: "created" as const,
        at: NOW,
        actor: "key",
        detail: {},
      }));
      const [
        {
          memory: { companyId: owner },
        } = newMemory(companyId),
      ] = memories;
      await transaction(contract.db, (trx) => writeMemories(trx, writeOf(owner, { events })));
    }
    await sql`analyze`.execute(contract.db);
  });

  const inTransaction = (work: (trx: Trx) => Promise<unknown>) => transaction(contract.db, work);
  const scope = { memoryId: id, replacementId };
  const search = { companyId, tenantId: null, now: NOW, limit: 10 };
  const vector = inTestSpace([1, 0, 0, 0]);
  const end = (memoryId: MemoryId) => ({
    id: memoryId,
    validTo: NOW,
    supersededBy: null,
    supersededAt: NOW,
  });

  describe.for<{ what: string; run: () => Promise<unknown>; ofScope?: boolean }>([
    { what: "one memory", run: () => findMemoryRecord(contract.db, companyId, id) },
    { what: "an ID of any account", run: () => memoryExists(contract.db, newMemoryId()) },
    { what: "a chain", run: () => findChain(contract.db, companyId, id) },
    {
      what: "memories to lock",
      run: () => inTransaction((trx) => lockMemories(trx, companyId, ids.slice(0, 3))),
    },
    {
      what: "a memory and its replacement to lock",
      run: () => inTransaction((trx) => lockWithReplacement(trx, companyId, id)),
    },
    {
      what: "what a supersession locks",
      run: () => inTransaction((trx) => lockForSupersession(trx, companyId, scope, [id])),
    },
    {
      what: "what a supersession reads",
      run: () => inTransaction((trx) => readSupersessionHistory(trx, companyId, scope)),
    },
    {
      what: "the last sequences of histories",
      run: () => inTransaction((trx) => findLastSequences(trx, companyId, ids.slice(0, 3))),
    },
    {
      what: "ends",
      run: () =>
        inTransaction(async (trx) => {
          await writeMemories(trx, writeOf(companyId, { ended: ids.slice(0, 3).map(end) }));
          throw new Error("rolled back");
        }).catch(() => {}),
    },
    {
      what: "the newest memories",
      ofScope: true,
      run: () =>
        selectMemories(contract.db, {
          ...search,
          source: null,
          includeSuperseded: false,
          asOf: null,
          after: { createdAt: NOW, id },
        }),
    },
    {
      what: "similar memories",
      ofScope: true,
      run: () => findSimilarMemories(contract.db, { ...search, sources: null, vector }),
    },
    {
      what: "similar memories of some sources",
      ofScope: true,
      run: () =>
        findSimilarMemories(contract.db, { ...search, sources: ["agent", "email"], vector }),
    },
    {
      what: "candidates of several facts",
      ofScope: true,
      run: () =>
        findCandidates(contract.db, {
          ...search,
          minSimilarity: 0.5,
          facts: [0, 1, 2].map((index) => ({ vector, validFromAtMost: NOW + minutes(index) })),
        }),
    },
  ])("$what", ({ run, ofScope = false }) => {
    test.for(["the values", "any values"] as const)("planned for %s", async (plannedFor) => {
      const queries = await contract.queriesOf(run);
      const query = queries.find(({ sql: text }) => /\bmemor|audit_events/.test(text));
      if (query === undefined) throw new Error("No query of memories ran");
      const plan = plannedFor === "any values" ? await genericPlan(query) : await planOf(query);
      expect(plan).toContain("Index");
      expect(plan).not.toMatch(/Seq Scan on (mem|audit)/);
      // An index that gives all of an account's rows is as good as none.
      const byAccountAlone = /Index Cond: \(+company_id = [^()]*\)+$/m;
      if (!ofScope) expect(plan).not.toMatch(byAccountAlone);
    });
  });

  async function planOf({ sql: text, parameters }: CompiledQuery): Promise<string> {
    return explained(CompiledQuery.raw(`explain ${text}`, [...parameters]));
  }

  /** The plan that a connection keeps for a statement that it has prepared, whatever the values. */
  async function genericPlan({ sql: text, parameters }: CompiledQuery): Promise<string> {
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
    db: Pick<Contract["db"], "executeQuery"> = contract.db,
  ): Promise<string> {
    const { rows } = await db.executeQuery<{ "QUERY PLAN": string }>(query);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }
}
