/** The search by `npm run fuzz`, some of it, and that it finds what it looks for. */
import { describe, expect, test } from "vitest";
import { signIn } from "../../support/dashboard-client.ts";
import type { TestService } from "../../support/service.ts";
import { serviceTest } from "../../support/shared-service.ts";
import { runCampaign } from "./campaign.ts";
import { violationOf } from "./judge.ts";
import { failureText } from "./report.ts";
import type { FuzzedRequest } from "./requests.ts";

const REQUESTS = 1_000;
const SENDERS = 3;
const SEED = 2;
const NO_MEMORY = "01890000-0000-7000-8000-000000000000";

let service: TestService;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});

// Never tried again: a law that is broken once is broken.
test("whatever is sent, over whichever protocol, no law is broken", { retry: 0 }, async () => {
  const accounts = await Promise.all(
    Array.from({ length: SENDERS }, () => service.createAccount({ writesLimit: 1_000_000 })),
  );
  const result = await runCampaign({
    url: service.url,
    keys: accounts.map(({ key }) => key),
    cookies: await Promise.all(accounts.map((account) => signIn(service, account))),
    unknownKey: "svc_",
    foreignMemoryId: NO_MEMORY,
    count: REQUESTS,
    seed: SEED,
    maxMs: 100_000,
  });
  expect(result.failures.map(failureText)).toEqual([]);
  expect(result.readBack).toBeGreaterThan(REQUESTS / 10);
});

const request = { protocol: "rest", headers: [] as const } as unknown as FuzzedRequest;
const refused = {
  kind: "refused",
  reason: "internal",
  detail: "it failed",
  hasWait: false,
} as const;

describe("found as broken", () => {
  test.each([
    ["a defect", { ...refused, status: "500" }],
    ["a deadline that nobody set", { ...refused, status: "504", reason: "deadline_exceeded" }],
    ["a 503 without a wait", { ...refused, status: "503", reason: "overloaded" }],
    ["a reason that nobody knows", { ...refused, status: "409", reason: "because" }],
    ["no sentence", { ...refused, status: "409", detail: "no" }],
    ["a stack", { ...refused, status: "409", detail: "it failed\n    at f (a.ts:1:2)" }],
    ["SQL", { ...refused, status: "409", detail: "select id from memories failed" }],
    ["a 422 that names no field", { ...refused, status: "422", reason: "invalid_field" }],
    ["what is no JSON", { kind: "unreadable", why: "Unexpected token" } as const],
  ])("%s", (_what, outcome) => {
    expect(violationOf(request, outcome)).not.toBeNull();
  });
});
