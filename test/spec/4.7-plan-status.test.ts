import { describe, expect, test } from "vitest";
import { DAY } from "../../src/domain/instant.ts";
import { expectInvalid, iso, plan, rememberMany, TIMESTAMP, UUID, write } from "./calls.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

test("4.7 response, D2: exactly the plan status object", async () => {
  const account = await spec.service.createAccount();
  expect(await plan(account)).toEqual({
    org_id: expect.stringMatching(UUID),
    plan_tier: "starter",
    plan_status: "active",
    writes_used: 0,
    writes_limit: 10_000,
    writes_remaining: 10_000,
    period_start: expect.stringMatching(TIMESTAMP),
    in_grace_period: false,
    blocked: false,
  });
});

describe("2.7 plan status object", () => {
  test("2.7 org_id: the organization's, whatever the key", async () => {
    const [one, stranger] = [
      await spec.service.createAccount(),
      await spec.service.createAccount(),
    ];
    const other = await spec.service.createKey(one.companyId);
    expect((await plan(other)).org_id).toBe((await plan(one)).org_id);
    expect((await plan(stranger)).org_id).not.toBe((await plan(one)).org_id);
  });

  test.each([
    ["starter", "active", 10_000],
    ["pro", "past_due", 100_000],
    ["pro", "canceled", 100_000],
  ] as const)(
    "2.7 plan_tier, 2.7 plan_status, 2.7 writes_limit, D30: %s, %s",
    async (planTier, planStatus, writes_limit) => {
      const account = await spec.service.createAccount({ planTier, planStatus });
      const shown = { plan_tier: planTier, plan_status: planStatus, writes_limit };
      expect(await plan(account)).toMatchObject(shown);
    },
  );

  test("2.7 writes_used, 2.7 writes_remaining: of the account, whatever the key", async () => {
    const account = await spec.service.createAccount({ writesLimit: 5 });
    const other = await spec.service.createKey(account.companyId);
    await rememberMany(account, 2);
    await rememberMany(other, 1);
    for (const caller of [account, other]) {
      expect(await plan(caller)).toMatchObject({
        writes_used: 3,
        writes_limit: 5,
        writes_remaining: 2,
      });
    }
  });

  test("2.7 period_start, D30: a calendar month, after which usage is 0 again", async () => {
    const start = spec.service.clock.now() - 27n * DAY;
    const account = await spec.service.createAccount({ periodStart: start, writesLimit: 1 });
    await rememberMany(account, 1);
    expect(await plan(account)).toMatchObject({ period_start: iso(start), writes_used: 1 });
    spec.service.clock.advance(5n * DAY);
    const next = await plan(account);
    expect(next).toMatchObject({
      writes_used: 0,
      writes_remaining: 1,
      in_grace_period: false,
      blocked: false,
    });
    // 28 to 31 days later, at the same time of day.
    const days = (Date.parse(next.period_start) - Date.parse(iso(start))) / 86_400_000;
    expect([28, 29, 30, 31]).toContain(days);
    expect((await write(account, { content: "Ada" })).status).toBe(200);
  });
});

test("D7: a parameter is refused", async () => {
  const account = await spec.service.createAccount();
  expectInvalid(await account.rest("GET", "/plan/status?company_id=x"), "company_id");
});
