/** What the classifier decided, as the account reviews it. */
import { expect } from "vitest";
import { ReviewService } from "../../gen/agentmemory/dashboard/v1/review_service_pb.ts";
import { clientOf, PAGE_HEADERS, signIn } from "../support/dashboard-client.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

async function reviewOf(service: TestService, account: TestAccount) {
  const headers = { ...PAGE_HEADERS, cookie: await signIn(service, account) };
  const review = clientOf(ReviewService, service, headers);
  return async (pageToken?: string) => {
    const { decisions, nextPageToken } = await review.listDecisions({ pageToken });
    const told = decisions.map(({ memory, replacement, outcome }) => [
      memory?.decision,
      replacement?.decision,
      outcome,
    ]);
    return { decisions, told, nextPageToken };
  };
}

const colour = (account: TestAccount, name: string) =>
  account.rest("POST", "/agent/memories", {
    body: { content: `Alice's favourite colour is ${name}`, auto_supersede: true },
  });

serviceTest(
  "decisions are listed newest first, with what became of them",
  async ({ sharedService: service }) => {
    const account = await service.createAccount();
    const review = await reviewOf(service, account);
    await colour(account, "blue");
    await colour(account, "green");
    await account.rest("PATCH", "/agent/settings", { body: { auto_supersede_mode: "shadow" } });
    await colour(account, "red");
    const [blue, green, red] = ["blue", "green", "red"].map(
      (name) => `Alice's favourite colour is ${name}`,
    );
    const { decisions, told } = await review();
    expect(told).toEqual([
      [green, red, "watched"],
      [blue, green, "applied"],
    ]);
    const [watched, applied] = decisions;
    await account.rest("POST", `/memories/${watched?.memory?.id}/supersede`, {
      body: { superseded_by: watched?.replacement?.id },
    });
    expect((await review()).told[0]?.at(2)).toBe("accepted");
    await account.rest("DELETE", "/agent/memories");
    expect((await review()).told).toEqual([]);
    expect(applied?.confidence).toBeGreaterThan(0.5);
  },
);

serviceTest("the record says how often it was wrong", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const headers = { ...PAGE_HEADERS, cookie: await signIn(service, account) };
  const review = clientOf(ReviewService, service, headers);
  for (const name of ["blue", "green", "red"]) await colour(account, name);
  expect(await review.getRecord({})).toMatchObject({ endedCount: 2, restoredCount: 0 });
  const { decisions } = await review.listDecisions({});
  const restored = await account.rest("POST", `/memories/${decisions[0]?.memory?.id}/restore`);
  expect(restored.status).toBe(200);
  expect(await review.getRecord({})).toMatchObject({ endedCount: 2, restoredCount: 1 });
});

serviceTest("a page holds 20, and the next one goes on", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const review = await reviewOf(service, account);
  for (let count = 0; count < 23; count++) await colour(account, count % 2 ? "blue" : "green");
  const first = await review();
  const second = await review(first.nextPageToken);
  expect([first.told.length, second.told.length]).toEqual([20, 2]);
  expect(second.nextPageToken).toBeUndefined();
  const all = [...first.decisions, ...second.decisions].map(({ memory }) => memory?.id);
  expect(new Set(all).size).toBe(22);
  await expect(review("x")).rejects.toThrow("page_token");
  const other = await reviewOf(service, await service.createAccount());
  expect((await other(first.nextPageToken)).told).toEqual([]);
});
