/** The log of an account's calls, and what they come to. */
import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { CallService } from "../../gen/agentmemory/dashboard/v1/call_service_pb.ts";
import { EARLIEST_INSTANT } from "../../src/domain/instant.ts";
import { MAX_LOGGED_CALLS } from "../../src/domain/logged-call.ts";
import { addUpOldCalls, sumCalls } from "../../src/storage/calls.ts";
import { tablesWithTexts } from "../spec/stored-text.ts";
import { accountClient } from "../support/dashboard-client.ts";
import { logCalls } from "../support/logged-calls.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

const logOf = (service: TestService, account: TestAccount) =>
  accountClient(CallService, service, account);
type Log = Awaited<ReturnType<typeof logOf>>;

/** The only call of this request ID. A call has ended a moment after its answer is read. */
async function callOf(log: Log, request: string) {
  await expect.poll(async () => (await log.listCalls({ request })).totalCount).toBe(1);
  const [call] = (await log.listCalls({ request })).calls;
  if (call === undefined) throw new Error("it was there");
  return call;
}

const said = (content: string) => ({ messages: [{ role: "user", content }] });

describe("a call is logged", () => {
  serviceTest(
    "by its request ID, with who called what, how it ended and why",
    async ({ sharedService: service }) => {
      const account = await service.createAccount();
      const log = await logOf(service, account);
      const headers = { "x-request-id": "abc" };
      const body = { content: "Alice lives in Berlin", tenant_id: "acme" };
      await account.rest("POST", "/agent/memories", { body, headers });
      expect(await callOf(log, "abc")).toMatchObject({
        ...{ actor: account.apiKeyId, rpc: "CreateMemories", tenantIds: ["acme"] },
        ...{ status: 200, savedCount: 1, requestId: "abc" },
      });
      const refused = { "x-request-id": "refused" };
      await account.rest("POST", "/agent/memories", { body: {}, headers: refused });
      const call = await callOf(log, "refused");
      expect(call).toMatchObject({ status: 422, reason: "invalid_field", tenantIds: [""] });
      expect(call.totalMs).toBeGreaterThan(0);
      for (const filter of [
        ...[{ actor: account.apiKeyId, reason: "invalid_field" }, { status: 422 }],
        ...[
          { tenant: "", isFailure: true },
          { rpc: "CreateMemories", isFailure: true },
        ],
      ]) {
        expect((await log.listCalls(filter)).calls.map(({ requestId }) => requestId)).toEqual([
          "refused",
        ]);
      }
      for (const filter of [{ tenant: "of nobody" }, { minTokens: 1 }, { minMs: 100_000 }]) {
        expect((await log.listCalls(filter)).totalCount).toBe(0);
      }
    },
  );

  serviceTest(
    "with what was said in it, written, replaced and rejected",
    async ({ sharedService: service }) => {
      const account = await service.createAccount();
      const log = await logOf(service, account);
      const write = (content: string, id: string) =>
        account.rest("POST", "/agent/memories", {
          body: { ...said(content), auto_supersede: true },
          headers: { "x-request-id": id },
        });
      await write("My favourite colour is blue.", "first");
      await write("My favourite colour is green.", "second");
      await write("Ich wohne seit drei Jahren in Hamburg.", "third");
      const { id } = await callOf(log, "second");
      const { written, replaced } = await log.getCall({ id });
      expect(written.map(({ sourceCitation }) => sourceCitation?.originalMessage)).toEqual([
        "My favourite colour is green.",
      ]);
      expect(replaced.map(({ decision }) => decision)).toEqual([expect.stringContaining("blue")]);
      const third = await log.getCall({ id: (await callOf(log, "third")).id });
      expect(third.written).toEqual([]);
      expect(third.rejected.map(({ reason }) => reason)).toEqual(["unsupported_language"]);
      expect((await log.getCall({ id: randomUUID() })).call).toBeUndefined();
    },
  );

  serviceTest(
    "whatever text it had, which goes to no database before it is to be kept",
    async ({ sharedService: service }) => {
      const account = await service.createAccount();
      const asked = { question: "a\0", answer: "\ud83d", memoryIds: [] };
      await logCalls(service, account, [{ asked, requestId: "odd" }]);
      await callOf(await logOf(service, account), "odd");
    },
  );

  serviceTest(
    "with its question and answer only where the key's settings keep them",
    async ({ sharedService: service }) => {
      const account = await service.createAccount();
      const log = await logOf(service, account);
      await account.rest("POST", "/agent/memories", { body: { content: "Alice lives in Rome" } });
      const ask = async (id: string) => {
        const headers = { "x-request-id": id };
        const body = { question: "Where does Alice live?" };
        await account.rest("POST", "/agent/query", { body, headers });
        return log.getCall({ id: (await callOf(log, id)).id });
      };
      const { question, answer } = await ask("unasked");
      expect([question, answer]).toEqual([undefined, undefined]);
      await account.rest("PATCH", "/agent/settings", { body: { log_questions: true } });
      expect(await ask("asked")).toMatchObject({
        question: "Where does Alice live?",
        answer: expect.stringContaining("Rome"),
      });
    },
  );
});

