import { createLocalProviders } from "@agent-memory/offline-models";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { AccountIndexState } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { createAdminClient, reasonOf } from "../../src/cli/client.ts";
import { createAccount } from "../../src/service/admin/accounts.ts";
import { claimEmbedders } from "../../src/service/embeddings.ts";
import {
  openTestDatabase,
  TEST_ENGINES,
  type TestDatabase,
  type TestEngine,
} from "../support/database.ts";
import { freshCompanyId, startAdmin, testContext } from "./admin-fixture.ts";

const { BUILDING, READY } = AccountIndexState;

describe.for(TEST_ENGINES)("indexes of accounts' own on %s", (engine: TestEngine) => {
  let store: TestDatabase;
  beforeAll(async () => {
    store = await openTestDatabase(engine);
  });
  afterAll(() => store.close());

  /** Indexes are made once `mayMake` says so. */
  async function startOperator(mayMake = async () => {}) {
    const { db, runLong } = store.database;
    const embedders = await claimEmbedders(db, createLocalProviders().embedder, null);
    const runWhenAllowed: typeof runLong =
      runLong &&
      (async (statements) => {
        await mayMake();
        await runLong(statements);
      });
    const context = { ...testContext(db, runWhenAllowed), embedders };
    onTestFinished(() => context.accountIndexes.close());
    const { port } = await startAdmin(context);
    const { accounts } = createAdminClient({ host: "127.0.0.1", port, token: null });
    const companyId = freshCompanyId();
    await createAccount(context, { companyId });
    const indexOf = async (tenantId?: string) => {
      const { indexes } = await accounts.listAccountIndexes({});
      return indexes.find((index) => index.companyId === companyId && index.tenantId === tenantId);
    };
    return { context, accounts, companyId, indexOf };
  }

  test.skipIf(engine === "pglite")("none is removed while it is being made", async () => {
    const held = Promise.withResolvers<void>();
    const { accounts, companyId, indexOf } = await startOperator(() => held.promise);
    const { index } = await accounts.createAccountIndex({ companyId });
    expect(index?.state).toBe(BUILDING);
    expect((await indexOf())?.state).toBe(BUILDING);
    const removed = accounts.deleteAccountIndex({ companyId });
    expect(reasonOf(await removed.catch((error: unknown) => error))).toBe("index_in_progress");
    held.resolve();
    await vi.waitFor(async () => expect((await indexOf())?.state).toBe(READY), 60_000);
    await accounts.deleteAccountIndex({ companyId });
    const none = accounts.createAccountIndex({ companyId: freshCompanyId() });
    expect(reasonOf(await none.catch((error: unknown) => error))).toBe("account_not_found");
  });

  test.runIf(engine === "pglite")("the embedded database has none, and says so", async () => {
    const { accounts, companyId } = await startOperator();
    for (const call of [accounts.createAccountIndex, accounts.deleteAccountIndex]) {
      const error = await call({ companyId }).catch((caught: unknown) => caught);
      expect(reasonOf(error)).toBe("no_database_server");
      expect(error).toMatchObject({ code: Code.FailedPrecondition });
    }
    expect((await accounts.listAccountIndexes({})).indexes).toEqual([]);
  });
});
