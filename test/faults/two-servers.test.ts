/** Two servers on one Postgres keep the same promises as one. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../support/database.ts";
import { createRestClient, type RestAnswer, type RestClient } from "../support/rest-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import { expectWholeMemories, usedAndStored } from "./stored-state.ts";

describe.runIf(TEST_ENGINES.includes("postgres"))("two servers on one database", () => {
  let place: TestLocation;
  let first: TestService;
  let second: TestService;
  beforeAll(async () => {
    place = await newTestLocation("postgres");
    first = await startTestService({ place });
    second = await startTestService({ place });
  });
  afterAll(async () => {
    await first.close();
    await second.close();
    await place.remove();
  });

  /** The account's key on each server. */
  function clientsOf({ key }: TestAccount): readonly [RestClient, RestClient] {
    return [createRestClient(first.url, key), createRestClient(second.url, key)];
  }

  /** Calls spread over both servers, all at once. */
  function onBoth(
    account: TestAccount,
    count: number,
    call: (rest: RestClient, index: number) => Promise<RestAnswer>,
  ): Promise<RestAnswer[]> {
    const clients = clientsOf(account);
    return Promise.all(
      Array.from({ length: count }, (_, index) => call(clients[(index % 2) as 0 | 1], index)),
    );
  }

  const statusesOf = (answers: readonly RestAnswer[]) =>
    Object.fromEntries(
      [200, 409, 422, 429, 500, 503]
        .map((status) => [status, answers.filter((answer) => answer.status === status).length])
        .filter(([, count]) => count !== 0),
    );

  const contentOf = (content: string) => ({ content });

  const write = (rest: RestClient, content: string, headers = {}) =>
    rest("POST", "/agent/memories", { body: { content }, headers });

  async function newMemory(account: TestAccount, content: string): Promise<string> {
    return (await write(account.rest, content)).body.memory_id;
  }

  test("what one wrote, the other reads at once", async () => {
    const account = await first.createAccount();
    const [onFirst, onSecond] = clientsOf(account);
    for (let count = 1; count <= 6; count++) {
      const { body } = await write(count % 2 === 0 ? onFirst : onSecond, `Fact ${count}`);
      const other = count % 2 === 0 ? onSecond : onFirst;
      const listed = await other("GET", "/agent/memories", { query: { limit: "1" } });
      expect(listed.body.memories[0].id).toBe(body.memory_id);
    }
  });

  test("D29: exactly the quota is written, however many write at once", async () => {
    const account = await first.createAccount({ writesLimit: 50 });
    const answers = await onBoth(account, 120, (rest, index) => write(rest, `Fact ${index}`));
    expect(statusesOf(answers)).toEqual({ 200: 50, 429: 70 });
    expect(await usedAndStored(first.context.db, account.companyId)).toEqual({
      used: 50,
      stored: 50,
    });
  });

  test.each([
    [
      "stored before",
      ["Alice lives in Hamburg"],
      (city: string) => contentOf(`Alice lives in ${city}`),
    ],
    ["the first ones", [], (city: string) => contentOf(`Alice lives in ${city}`)],
    ["of no plain attribute", [], () => contentOf("Alice wohnt in Rom")],
    [
      "in a conversation",
      ["The user lives in Hamburg"],
      (city: string) => ({
        messages: [{ role: "user", content: `I live in ${city}.` }],
      }),
    ],
  ])(
    "D20, D23: of values of one attribute at once one is current: %s",
    async (_, before, bodyOf) => {
      const account = await first.createAccount();
      for (let round = 0; round < 5; round++) {
        const tenant = { tenant_id: `tenant-${round}`, auto_supersede: true };
        for (const content of before) {
          await account.rest("POST", "/agent/memories", { body: { content, ...tenant } });
        }
        const cities = ["Rome", "Oslo", "Paris", "Vienna"].slice(0, 2 + (round % 3));
        const answers = await onBoth(account, cities.length, (rest, index) =>
          rest("POST", "/agent/memories", { body: { ...bodyOf(cities[index] ?? ""), ...tenant } }),
        );
        expect(statusesOf(answers)).toEqual({ 200: cities.length });
        const query = { tenant_id: tenant.tenant_id };
        const { body } = await account.rest("GET", "/agent/memories", { query });
        expect(body.memories).toHaveLength(1);
      }
      await expectWholeMemories(first.context.db, account.companyId);
    },
  );

  test("D20: supersessions in a circle, all at once, leave a chain with one head", async () => {
    const account = await first.createAccount();
    for (let round = 0; round < 3; round++) {
      const length = 2 + (round % 4);
      const ids: string[] = [];
      for (let index = 0; index < length; index++) ids.push(await newMemory(account, `F${index}`));
      const answers = await onBoth(account, length, (rest, index) =>
        rest("POST", `/memories/${ids[index]}/supersede`, {
          body: { superseded_by: ids[(index + 1) % length] },
        }),
      );
      expect(statusesOf(answers)).toEqual({ 200: length - 1, 409: 1 });
      const { body } = await account.rest("GET", `/memories/${ids[0]}/timeline`);
      expect(body.chain_length).toBe(length);
      const heads = body.timeline.filter(
        ({ temporal }: { temporal: { is_current: boolean } }) => temporal.is_current,
      );
      expect(heads).toHaveLength(1);
    }
    await expectWholeMemories(first.context.db, account.companyId);
  });
});
