/** What a person erases, and has erased in time (D43, D44). */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ErasureService } from "../../gen/agentmemory/dashboard/v1/own_erasure_service_pb.ts";
import { type RetentionRule, WHOLE_ACCOUNT } from "../../src/domain/erasure.ts";
import { toCompanyId } from "../../src/domain/ids.ts";
import { DAY, HOUR, MINUTE } from "../../src/domain/instant.ts";
import { MAX_RETENTION_DAYS, MAX_RETENTION_RULES } from "../../src/domain/limits.ts";
import { applyRetention, eraseConfirmed } from "../../src/service/erasure.ts";
import { clientOf, PAGE_HEADERS, signIn } from "../support/dashboard-client.ts";
import type { TestAccount } from "../support/service.ts";
import {
  audit,
  expectFailure,
  listIds,
  memory,
  remember,
  supersede,
  timeline,
  unique,
} from "./calls.ts";
import { useSpec } from "./spec.ts";
import { tablesWithText } from "./stored-text.ts";

const spec = useSpec();
const everything = { include_superseded: "true" };

async function person(account: TestAccount) {
  const cookie = await signIn(spec.service, account);
  return clientOf(ErasureService, spec.service, { ...PAGE_HEADERS, cookie });
}

/** One run on each of so many servers, side by side. */
async function apply(servers = 1) {
  const { context } = spec.service;
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: servers }, () => applyRetention(context, signal)));
}

const rule = (more: Partial<RetentionRule>) => ({ confirmed: true, rule: more as object });

describe("one memory", () => {
  test("D43: a person counts it and erases it, and no byte of it is left", async () => {
    const account = await spec.service.createAccount();
    const erasure = await person(account);
    const secret = unique("Swordfish");
    const more = { tenant_id: "acme" };
    const old = await remember(account, "Ada's word is old", more);
    const memoryId = await remember(account, `Ada's word is ${secret}`, more);
    const newer = await remember(account, "Ada's word is newer", more);
    await supersede(account, old, { superseded_by: memoryId });
    await supersede(account, memoryId, { superseded_by: newer });
    expect(await erasure.eraseMemories({ memoryId })).toMatchObject({ memoryCount: 1 });
    expect((await memory(account, memoryId)).id).toBe(memoryId);
    expect(await erasure.eraseMemories({ memoryId, confirmed: true })).toMatchObject({
      memoryCount: 1,
    });
    expect(await tablesWithText(spec.service, secret)).toEqual([]);
    const chain = await timeline(account, old);
    expect(chain.timeline.map(({ id }: { id: string }) => id)).toEqual([old, newer]);
    expect((await audit(account, old)).history.at(-1)).toMatchObject({
      event: "neighbour_erased",
      actor: "dashboard",
    });
    expect(await erasure.eraseMemories({ memoryId, confirmed: true })).toMatchObject({
      memoryCount: 0,
    });
  });

  test("D43: an API key and another account's session erase none", async () => {
    const [account, other] = [
      await spec.service.createAccount(),
      await spec.service.createAccount(),
    ];
    const memoryId = await remember(account);
    const foreign = await person(other);
    expect((await foreign.eraseMemories({ memoryId, confirmed: true })).memoryCount).toBe(0);
    const headers = { authorization: `Bearer ${account.key}` };
    const byKey = clientOf(ErasureService, spec.service, headers);
    await expect(byKey.eraseMemories({ memoryId, confirmed: true })).rejects.toThrow();
    expect(await listIds(account)).toEqual([memoryId]);
  });

  test("D43: the operator counts, and erases as `operator`", async () => {
    const account = await spec.service.createAccount();
    const { context } = spec.service;
    const [old, memoryId] = [await remember(account), await remember(account)];
    await supersede(account, old, { superseded_by: memoryId });
    const scope = { ...WHOLE_ACCOUNT, memoryId: memoryId as never };
    const erase = (isConfirmed: boolean) =>
      eraseConfirmed(
        context,
        context.db.of(toCompanyId(account.companyId)),
        "operator",
        scope,
        isConfirmed,
      );
    expect(await erase(false)).toMatchObject({ memoryCount: 1 });
    expect(await erase(true)).toMatchObject({ memoryCount: 1, isPartial: false });
    expect((await audit(account, old)).history.at(-1).actor).toBe("operator");
    expectFailure(
      await account.rest("GET", `/memories/${memoryId}`),
      404,
      "memory_not_found",
      "memory_id",
    );
  });
});

