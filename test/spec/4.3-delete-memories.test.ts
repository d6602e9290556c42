import { expect, test } from "vitest";
import {
  ask,
  expectFailure,
  expectInvalid,
  expectOk,
  list,
  listIds,
  plan,
  remember,
  rememberMany,
  supersede,
  unique,
  write,
} from "./calls.ts";
import { rawRequest } from "./raw-http.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

test("4.3 response, 4.3 parameter tenant_id: only that tenant's memories", async () => {
  const account = await spec.service.createAccount();
  const ofNone = await remember(account);
  const ofOther = await remember(account, "Ada", { tenant_id: "other" });
  await rememberMany(account, 3, { tenant_id: "acme" });
  const answer = await account.rest("DELETE", "/agent/memories", { query: { tenant_id: "acme" } });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "deleted",
    company_id: account.companyId,
    tenant_id: "acme",
    deleted_count: 3,
  });
  expect(await listIds(account, { tenant_id: "acme" })).toEqual([]);
  expect(await listIds(account, { tenant_id: "other" })).toEqual([ofOther]);
  expect(await listIds(account)).toEqual([ofNone]);
});

test("4.3 parameter tenant_id, D22: left out, every tenant of the account and no other account", async () => {
  const [account, other] = [await spec.service.createAccount(), await spec.service.createAccount()];
  const kept = await remember(other);
  await remember(account);
  await remember(account, "Ada", { tenant_id: "acme" });
  const answer = await account.rest("DELETE", "/agent/memories");
  expect(answer.body).toEqual({
    status: "deleted",
    company_id: account.companyId,
    tenant_id: null,
    deleted_count: 2,
  });
  expect(await listIds(account)).toEqual([]);
  expect(await listIds(account, { tenant_id: "acme" })).toEqual([]);
  expect(await listIds(other)).toEqual([kept]);
});

test("4.3 parameter tenant_id: the operator's log says of each deletion whose key asked for what, and nothing of the memories", async () => {
  const account = await spec.service.createAccount();
  await rememberMany(account, 2, { tenant_id: "acme" });
  const content = unique("Ada lives in");
  await remember(account, content);
  const before = spec.logged.length;
  await account.rest("DELETE", "/agent/memories", { query: { tenant_id: "acme" } });
  await account.rest("DELETE", "/agent/memories");
  const lines = spec.logged
    .slice(before)
    .filter((line) => line.includes("deletedCount") && line.includes(account.companyId));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toContain(`apiKeyId: '${account.apiKeyId}'`);
  expect(lines[0]).toContain("wholeAccount: false");
  expect(lines[0]).toContain("tenantId: 'acme'");
  expect(lines[0]).toContain("deletedCount: 2");
  expect(lines[1]).toContain("wholeAccount: true");
  expect(lines[1]).toContain("deletedCount: 1");
  for (const line of lines) expect(line).not.toContain(content);
});

test("3.1 any -> removed, 3.1 state removed: whole chains and the expired, with all that is known of them", async () => {
  const account = await spec.service.createAccount();
  const [a = "", b = "", c = "", d = ""] = await rememberMany(account, 4);
  const expired = await remember(account, "Expired", {
    valid_from: "2020-01-01T00:00:00Z",
    valid_to: "2020-01-02T00:00:00Z",
  });
  await supersede(account, a, { superseded_by: c });
  await supersede(account, b, { superseded_by: c });
  await supersede(account, c, { superseded_by: d });
  const answer = await account.rest("DELETE", "/agent/memories");
  expect(answer.body.deleted_count).toBe(5);
  for (const id of [a, b, c, d, expired]) {
    for (const view of ["timeline", "audit"]) {
      const gone = await account.rest("GET", `/memories/${id}/${view}`);
      expectFailure(gone, 404, "memory_not_found", "memory_id");
    }
    expectFailure(
      await supersede(account, id, { valid_to: "2999-01-01T00:00:00Z" }),
      404,
      "memory_not_found",
      "memory_id",
    );
  }
  expect(await list(account, { include_superseded: "true" })).toMatchObject({ count: 0 });
  expect(await list(account, { as_of: "2020-01-01T12:00:00Z" })).toMatchObject({ count: 0 });
  expect((await ask(account, "Fact number 1?")).memories_searched).toBe(0);
});

test("3.1 any -> removed: what was written keeps its cost", async () => {
  const account = await spec.service.createAccount();
  await rememberMany(account, 2);
  await account.rest("DELETE", "/agent/memories");
  expect((await plan(account)).writes_used).toBe(2);
});

test("4.3 bulk only: no single memory can be deleted", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account);
  const byPath = await account.rest("DELETE", `/memories/${id}`);
  expectFailure(byPath, 405, "method_not_allowed");
  const byQuery = await account.rest("DELETE", "/agent/memories", { query: { memory_id: id } });
  expectInvalid(byQuery, "memory_id");
  expect(await listIds(account)).toEqual([id]);
});

test.each([
  ["D7: a mistyped tenant_id", "tenantid=acme", "tenantid"],
  ["D8: an empty tenant_id", "tenant_id=", "tenant_id"],
])("%s deletes nothing", async (_, query, field) => {
  const account = await spec.service.createAccount();
  const id = await remember(account);
  expectInvalid(await account.rest("DELETE", `/agent/memories?${query}`), field);
  expect(await listIds(account)).toEqual([id]);
});

test("D7: a body on DELETE deletes nothing", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account);
  const body = '{"tenant_id":"acme"}';
  for (const [name, value] of [
    ["content-length", String(body.length)],
    ["transfer-encoding", "chunked"],
  ] as const) {
    const answer = await rawRequest(spec.service.url, "DELETE", "/agent/memories", {
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        [name]: value,
      },
      body,
    });
    expectInvalid(answer, "body");
  }
  expect(await listIds(account)).toEqual([id]);
});

test("D33 erased: the repeat of a conversation whose memories were deleted is 409 and stores nothing", async () => {
  const account = await spec.service.createAccount();
  const headers = { "idempotency-key": "erased" };
  const body = { messages: [{ role: "user", content: "I live in Paris." }], tenant_id: "acme" };
  const first = await write(account, body, headers);
  expectOk(first);
  await account.rest("DELETE", "/agent/memories", { query: { tenant_id: "other" } });
  expect((await write(account, body, headers)).body).toEqual(first.body);
  await account.rest("DELETE", "/agent/memories", { query: { tenant_id: "acme" } });
  for (let count = 0; count < 2; count++) {
    const again = await write(account, body, headers);
    expectFailure(again, 409, "idempotency_key_erased", "Idempotency-Key");
    expect(again.headers.get("retry-after")).toBeNull();
    const other = await write(account, { ...body, tenant_id: "other" }, headers);
    expectFailure(other, 422, "idempotency_key_reused", "Idempotency-Key");
    await account.rest("DELETE", "/agent/memories");
  }
  expect((await plan(account)).writes_used).toBe(1);
  expectOk(await write(account, body, { "idempotency-key": "another" }));
});

test("D33: after an erasure a repeated write stores nothing again", async () => {
  const account = await spec.service.createAccount();
  const headers = { "idempotency-key": "erased" };
  const first = await write(account, { content: "Ada lives in Paris" }, headers);
  expectOk(first);
  await account.rest("DELETE", "/agent/memories");
  const again = await write(account, { content: "Ada lives in Paris" }, headers);
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(await list(account, { include_superseded: "true" })).toMatchObject({ count: 0 });
});
