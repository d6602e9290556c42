import { describe, expect, test, vi } from "vitest";
import { AccountIndexState } from "../../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { createAdminClient } from "../../../src/cli/client.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import type { TestAccount } from "../../support/service.ts";
import { ask, expectOk, remember } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

const FACTS = ["Alice lives in Berlin", "Bob drives a red truck", "Carol plays the cello"];
const QUESTION = "Where does Alice live?";

async function search({ rest }: TestAccount, request: object) {
  const answer = await rest("POST", "/agent/search", { body: { question: QUESTION, ...request } });
  expectOk(answer);
  return answer.body;
}

test("4.4 response approximate: false where no index was asked for", async () => {
  const account = await spec.service.createAccount();
  for (const fact of FACTS) await remember(account, fact);
  expect(await search(account, { limit: 1 })).toMatchObject({ approximate: false });
  expect(await ask(account, QUESTION)).toMatchObject({ approximate: false });
});

describe.runIf(TEST_ENGINES.includes("postgres"))("with an index of the tenant's own", () => {
  test("4.4 response approximate: true where it found as many as asked for, and no filter is given", async () => {
    const account = await spec.service.createAccount();
    const { companyId } = account;
    for (const fact of FACTS) await remember(account, fact);
    const exact = await search(account, { limit: 2 });
    const { accounts } = createAdminClient({
      host: "127.0.0.1",
      port: spec.service.adminPort,
      token: null,
    });
    const { index } = await accounts.createAccountIndex({ companyId });
    expect(index).toMatchObject({ companyId, active: true });
    const stateOf = async () => {
      const { indexes } = await accounts.listAccountIndexes({});
      return indexes.find((index) => index.companyId === companyId)?.state;
    };
    await vi.waitFor(async () => expect(await stateOf()).toBe(AccountIndexState.READY), 60_000);

    const found = await search(account, { limit: 2 });
    expect(found).toEqual({ ...exact, approximate: true });
    expect(await ask(account, QUESTION, { limit: 1 })).toMatchObject({ approximate: true });
    for (const request of [{ limit: 10 }, { limit: 1, sources: ["agent"] }]) {
      expect(await search(account, request)).toMatchObject({ approximate: false });
    }
    expect((await search(account, { limit: 10 })).memories).toHaveLength(FACTS.length);
    const other = { limit: 1, tenant_id: "another" };
    expect(await search(account, other)).toMatchObject({ approximate: false, memories: [] });

    // The same again changes nothing.
    const again = await accounts.createAccountIndex({ companyId });
    expect(again.index?.state).toBe(AccountIndexState.READY);
    expect(await accounts.deleteAccountIndex({ companyId })).toMatchObject({ deletedCount: 1 });
    expect(await search(account, { limit: 2 })).toEqual(exact);
    expect(await accounts.deleteAccountIndex({ companyId })).toMatchObject({ deletedCount: 0 });
  });
});
