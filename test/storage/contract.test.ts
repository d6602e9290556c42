import type { CompiledQuery, LogEvent } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimEmbeddingSpaces } from "../../src/storage/embedding-spaces.ts";
import { openTestDatabase, TEST_ENGINES, type TestDatabase } from "../support/database.ts";
import { accountsContract } from "./contract/accounts.ts";
import { apiKeysContract } from "./contract/api-keys.ts";
import { auditEventsContract } from "./contract/audit-events.ts";
import { embeddingSpacesContract } from "./contract/embedding-spaces.ts";
import { type Contract, TEST_SPACE } from "./contract/fixture.ts";
import { idempotencyKeysContract } from "./contract/idempotency-keys.ts";
import { memoriesContract } from "./contract/memories.ts";
import { memoryChainsContract } from "./contract/memory-chains.ts";
import { memoryErasureContract } from "./contract/memory-erasure.ts";
import { memoryListContract } from "./contract/memory-list.ts";
import { memoryVectorsContract } from "./contract/memory-vectors.ts";
import { memoryWritesContract } from "./contract/memory-writes.ts";
import { plansContract } from "./contract/plans.ts";
import { settingsContract } from "./contract/settings.ts";
import { statementsAcrossAccounts } from "./contract/statements.ts";
import { transactionsContract } from "./contract/transactions.ts";
import { writeUsageContract } from "./contract/write-usage.ts";

/** However slow the machine is, no test of the contract is about overload. */
const WAIT_MS = 60_000;

/** More than any test asks about; not all, because some have thousands of parameters. */
const KEPT_QUERIES = 20;

/** What every storage engine must do, in one database for each. */
describe.for(TEST_ENGINES)("storage on %s", (engine) => {
  let opened: TestDatabase;
  const statements = new Set<string>();
  const queries: CompiledQuery[] = [];
  const log = ({ query }: LogEvent) => {
    statements.add(query.sql);
    queries.push(query);
    queries.splice(0, queries.length - KEPT_QUERIES);
  };
  const contract: Contract = {
    get db() {
      return opened.database.db;
    },
    async queriesOf(work) {
      queries.length = 0;
      await work();
      return queries.filter(({ sql }) => !/^(start transaction|commit|rollback)/.test(sql));
    },
  };

  beforeAll(async () => {
    opened = await openTestDatabase(engine, { log, limits: { waitMs: WAIT_MS } });
    statements.clear();
    await claimEmbeddingSpaces(contract.db, [TEST_SPACE]);
  });
  afterAll(() => opened.close());

  describe("accounts", () => accountsContract(contract));
  describe("API keys", () => apiKeysContract(contract));
  describe("settings", () => settingsContract(contract));
  describe("write usage", () => writeUsageContract(contract));
  describe("memories", () => memoriesContract(contract));
  describe("writes of memories", () => memoryWritesContract(contract));
  describe("the list of memories", () => memoryListContract(contract));
  describe("chains", () => memoryChainsContract(contract));
  describe("similar memories", () => memoryVectorsContract(contract));
  describe("erasure", () => memoryErasureContract(contract));
  describe("audit events", () => auditEventsContract(contract));
  describe("idempotency keys", () => idempotencyKeysContract(contract));
  describe("embedding spaces", () => embeddingSpacesContract(contract));
  describe("plans", () => plansContract(contract));
  describe("transactions", () => transactionsContract(contract));

  test("every statement names the account, but for the listed ones", () => {
    expect(statements.size).toBeGreaterThan(40);
    expect(statementsAcrossAccounts(statements)).toEqual([
      "deleteExpiredIdempotencyKeys",
      "findApiKeyByDigest",
      "listAccounts, first page",
      "memoryExists",
      "releaseAllIdempotencyKeys",
      "revokeApiKey",
    ]);
  });
});
