/** Which texts the embedding model is sent, and when, through the whole service. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FakeModelServer } from "../../support/fake-upstream.ts";
import { startTestService, type TestAccount, type TestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor } from "./vendors.ts";

const CONTENT = "Ana lives in Oslo";
const QUESTION = "Where does Ana live?";

let model: FakeModelServer;
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  model = await startFakeVendor("openai");
  const models = choiceOf("openai", model, { chat: { provider: "local" } });
  service = await startTestService({ config: { models } });
});
afterAll(async () => {
  await service?.close();
  await model?.close();
});
beforeEach(async () => {
  account = await service.createAccount();
  model.reset();
});

async function write(of = account): Promise<number> {
  const { status } = await of.rest("POST", "/agent/memories", { body: { content: CONTENT } });
  return status;
}

const sent = () => model.requests.map(({ body }) => body.input);

test("a text that is written again, or at the same time, is sent once", async () => {
  expect(await Promise.all([write(), write(), write()])).toEqual([200, 200, 200]);
  expect(await write()).toBe(200);
  expect(sent()).toEqual([[CONTENT]]);
  const { body } = await account.rest("GET", "/agent/memories");
  expect(body.memories).toHaveLength(4);
});

test("a question that is asked again is sent once", async () => {
  const ask = () => account.rest("POST", "/agent/query", { body: { question: QUESTION } });
  for (const { status } of [await ask(), await ask()]) expect(status).toBe(200);
  expect(sent()).toEqual([[QUESTION]]);
});

test("each account sends its own", async () => {
  const other = await service.createAccount();
  expect([await write(), await write(other)]).toEqual([200, 200]);
  expect(sent()).toEqual([[CONTENT], [CONTENT]]);
});

test("nothing is kept of what was deleted", async () => {
  await write();
  const { status } = await account.rest("DELETE", "/agent/memories");
  expect(status).toBe(200);
  await write();
  expect(sent()).toEqual([[CONTENT], [CONTENT]]);
});

test("a refusal is not kept", async () => {
  model.next("bad_request");
  expect([await write(), await write()]).toEqual([503, 200]);
  expect(sent()).toEqual([[CONTENT], [CONTENT]]);
});

test("a write whose quota was used up meanwhile, elsewhere: 429, and the model is left alone", async () => {
  await service.clock.hold(async () => {
    const { body: plan } = await account.rest("GET", "/plan/status");
    expect(await write()).toBe(200);
    // As another server counts, whose writes this one does not know of yet.
    await service.context.db
      .updateTable("write_usage")
      .set({ writes_used: plan.writes_limit })
      .where("company_id", "=", account.companyId)
      .execute();
    model.always("stalling");
    const body = { content: "Ana has a dog", auto_supersede: true };
    expect((await account.rest("POST", "/agent/memories", { body })).status).toBe(429);
    // It may have been called by then, or not.
    for (const request of model.requests.slice(1)) await request.abandoned;
  });
});

test("a write when nearly all of the quota is used calls the model behind the look at it", async () => {
  await service.updateAccount(account.companyId, { writesLimit: 1 });
  expect(await write()).toBe(200);
  model.reset();
  const { status } = await account.rest("POST", "/agent/memories", { body: { content: "Ana" } });
  expect(status).toBe(429);
  expect(sent()).toEqual([]);
});
