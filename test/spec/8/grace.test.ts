/** What works in grace, when blocked, past due and canceled (D30, D31). */
import { expect, test } from "vitest";
import { GRACE_DAYS } from "../../../src/domain/account.ts";
import { DAY, SECOND } from "../../../src/domain/instant.ts";
import type { RestAnswer } from "../../support/rest-client.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  expectFailure,
  expectOk,
  expectRetryAfter,
  plan,
  remember,
  supersede,
  write,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { secondsToNextPeriod } from "./quota.ts";

const spec = useSpec({ rateLimit: true });

type Call = (account: TestAccount, id: string) => Promise<RestAnswer>;
const CALLS: Record<string, Call> = {
  write: (account) => write(account, { content: "Ada" }),
  list: (account) => account.rest("GET", "/agent/memories"),
  query: (account) => account.rest("POST", "/agent/query", { body: { question: "Ada?" } }),
  timeline: (account, id) => account.rest("GET", `/memories/${id}/timeline`),
  audit: (account, id) => account.rest("GET", `/memories/${id}/audit`),
  settings: (account) => account.rest("GET", "/agent/settings"),
  "change of settings": (account) =>
    account.rest("PATCH", "/agent/settings", { body: { min_confidence: 0.5 } }),
  supersession: (account, id) => supersede(account, id, { valid_to: "2999-01-01T00:00:00Z" }),
  // There is nothing to take back: 409 says that it was admitted.
  restoration: (account, id) => account.rest("POST", `/memories/${id}/restore`),
  "plan status": (account) => account.rest("GET", "/plan/status"),
  deletion: (account) => account.rest("DELETE", "/agent/memories"),
};
const ALWAYS = ["plan status", "deletion"];

/** What each call answers, in the order above: the deletion last. */
async function statuses(account: TestAccount, id: string) {
  const answers: Record<string, string> = {};
  for (const [name, call] of Object.entries(CALLS)) {
    const { status, body } = await call(account, id);
    const isServed = status === 200 || body.reason === "not_restorable";
    answers[name] = isServed ? "served" : `${status} ${body.reason}`;
  }
  return answers;
}
const all = (answer: string, except: Record<string, string> = {}) => ({
  ...Object.fromEntries(Object.keys(CALLS).map((name) => [name, answer])),
  ...except,
});

test("3.2 within quota -> in grace period, 2.7 in_grace_period, 8 limit grace period, D30: writes answer 429, all else works", async () => {
  const account = await spec.service.createAccount({ writesLimit: 2 });
  const id = await remember(account);
  expect(await plan(account)).toMatchObject({ in_grace_period: false, blocked: false });
  await remember(account);
  expect(await plan(account)).toMatchObject({ in_grace_period: true, blocked: false });
  expect(await statuses(account, id)).toEqual(all("served", { write: "429 write_quota_exceeded" }));
});

test("3.2 in grace period -> blocked, 2.7 blocked, 8 limit grace period, D30: 7 days later reads answer 429 too", async () => {
  expect(GRACE_DAYS).toBe(7);
  const account = await spec.service.createAccount({ writesLimit: 1 });
  await spec.service.clock.hold(async () => {
    const id = await remember(account);
    spec.service.clock.advance(BigInt(GRACE_DAYS) * DAY - 1n);
    expectOk(await account.rest("GET", "/agent/memories"));
    expect(await plan(account)).toMatchObject({ in_grace_period: true, blocked: false });
    spec.service.clock.advance(1n);
    expect(await plan(account)).toMatchObject({ in_grace_period: false, blocked: true });
    for (const name of Object.keys(CALLS).filter((each) => !ALWAYS.includes(each))) {
      const refused = await CALLS[name]?.(account, id);
      if (refused === undefined) throw new Error(name);
      expectFailure(refused, 429, "plan_blocked");
      const wait = expectRetryAfter(refused);
      expect(Math.abs(wait - (await secondsToNextPeriod(spec, account)))).toBeLessThan(2);
    }
    expect(await statuses(account, id)).toEqual(
      all("429 plan_blocked", { "plan status": "served", deletion: "served" }),
    );
  });
});

test.each([
  ["D31: `past_due` works as active", "past_due", {}],
  [
    "D31: `canceled` refuses writes with 403 and serves the rest",
    "canceled",
    { write: "403 plan_canceled" },
  ],
] as const)("%s", async (_, planStatus, except) => {
  const account = await spec.service.createAccount();
  const id = await remember(account);
  await spec.service.updateAccount(account.companyId, { planStatus });
  spec.service.clock.advance(SECOND);
  expect(await statuses(account, id)).toEqual(all("served", except));
});
