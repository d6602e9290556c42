/** What the classifier decided, as the account reviews it. */
import { expect } from "vitest";
import { ChainService } from "../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import {
  type Decision,
  ReviewService,
} from "../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import { remember } from "../spec/calls.ts";
import { accountClient } from "../support/dashboard-client.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

async function reviewOf(service: TestService, account: TestAccount) {
  const review = await accountClient(ReviewService, service, account);
  const chain = await accountClient(ChainService, service, account);
  const list = async (filter: Parameters<typeof review.listDecisions>[0] = {}) => {
    const { decisions, nextPageToken } = await review.listDecisions(filter);
    const told = decisions.map(({ memory, replacement, outcome }) => [
      memory?.decision,
      replacement?.decision,
      outcome,
    ]);
    return { decisions, told, nextPageToken };
  };
  const judge = ({ decidedIn, sequence, memory }: Decision, verdict?: "right" | "wrong") =>
    review.judgeDecision({ decidedIn, sequence, memoryId: memory?.id ?? "", verdict });
  return { review, chain, list, judge };
}

const colour = (account: TestAccount, name: string, more: object = {}) =>
  account.rest("POST", "/agent/memories", {
    body: { content: `Alice's favourite colour is ${name}`, auto_supersede: true, ...more },
  });
const shadow = (account: TestAccount) =>
  account.rest("PATCH", "/agent/settings", { body: { auto_supersede_mode: "shadow" } });

serviceTest(
  "decisions are listed newest first, with what became of them",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const { list } = await reviewOf(service, account);
    await colour(account, "blue");
    await colour(account, "green");
    await shadow(account);
    await colour(account, "red");
    const [blue, green, red] = ["blue", "green", "red"].map(
      (name) => `Alice's favourite colour is ${name}`,
    );
    const { decisions, told } = await list();
    expect(told).toEqual([
      [green, red, "watched"],
      [blue, green, "applied"],
    ]);
    const [watched, applied] = decisions;
    await account.rest("POST", `/memories/${watched?.memory?.id}/supersede`, {
      body: { superseded_by: watched?.replacement?.id },
    });
    expect((await list()).told[0]?.at(2)).toBe("accepted");
    await account.rest("DELETE", "/agent/memories");
    expect((await list()).told).toEqual([]);
    expect(applied).toMatchObject({ apiKeyId: account.apiKeyId, isOpen: true });
    expect(applied?.confidence).toBeGreaterThan(0.5);
    expect(applied?.model).not.toBe("");
  },
);

serviceTest(
  "a verdict is done, kept and counted, and can be taken back",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const { review, list, judge } = await reviewOf(service, account);
    for (const name of ["blue", "green"]) await colour(account, name);
    await shadow(account);
    await colour(account, "red");
    const outcomes = async () => (await list()).told.map((each) => each.at(2));
    const verdicts = async () => (await list()).decisions.map(({ verdict }) => verdict);
    const [watched, applied] = (await list({ onlyOpen: true })).decisions as [Decision, Decision];
    expect(await review.getRecord({})).toMatchObject({ endedCount: 1, openCount: 2 });
    // What was accepted is the classifier's, and can be taken back as its own ends can.
    await judge(watched, "right");
    expect(await outcomes()).toEqual(["accepted", "applied"]);
    await judge(watched);
    expect(await outcomes()).toEqual(["watched", "applied"]);
    await judge(applied, "wrong");
    expect(await outcomes()).toEqual(["watched", "restored"]);
    await judge(applied);
    expect(await outcomes()).toEqual(["watched", "applied"]);
    await judge(applied, "wrong");
    await judge(watched, "wrong");
    expect(await outcomes()).toEqual(["watched", "restored"]);
    expect(await verdicts()).toEqual(["wrong", "wrong"]);
    expect((await list({ onlyOpen: true })).told).toEqual([]);
    const { model } = applied;
    const by = { apiKeyId: account.apiKeyId, model, rightCount: 0, wrongCount: 1 };
    expect(await review.getRecord({})).toMatchObject({
      openCount: 0,
      verdicts: [
        { ...by, isShadow: false },
        { ...by, isShadow: true },
      ],
    });
    const stranger = await reviewOf(service, await service.createAccount());
    await expect(stranger.judge(applied, "right")).rejects.toThrow("decided_in");
    // A verdict holds no text, and goes with the memories.
    await account.rest("DELETE", "/agent/memories");
    expect((await review.getRecord({})).verdicts).toEqual([]);
  },
);

