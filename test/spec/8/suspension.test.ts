/** What a suspended account is refused, and what becomes of it (D31). */
import { expect, test } from "vitest";
import { suspendAccount } from "../../../src/service/admin/accounts.ts";
import { holdEmbedder } from "../../support/models.ts";
import { operationsOf, readDocument } from "../../support/openapi-document.ts";
import { expectFailure, list, listIds, plan, remember } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();
const ANY_ID = "01890000-0000-7000-8000-000000000000";

test.each(
  operationsOf(readDocument()).map(({ method, path }) => [method.toUpperCase(), path] as const),
)("D31 suspended: %s %s is refused", async (method, path) => {
  const { service } = spec;
  const account = await service.createAccount();
  const other = await service.createKey(account.companyId);
  await suspendAccount(service.context, account.companyId, true);
  for (const { rest } of [account, other]) {
    const answer = await rest(method, path.replace("{memory_id}", ANY_ID), {
      ...(["POST", "PATCH"].includes(method) && { body: {} }),
    });
    expectFailure(answer, 403, "account_suspended");
  }
});

test("D31 suspended: it has all that it had once that is lifted", async () => {
  const { service } = spec;
  const account = await service.createAccount({ planTier: "pro" });
  const ids = [await remember(account), await remember(account, "Ada likes tea")];
  const before = [await list(account), await plan(account)];
  await suspendAccount(service.context, account.companyId, true);
  expectFailure(await account.rest("DELETE", "/agent/memories"), 403, "account_suspended");
  await service.updateAccount(account.companyId, { planStatus: "past_due" });
  expectFailure(await account.rest("GET", "/plan/status"), 403, "account_suspended");
  await service.updateAccount(account.companyId, { planStatus: "active" });
  await suspendAccount(service.context, account.companyId, false);
  expect((await listIds(account)).toSorted()).toEqual(ids.toSorted());
  expect([await list(account), await plan(account)]).toEqual(before);
});

test.each([
  ["a write", "/agent/memories", { content: "Ada lives in Paris" }],
  ["a question", "/agent/query", { question: "Where is Ada?" }],
])(
  "D31 suspended: %s in progress is refused at its end, and stores nothing",
  async (_, path, body) => {
    const { service } = spec;
    const account = await service.createAccount();
    const held = holdEmbedder(service);
    const answer = account.rest("POST", path, { body });
    await Promise.race([held.entered, answer]);
    await suspendAccount(service.context, account.companyId, true);
    held.release();
    expectFailure(await answer, 403, "account_suspended");
    await suspendAccount(service.context, account.companyId, false);
    expect(await listIds(account)).toEqual([]);
    expect(await plan(account)).toMatchObject({ writes_used: 0 });
  },
);

test("D31 suspended: over MCP it is refused too", async () => {
  const { service } = spec;
  const account = await service.createAccount();
  await suspendAccount(service.context, account.companyId, true);
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ reason: "account_suspended" });
});
