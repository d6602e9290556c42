/** No embedding model is called for a write that the quota refuses (D29). */
import { beforeEach, expect, test } from "vitest";
import { forThisFile } from "../../support/for-this-file.ts";
import { startTestService, type TestAccount } from "../../support/service.ts";
import { choiceOf, startFakeVendor } from "./vendors.ts";

let account: TestAccount;

const model = await forThisFile(startFakeVendor("openai"));
const models = choiceOf("openai", model, { chat: { provider: "local" } });
const service = await forThisFile(startTestService({ config: { models } }));
beforeEach(async () => {
  account = await service.createAccount();
  model.reset();
});

async function write(content: string, auto_supersede = false): Promise<number> {
  const body = { content, auto_supersede };
  const { status } = await account.rest("POST", "/agent/memories", { body });
  return status;
}

test("D29: a write when nearly all of the quota is used calls the model after the quota is read", async () => {
  await service.updateAccount(account.companyId, { writesLimit: 1 });
  expect(await write("Ana lives in Oslo")).toBe(200);
  model.reset();
  expect(await write("Ana has a dog")).toBe(429);
  expect(model.requests).toEqual([]);
});

test("D29: a write whose quota was used up by another server leaves the model alone", async () => {
  await service.clock.hold(async () => {
    const { body: plan } = await account.rest("GET", "/plan/status");
    expect(await write("Ana lives in Oslo")).toBe(200);
    // As another server counts, whose writes this one does not know of yet.
    await service.context.db
      .updateTable("write_usage")
      .set({ writes_used: plan.writes_limit })
      .where("company_id", "=", account.companyId)
      .execute();
    model.reset();
    expect(await write("Ana has a dog", true)).toBe(429);
    expect(model.requests).toEqual([]);
  });
});
