/** Which texts the embedding model is sent, through the whole service. */
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