serviceTest(
  "D43: an erasure leaves no byte of what was erased in any table, also of what waits to be logged",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const log = await logOf(service, account);
    const [secret, kept] = [
      `Quoll${randomUUID().slice(0, 8)}`,
      `Numbat${randomUUID().slice(0, 8)}`,
    ];
    await account.rest("PATCH", "/agent/settings", { body: { log_questions: true } });
    const ask = async (name: string, tenant_id: string) => {
      const body = { content: `${name} lives in Rome`, tenant_id };
      await account.rest("POST", "/agent/memories", { body });
      const question = { question: `Where does ${name} live?`, tenant_id };
      await account.rest("POST", "/agent/query", { body: question });
    };
    await ask(secret, "gone");
    await ask(kept, "stays");
    await expect
      .poll(async () => (await log.listCalls({ rpc: "QueryMemories" })).totalCount)
      .toBe(2);
    const holding = async () => {
      const found = await tablesWithTexts(service, [secret, kept]);
      return [found.get(secret) ?? [], found.get(kept) ?? []];
    };
    for (const tables of await holding()) expect(tables).toContain("calls");
    // It ends, and is not stored yet.
    const again = { question: `Where does ${secret} live?`, tenant_id: "gone" };
    await account.rest("POST", "/agent/query", { body: again });
    await account.rest("DELETE", "/agent/memories?tenant_id=gone");
    await expect
      .poll(async () => (await log.listCalls({ rpc: "DeleteMemories" })).totalCount)
      .toBe(1);
    const [ofSecret, ofKept] = await holding();
    expect(ofSecret).toEqual([]);
    expect(ofKept).toContain("calls");
  },
);

describe("usage", () => {
  serviceTest(
    "comes to the same by day, call, key, tenant and outcome",
    async ({ sharedService: service }) => {
      const account = await service.createAccount();
      const log = await logOf(service, account);
      const calls = [
        { totalMs: 10, savedCount: 2, rpc: "CreateMemories", tenantIds: ["a"] },
        { totalMs: 30, status: 429, reason: "rate_limited" },
        { totalMs: 20, actor: "dashboard", modelCalls: 1, inputTokens: 7 },
      ];
      await logCalls(service, account, calls);
      await logCalls(service, await service.createAccount(), calls);
      const usage = await log.getUsage({ days: 1 });
      for (const sums of [
        usage.byDay,
        usage.byRpc,
        usage.byActor,
        usage.byTenant,
        usage.byOutcome,
      ]) {
        const of = (count: "calls" | "failures" | "savedCount" | "totalMs") =>
          sums.reduce((sum, each) => sum + each[count], 0);
        expect([of("calls"), of("failures"), of("savedCount"), of("totalMs")]).toEqual([
          3, 1, 2, 60,
        ]);
      }
      expect(usage.byActor.map(({ actor, calls }) => [actor, calls])).toEqual([
        [account.apiKeyId, 2],
        ["dashboard", 1],
      ]);
      expect(usage.byRpc.find(({ rpc }) => rpc === "QueryMemories")).toMatchObject({
        ...{ calls: 2, p50Ms: 25, inputTokens: 7 },
      });
      await expect(log.getUsage({ days: 91 })).rejects.toThrow("days");
    },
  );

  serviceTest(
    "is the same once the oldest calls are no longer kept one by one",
    async ({ sharedService: service }) => {
      const account = await service.createAccount();
      const log = await logOf(service, account);
      const call = { tenantIds: ["a"], inputTokens: 3, modelCalls: 1, savedCount: 1 };
      const db = service.context.db.of(account.companyId as never);
      for (const extra of [4, 5]) {
        const calls = Array.from({ length: extra === 4 ? MAX_LOGGED_CALLS + 4 : 5 }, () => call);
        await logCalls(service, account, calls);
        await addUpOldCalls(db);
      }
      const { totalCount } = await log.listCalls({});
      expect(totalCount).toBe(MAX_LOGGED_CALLS);
      const { byTenant, byDay } = await log.getUsage({ days: 2 });
      const all = MAX_LOGGED_CALLS + 9;
      expect(byTenant).toMatchObject([
        { calls: all, savedCount: all, inputTokens: 3 * all, totalMs: 20 * all },
      ]);
      expect(byDay.reduce((sum, { calls }) => sum + calls, 0)).toBe(all);
      // Sums of the database are numbers, which JSON needs.
      const sums = await sumCalls(db, EARLIEST_INSTANT);
      expect(sums.byTenant).toMatchObject([{ inputTokens: 3 * all }]);
    },
  );
});