describe("retention", () => {
  test.each([
    ["of the account", {}, ["crm in red", "agent in red", "agent in blue"]],
    ["of a tenant", { tenantId: "red" }, ["crm in red", "agent in red"]],
    ["of a source", { source: "agent" }, ["agent in red", "agent in blue"]],
    ["of both", { tenantId: "red", source: "crm" }, ["crm in red"]],
  ])("D44: a rule %s erases what is old enough, and nothing else", async (_, of, erased) => {
    const account = await spec.service.createAccount();
    const names = ["crm in red", "agent in red", "agent in blue"];
    const write = (name: string) => {
      const [source = "", tenant_id = ""] = name.split(" in ");
      return remember(account, name, { source, tenant_id });
    };
    const left = async () => {
      const lists = ["red", "blue"].map(async (tenant_id) => {
        const { body } = await account.rest("GET", "/agent/memories", { query: { tenant_id } });
        return body.memories.map(({ decision }: { decision: string }) => decision);
      });
      return (await Promise.all(lists)).flat().toSorted();
    };
    for (const name of names) await write(name);
    spec.service.clock.advance(29n * DAY);
    const set = rule({ ...of, allAfterDays: 30 });
    expect(
      (await (await person(account)).setRetentionRule({ ...set, confirmed: false })).dueCount,
    ).toBe(0);
    expect((await (await person(account)).listRetentionRules({})).rules).toEqual([]);
    await (await person(account)).setRetentionRule(set);
    await apply();
    expect(await left()).toEqual(names.toSorted());
    spec.service.clock.advance(2n * DAY);
    await write("agent in red");
    expect((await (await person(account)).setRetentionRule(set)).dueCount).toBe(erased.length);
    expect(await left()).toHaveLength(4);
    await apply(3);
    const kept = names.filter((name) => !erased.includes(name));
    expect(await left()).toEqual([...kept, "agent in red"].toSorted());
  });

  test("D44: what has ended goes after its days, as `retention`, and what is current stays", async () => {
    const account = await spec.service.createAccount();
    const start = spec.service.clock.now();
    const past = { valid_from: "2020-01-01T00:00:00Z", valid_to: "2020-02-01T00:00:00Z" };
    const old = await remember(account, "Old");
    const expired = await remember(account, "Written as ended long ago", past);
    const current = await remember(account, "Current");
    spec.service.clock.advance(20n * DAY);
    await supersede(account, old, { superseded_by: current });
    await (await person(account)).setRetentionRule(rule({ endedAfterDays: 7 }));
    await apply();
    // It ended long ago, and is known for longer than seven days.
    expect((await listIds(account, everything)).toSorted()).toEqual([old, current].toSorted());
    spec.service.clock.advance(8n * DAY);
    await apply();
    expect(await listIds(account, everything)).toEqual([current]);
    expect(expired).not.toBe(current);
    expect((await audit(account, current)).history.at(-1)).toMatchObject({
      event: "neighbour_erased",
      actor: "retention",
      detail: { erased: [old] },
    });
    expect(start).toBeLessThan(spec.service.clock.now());
  });

  test("D44: a rule is applied once an hour, by one server", async () => {
    const account = await spec.service.createAccount();
    const erasure = await person(account);
    await erasure.setRetentionRule(rule({ allAfterDays: 1 }));
    const told = vi.spyOn(spec.service.context.log, "info");
    onTestFinished(() => told.mockRestore());
    const runs = async (servers: number) => {
      told.mockClear();
      await apply(servers);
      const { companyId } = account;
      return told.mock.calls.filter(([fields]) => Object.values(fields).includes(companyId)).length;
    };
    expect(await runs(4)).toBe(1);
    expect(await runs(2)).toBe(0);
    spec.service.clock.advance(HOUR + MINUTE);
    expect(await runs(4)).toBe(1);
    await erasure.setRetentionRule({ confirmed: true, rule: {} });
    expect((await erasure.listRetentionRules({})).rules).toEqual([]);
    spec.service.clock.advance(HOUR + MINUTE);
    expect(await runs(1)).toBe(0);
  });

  test.each([
    [{ allAfterDays: 0 }, "rule.all_after_days"],
    [{ endedAfterDays: MAX_RETENTION_DAYS + 1 }, "rule.ended_after_days"],
    [{ tenantId: "", allAfterDays: 1 }, "rule.tenant_id"],
    [{ source: "a\u0000", allAfterDays: 1 }, "rule.source"],
  ])("D44: %j is refused", async (bad, field) => {
    const erasure = await person(await spec.service.createAccount());
    await expect(erasure.setRetentionRule(rule(bad))).rejects.toThrow(field);
    expect((await erasure.listRetentionRules({})).rules).toEqual([]);
  });

  test("D44, D8: an account has at most so many rules", async () => {
    const erasure = await person(await spec.service.createAccount());
    const set = (source: string) =>
      erasure.setRetentionRule(rule({ source, allAfterDays: MAX_RETENTION_DAYS }));
    for (let count = 0; count < MAX_RETENTION_RULES; count++) await set(`source ${count}`);
    await expect(set("one more")).rejects.toThrow("`rule`");
    await set("source 0");
    expect((await erasure.listRetentionRules({})).rules).toHaveLength(MAX_RETENTION_RULES);
  });
});
