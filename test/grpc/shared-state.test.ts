/** One account, seen by every protocol at once. */
import { afterAll, expect, test } from "vitest";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import type { ApiClient, ApiRequest, Rpc } from "./clients/api-client.ts";
import { ALL_CLIENTS } from "./clients/index.ts";

let service: TestService;
let account: TestAccount;
let clients: ApiClient[];
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  clients = Object.values(ALL_CLIENTS).map((connect) => connect(service.url));
});
afterAll(async () => {
  for (const client of clients) client.close();
});

/** What each protocol answers to the same call, with the key of the account. */
function ask(rpc: Rpc, request: ApiRequest, idempotencyKey?: string) {
  const options = { key: account.key, idempotencyKey };
  return Promise.all(clients.map((client) => client.call(rpc, request, options)));
}

function allEqual(answers: readonly unknown[]): void {
  for (const answer of answers) expect(answer).toEqual(answers[0]);
}

test("what is large is told alike, as text of every kind", async () => {
  account = await service.createAccount();
  const [first] = clients as [ApiClient];
  const ids: string[] = [];
  for (const text of ["x", "é", "😀", "\u0001", '"\\', "我"]) {
    const content = `${ids.length} ${text.repeat(8_000)}`;
    const outcome = await first.call("CreateMemories", { content }, { key: account.key });
    if (!outcome.ok) throw new Error(outcome.error.detail);
    ids.push(outcome.body.memory_id);
  }
  const [memory_id = "", ...others] = ids;
  for (const other of others) {
    const end = { memory_id: other, superseded_by: memory_id };
    await first.call("SupersedeMemory", end, { key: account.key });
  }
  const lists = await ask("ListMemories", { include_superseded: true });
  expect(lists[0]).toMatchObject({ ok: true, body: { count: ids.length } });
  allEqual(lists);
  allEqual(await ask("GetMemoryTimeline", { memory_id }));
  allEqual(await ask("QueryMemories", { question: "Where?", limit: 100 }));
});

test("D33: one idempotency key is one write, whichever protocols repeat it", async () => {
  account = await service.createAccount();
  const [first] = clients as [ApiClient];
  const request = { content: "Once", topic: "T", valid_from: "2020-01-01T00:00:00.000001Z" };
  const options = { key: account.key, idempotencyKey: "shared" };
  const original = await first.call("CreateMemories", request, options);
  expect(original.ok).toBe(true);
  allEqual([original, ...(await ask("CreateMemories", request, "shared"))]);
  expect((await account.rest("GET", "/agent/memories")).body.count).toBe(1);
});

test("D34: a page token of one protocol is good in every other", async () => {
  account = await service.createAccount();
  for (const content of ["One", "Two", "Three"]) {
    await account.rest("POST", "/agent/memories", { body: { content } });
  }
  const page = await account.rest("GET", "/agent/memories", { query: { limit: "1" } });
  const answers = await ask("ListMemories", { limit: 1, page_token: page.body.next_page_token });
  expect(answers[0]).toMatchObject({ ok: true, body: { memories: [{ decision: "Two" }] } });
  allEqual(answers);
});
