/** What a request asks for is found by an index, however many memories others have. */
import { randomUUID } from "node:crypto";
import { CompiledQuery, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import {
  findChain,
  findChainHeadId,
  findMemory,
  insertMemories,
  listMemories,
  lockMemories,
  memoryExists,
} from "../../../src/storage/memories.ts";
import { findSimilarMemories } from "../../../src/storage/memory-vectors.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { inTestSpace, NOW, newCompanyId, newMemory } from "./fixture.ts";
import { useStorage } from "./storage.ts";

const ACCOUNTS = 10;
const MEMORIES_AN_ACCOUNT = 1_000;

describe.for(TEST_ENGINES)("plans of statements on %s", (engine) => {
  const contract = useStorage(engine, ["memoryExists"]);

  const companyId = newCompanyId();
  const ids = Array.from({ length: MEMORIES_AN_ACCOUNT }, () => randomUUID());
  const [id = ""] = ids;

  beforeAll(async () => {
    for (let account = 0; account < ACCOUNTS; account++) {
      const memories = ids.map((own, index) =>
        account === 0
          ? newMemory(companyId, { id: own })
          : newMemory(`${companyId}-${account}`, {
              validTo: NOW,
              supersededAt: index % 2 === 0 ? NOW : null,
            }),
      );
      await transaction(contract.db, (trx) => insertMemories(trx, memories));
    }
    await sql`analyze`.execute(contract.db);
  });

  test.for<{ what: string; run: () => Promise<unknown> }>([
    { what: "one memory", run: () => findMemory(contract.db, companyId, id) },
    { what: "an ID of any account", run: () => memoryExists(contract.db, randomUUID()) },
    { what: "a chain", run: () => findChain(contract.db, companyId, id) },
    { what: "a chain's head", run: () => findChainHeadId(contract.db, companyId, id) },
    {
      what: "memories to lock",
      run: () => lockMemories(contract.db, companyId, ids.slice(0, 3)),
    },
    {
      what: "the newest memories",
      run: () =>
        listMemories(contract.db, {
          companyId,
          tenantId: null,
          source: null,
          includeSuperseded: false,
          asOf: null,
          now: NOW,
          limit: 10,
          after: { createdAt: NOW, id },
        }),
    },
    {
      what: "similar memories",
      run: () =>
        findSimilarMemories(contract.db, {
          companyId,
          tenantId: null,
          sources: null,
          validFromAtMost: null,
          now: NOW,
          vector: inTestSpace([1, 0, 0, 0]),
          limit: 10,
        }),
    },
  ])("$what", async ({ run }) => {
    await run();
    const { sql: text, parameters } = contract.lastQuery();
    const explain = CompiledQuery.raw(`explain ${text}`, [...parameters]);
    const { rows } = await contract.db.executeQuery<{ "QUERY PLAN": string }>(explain);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("Index");
    expect(plan).not.toContain("Seq Scan on mem");
  });
});
