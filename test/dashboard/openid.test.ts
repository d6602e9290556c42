/** Signing in by an identity provider: a real one, over HTTP. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { SignInService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { buildDashboard } from "../../src/dashboard/build.mjs";
import { toCompanyId } from "../../src/domain/ids.ts";
import { createAccount } from "../../src/service/admin/accounts.ts";
import { browserTest, NO_BROWSER } from "../support/chromium.ts";
import { clientOf, dashboardClients, PAGE_HEADERS } from "../support/dashboard-client.ts";
import {
  Browser,
  CLIENT,
  CODE_SECONDS,
  startIdentityProvider,
  type TestIdentityProvider,
} from "../support/identity-provider.ts";
import { startTestService, type TestService } from "../support/service.ts";

let provider: TestIdentityProvider;
let open: TestService;
let closed: TestService;
beforeAll(async () => {
  await buildDashboard();
  provider = await startIdentityProvider();
  // Where it listens is known only then, so its own address stands for the browser's.
  provider.redirectUrl = "http://127.0.0.1:1/dashboard/sign-in/callback";
  const openId = { issuer: provider.issuer, ...CLIENT, redirectUrl: provider.redirectUrl };
  [open, closed] = (await Promise.all(
    [true, false].map((signUp) =>
      startTestService({ config: { dashboard: { provider: openId, signUp } } }),
    ),
  )) as [TestService, TestService];
});
afterAll(async () => {
  await Promise.all([open.close(), closed.close()]);
  provider.close();
});

const isCallback = (url: string) => url.startsWith("http://127.0.0.1:1/");

/** Goes to the provider and back, up to the address that the provider sends the browser to. */
async function comeBack({ url }: TestService, userId: string, browser = new Browser()) {
  provider.userId = userId;
  const back = new URL(await browser.follow(`${url}/dashboard/sign-in`, isCallback));
  return { browser, callback: `${url}${back.pathname}${back.search}` };
}

/** Where the callback leads, and the session that it begins. */
async function finish(service: TestService, browser: Browser, callback: string) {
  const response = await browser.get(callback);
  expect(response.status).toBe(303);
  const token = browser.cookieOf(service.url, "agent_memory_session");
  return {
    location: response.headers.get("location"),
    cookies: response.headers.getSetCookie(),
    token,
  };
}

const REFUSED = { location: "/dashboard#/sign-in-failed/refused", token: undefined };

describe("signing in by an identity provider", () => {
  test("D38: the first sign-in creates the account, whose company_id is the user's ID", async () => {
    const userId = `user-${randomUUID()}`;
    const companies = [];
    for (let times = 0; times < 2; times++) {
      const { browser, callback } = await comeBack(open, userId);
      const { location, token, cookies } = await finish(open, browser, callback);
      expect(location).toBe("/dashboard");
      expect(cookies).toContainEqual(
        expect.stringMatching(/^agent_memory_session=.*HttpOnly; SameSite=Strict/),
      );
      const clients = dashboardClients(open, `agent_memory_session=${token}`);
      companies.push((await clients.session.getSession({})).companyId);
      const { apiKeys } = await clients.apiKeys.listApiKeys({});
      expect(apiKeys).toHaveLength(times);
      await clients.apiKeys.createApiKey({ name: "My agent" });
    }
    expect(companies).toEqual([userId, userId]);
  });

  test("D38: without sign-up only those get in who have an account", async () => {
    const userId = `user-${randomUUID()}`;
    const first = await comeBack(closed, userId);
    const refused = await finish(closed, first.browser, first.callback);
    expect(refused).toMatchObject({
      location: "/dashboard#/sign-in-failed/no-account",
      token: undefined,
    });
    await createAccount(closed.context, { companyId: toCompanyId(userId) });
    const second = await comeBack(closed, userId);
    expect((await finish(closed, second.browser, second.callback)).location).toBe("/dashboard");
  });

  test("a state of another sign-in is refused", async () => {
    const { browser, callback } = await comeBack(open, "user");
    const wrong = new URL(callback);
    wrong.searchParams.set("state", "another");
    expect(await finish(open, browser, wrong.href)).toMatchObject(REFUSED);
  });

  test("another browser cannot end a sign-in", async () => {
    const { callback } = await comeBack(open, "user");
    expect(await finish(open, new Browser(), callback)).toMatchObject(REFUSED);
    const mine = await comeBack(open, "user");
    expect(await finish(open, mine.browser, callback)).toMatchObject(REFUSED);
  });

  test("an answer is good once", async () => {
    const { browser, callback } = await comeBack(open, "user");
    const other = new Browser();
    const again = await comeBack(open, "user", other);
    expect((await finish(open, browser, callback)).location).toBe("/dashboard");
    expect((await finish(open, browser, callback)).location).toBe(REFUSED.location);
    // Nor is its code in another sign-in.
    const replayed = new URL(again.callback);
    replayed.searchParams.set("code", new URL(callback).searchParams.get("code") ?? "");
    expect(await finish(open, other, replayed.href)).toMatchObject(REFUSED);
  });

  test("an answer that has expired is refused", async () => {
    const { browser, callback } = await comeBack(open, "user");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + (CODE_SECONDS + 1) * 1_000 });
    try {
      expect(await finish(open, browser, callback)).toMatchObject(REFUSED);
    } finally {
      vi.useRealTimers();
    }
  });

  test("what the provider refuses is refused", async () => {
    const { browser, callback } = await comeBack(open, "user");
    const denied = new URL(callback);
    denied.searchParams.delete("code");
    denied.searchParams.set("error", "access_denied");
    expect(await finish(open, browser, denied.href)).toMatchObject(REFUSED);
  });

  test("a provider that is away is said to be", async () => {
    const gone = await startIdentityProvider();
    gone.close();
    const openId = { issuer: gone.issuer, ...CLIENT, redirectUrl: provider.redirectUrl };
    const service = await startTestService({
      config: { dashboard: { provider: openId, signUp: true } },
    });
    try {
      const { headers } = await new Browser().get(`${service.url}/dashboard/sign-in`);
      expect(headers.get("location")).toBe("/dashboard#/sign-in-failed/unavailable");
    } finally {
      await service.close();
    }
  });

  browserTest.skipIf(NO_BROWSER)(
    "the page leads to it, and says why nobody came back",
    async ({ browser }) => {
      const page = await browser.newPage();
      try {
        await page.goto(`${open.url}/dashboard`);
        const link = page.getByRole("link", { name: "Sign in" });
        expect(await link.getAttribute("href")).toBe("/dashboard/sign-in");
        await page.goto(`${open.url}/dashboard#/sign-in-failed/no-account`);
        await page.getByRole("alert").getByText("You have no account here").waitFor();
      } finally {
        await page.close();
      }
    },
  );

  test("the page is told how people sign in", async () => {
    const methods = await clientOf(SignInService, open, PAGE_HEADERS).getSignInMethods({});
    expect(methods.hasProvider).toBe(true);
    expect((await fetch(`${open.url}/dashboard/sign-in`, { method: "POST" })).status).toBe(405);
  });
});
