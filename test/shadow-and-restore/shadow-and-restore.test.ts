import { describe, expect, test } from "vitest";
import type { SupersessionClassifier } from "../../src/providers/supersession-classifier.ts";
import { restore } from "../spec/calls.ts";
import { classificationOf } from "../support/classification.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService, type TestAccount } from "../support/service.ts";

/** Every fact replaces the one most similar to it, for certain. */
const eagerClassifier: SupersessionClassifier = {
  async classify() {
    return classificationOf({
      supersededIndex: 0,
      confidence: 0.99,
      reason: "it is newer",
      model: "eager-1",
    });
  },
};

const service = await forThisFile(startTestService({ models: { classifier: eagerClassifier } }));

async function write({ rest }: TestAccount, content: string, more: object = {}) {
  const { status, body } = await rest("POST", "/agent/memories", {
    body: { content, auto_supersede: true, ...more },
  });
  expect(status).toBe(200);
  return body;
}

async function current({ rest }: TestAccount): Promise<string[]> {
  const { body } = await rest("GET", "/agent/memories");
  return body.memories.map((memory: { id: string }) => memory.id).toSorted();
}

/** A memory that the classifier superseded, and the one that replaced it. */
async function superseded(account: TestAccount, more: object = {}): Promise<[string, string]> {
  const { memory_id: old } = await write(account, "Ada lives in Paris", more);
  const { memory_id: replacement, auto_supersede } = await write(account, "Ada lives in Rome");
  expect(auto_supersede.supersession).toMatchObject({ memory_id: old, applied: true });
  return [old, replacement];
}

describe("shadow mode", () => {
  async function shadowed(): Promise<TestAccount> {
    const account = await service.createAccount();
    const body = { auto_supersede_mode: "shadow" };
    const { body: settings } = await account.rest("PATCH", "/agent/settings", { body });
    expect(settings.auto_supersede_mode).toBe("shadow");
    return account;
  }

  test("a decision is told, also in the history of the new memory, and nothing is superseded", async () => {
    const account = await shadowed();
    const { memory_id: old } = await write(account, "Ada lives in Paris");
    const { memory_id: id, auto_supersede } = await write(account, "Ada lives in Rome");
    expect(auto_supersede).toMatchObject({
      ran: true,
      skipped_reason: null,
      candidates_examined: 1,
      supersession: { memory_id: old, superseded_by: id, applied: false, model: "eager-1" },
    });
    expect(await current(account)).toEqual([old, id].toSorted());
    const events = async (memoryId: string) =>
      (await account.rest("GET", `/memories/${memoryId}/audit`)).body.history;
    expect((await events(id))[1]).toMatchObject({
      event: "classified",
      actor: "classifier",
      detail: { superseded: old, applied: false, confidence: 0.99 },
    });
    expect(await events(old)).toMatchObject([{ event: "created" }]);
  });
});

describe("restore", () => {
  test("the memory holds again, its former replacement stays, and the history says who did it", async () => {
    const account = await service.createAccount();
    const [old, replacement] = await superseded(account);
    const { status, body } = await restore(account, old);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: "restored", memory_id: old, replaced_by: replacement, valid_to: null },
    });
    expect(await current(account)).toEqual([old, replacement].toSorted());
    const { body: answer } = await account.rest("POST", "/agent/query", {
      body: { question: "Where does Ada live?" },
    });
    expect(answer.memories.map(({ id }: { id: string }) => id)).toContain(old);
    const { body: timeline } = await account.rest("GET", `/memories/${old}/timeline`);
    expect(timeline.chain_length).toBe(1);
    const { body: audit } = await account.rest("GET", `/memories/${old}/audit`);
    expect(audit.history.at(-1)).toMatchObject({
      event: "restored",
      actor: account.apiKeyId,
      detail: { superseded_by: replacement, valid_to: null },
    });
  });

  test("a restored memory can be superseded again", async () => {
    const account = await service.createAccount();
    const [old, replacement] = await superseded(account);
    await restore(account, old);
    const again = await account.rest("POST", `/memories/${old}/supersede`, {
      body: { superseded_by: replacement },
    });
    expect(again.status).toBe(200);
    expect((await restore(account, old)).status).toBe(409);
  });

  test("409 when the memory is current, ended by a call, or its chain has grown", async () => {
    const account = await service.createAccount();
    const { memory_id: alone } = await write(account, "Ada speaks Latin");
    const byCall = (id: string, body: object) =>
      account.rest("POST", `/memories/${id}/supersede`, { body });
    const refused = async (id: string) => {
      const { status, body } = await restore(account, id);
      expect({ status, reason: body.reason }).toEqual({ status: 409, reason: "not_restorable" });
    };
    await refused(alone);

    const [old, replacement] = await superseded(await service.createAccount());
    expect((await restore(account, old)).status).toBe(403);
    expect((await restore(account, replacement)).status).toBe(403);

    const [first, second] = await superseded(account);
    expect((await byCall(second, { valid_to: "2099-01-01T00:00:00Z" })).status).toBe(200);
    await refused(first);
    await refused(second);
  });

  test("of a restore and a call that grows the chain at once, one wins", async () => {
    const account = await service.createAccount();
    const [old, replacement] = await superseded(account);
    const [restored, grown] = await Promise.all([
      restore(account, old),
      account.rest("POST", `/memories/${replacement}/supersede`, {
        body: { valid_to: "2099-01-01T00:00:00Z" },
      }),
    ]);
    expect(grown.status).toBe(200);
    expect([200, 409]).toContain(restored.status);
    expect((await current(account)).length).toBe(restored.status === 200 ? 1 : 0);
  });
});