serviceTest(
  "nothing is offered that must fail: what can change nothing is an opinion",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const { list, judge } = await reviewOf(service, account);
    for (const name of ["blue", "green", "red"]) await colour(account, name);
    const [last, first] = (await list()).decisions as [Decision, Decision];
    expect([last.isReversible, first.isReversible]).toEqual([true, false]);
    await judge(first, "wrong");
    expect((await list()).told.map((each) => each.at(2))).toEqual(["applied", "applied"]);
    expect((await list({ onlyOpen: true })).decisions).toHaveLength(1);
    // Once the one behind it is restored, the first can be.
    await judge(last, "wrong");
    const again = (await list()).decisions[1] as Decision;
    expect(again).toMatchObject({ isReversible: true, verdict: "wrong" });
    await judge(again, "wrong");
    expect((await list()).told.map((each) => each.at(2))).toEqual(["restored", "restored"]);
  },
);

serviceTest(
  "they are filtered by tenant, key, confidence and kind",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const { list } = await reviewOf(service, account);
    for (const name of ["blue", "green"]) await colour(account, name);
    await shadow(account);
    for (const name of ["blue", "green"]) await colour(account, name, { tenant_id: "acme" });
    const { decisions } = await list();
    const [inShadow, applied] = decisions as [Decision, Decision];
    for (const [filter, expected] of [
      [{ tenantId: "acme" }, [inShadow]],
      [{ tenantId: "" }, [applied]],
      [{ kind: "shadow" }, [inShadow]],
      [{ kind: "superseded" }, [applied]],
      [{ kind: "retracted" }, []],
      [{ apiKeyId: account.apiKeyId }, [inShadow, applied]],
      [{ apiKeyId: service.context.newId() }, []],
      [{ minConfidence: applied.confidence }, [inShadow, applied]],
      [{ belowConfidence: applied.confidence }, []],
    ] as const) {
      expect((await list(filter)).decisions, JSON.stringify(filter)).toEqual(expected);
    }
    await expect(list({ kind: "other" })).rejects.toThrow("kind");
  },
);

serviceTest("a correction keeps its reason", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const { chain } = await reviewOf(service, account);
  const memoryId = await remember(account, "Ada is 36");
  const supersededBy = await remember(account, "Ada is 37");
  await expect(chain.correctMemory({ memoryId, supersededBy })).rejects.toThrow("reason");
  await chain.correctMemory({ memoryId, supersededBy, reason: "It was her birthday" });
  const { ends } = await chain.listEnds({ memoryIds: [memoryId] });
  expect(ends).toMatchObject([{ memoryId, reason: "It was her birthday" }]);
  expect(ends[0]?.confidence).toBeUndefined();
  const restored = await account.rest("POST", `/memories/${memoryId}/restore`);
  expect(restored.body.reason).toBe("not_restorable");
});

serviceTest("what changed between two days", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const { chain } = await reviewOf(service, account);
  const live = (city: string, day: string) =>
    remember(account, `Ada lives in ${city}`, { valid_from: `${day}T00:00:00Z` });
  const [rome, oslo] = [await live("Rome", "2024-03-01"), await live("Oslo", "2025-06-01")];
  await account.rest("POST", `/memories/${rome}/supersede`, { body: { superseded_by: oslo } });
  const changes = async (after: string, until: string, isByLearning = false) => {
    const [from, to] = [after, until].map((day) => ({
      seconds: BigInt(Date.parse(day) / 1_000),
      nanos: 0,
    }));
    const { changes: found, hasMore } = await chain.listChanges({
      ...{ after: from, until: to, isByLearning },
    });
    expect(hasMore).toBe(false);
    return found.map(({ isBeginning, memory }) => [isBeginning, memory?.decision]);
  };
  expect(await changes("2025-01-01", "2025-12-31")).toEqual([
    [true, "Ada lives in Oslo"],
    [false, "Ada lives in Rome"],
  ]);
  expect(await changes("2024-01-01", "2025-01-01")).toEqual([[true, "Ada lives in Rome"]]);
  expect(await changes("2024-01-01", "2025-12-31", true)).toEqual([]);
  expect(await changes("2025-12-31", "2126-01-01", true)).toHaveLength(3);
  await expect(chain.listChanges({})).rejects.toThrow("after");
});

serviceTest("a page holds 20, and the next one goes on", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const { list } = await reviewOf(service, account);
  for (let count = 0; count < 23; count++) await colour(account, count % 2 ? "blue" : "green");
  const first = await list();
  const second = await list({ pageToken: first.nextPageToken });
  expect([first.told.length, second.told.length]).toEqual([20, 2]);
  expect(second.nextPageToken).toBeUndefined();
  const all = [...first.decisions, ...second.decisions].map(({ memory }) => memory?.id);
  expect(new Set(all).size).toBe(22);
  await expect(list({ pageToken: "x" })).rejects.toThrow("page_token");
  const other = await reviewOf(service, await service.createAccount());
  expect((await other.list({ pageToken: first.nextPageToken })).told).toEqual([]);
});
