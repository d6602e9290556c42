/** Signing in by an identity provider: a real one, over HTTP. */
import { randomUUID } from "node:crypto";
import { buildDashboard } from "@agent-memory/dashboard";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { SignInService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { toCompanyId } from "../../src/domain/ids.ts";
import { SECOND } from "../../src/domain/instant.ts";
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

const LOGOUT_PATH = "/dashboard/back-channel-logout";

let provider: TestIdentityProvider;
let open: TestService;
let closed: TestService;
beforeAll(async () => {
  await buildDashboard();
  provider = await startIdentityProvider();
  // Where it listens is known only then, so its own address stands for the browser's.
  provider.redirectUrl = "http://127.0.0.1:1/dashboard/sign-in/callback";
  provider.signedOutUrl = "http://127.0.0.1:1/dashboard";
  const { issuer, redirectUrl, signedOutUrl } = provider;
  const openId = { issuer, ...CLIENT, redirectUrl, signedOutUrl };
  [open, closed] = (await Promise.all(
    [true, false].map((signUp) =>
      startTestService({ config: { dashboard: { url: null, provider: openId, signUp } } }),
    ),
  )) as [TestService, TestService];
  provider.logoutUrl = `${open.url}${LOGOUT_PATH}`;
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

  test("a provider that is away is said to be", async () => {
    const gone = await startIdentityProvider();
    gone.close();
    const { redirectUrl, signedOutUrl } = provider;
    const openId = { issuer: gone.issuer, ...CLIENT, redirectUrl, signedOutUrl };
    const service = await startTestService({
      config: { dashboard: { url: null, provider: openId, signUp: true } },
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

/** A session of a user who signs in, and the browser with what the provider remembers of it. */
async function signedIn(userId = `user-${randomUUID()}`) {
  const { browser, callback } = await comeBack(open, userId);
  const { token } = await finish(open, browser, callback);
  const { session } = dashboardClients(open, `agent_memory_session=${token}`);
  const isGood = () => {
    // Servers remember a session for a moment.
    open.clock.advance(SECOND);
    return session.getSession({}).then(
      () => true,
      () => false,
    );
  };
  return { userId, browser, session, isGood };
}

/** How the service answers the provider that says somebody signed out. */
async function tell(token: string): Promise<number> {
  const body = new URLSearchParams({ logout_token: token });
  return (await fetch(`${open.url}${LOGOUT_PATH}`, { method: "POST", body })).status;
}

describe("signing out", () => {
  test("leads to the provider, which knows who it is, and back", async () => {
    const { browser, session, isGood } = await signedIn();
    const { endSessionUrl = "" } = await session.signOut({});
    const url = new URL(endSessionUrl);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get("id_token_hint")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await isGood()).toBe(false);
    const back = await browser.submit(await browser.get(endSessionUrl), { logout: "yes" });
    expect(back.headers.get("location")).toBe(provider.signedOutUrl);
  });

  test("at the provider ends the session that it began here, and no other", async () => {
    const there = await signedIn();
    const elsewhere = await signedIn(there.userId);
    const asked = await there.browser.get(`${provider.issuer}/session/end?client_id=memory`);
    await there.browser.submit(asked, { logout: "yes" });
    expect([await there.isGood(), await elsewhere.isGood()]).toEqual([false, true]);
  });

  test("by the user's ID alone ends every session of the user, once", async () => {
    const first = await signedIn();
    const second = await signedIn(first.userId);
    const other = await signedIn();
    const token = await provider.signLogoutToken({ sub: first.userId });
    expect(await tell(token)).toBe(200);
    expect([await first.isGood(), await second.isGood(), await other.isGood()]).toEqual([
      false,
      false,
      true,
    ]);
    const again = await signedIn(first.userId);
    expect(await tell(token)).toBe(400);
    expect(await again.isGood()).toBe(true);
  });

  test.each<[what: string, claims: Readonly<Record<string, unknown>>]>([
    ["of another issuer", { iss: "https://example.com" }],
    ["for another service", { aud: "another" }],
    ["that is too old", { iat: Math.floor(Date.now() / 1_000) - 3_600 }],
    ["that has expired", { exp: Math.floor(Date.now() / 1_000) - 600 }],
    ["that does not say when", { iat: undefined }],
    ["that is no logout's", { events: { "http://schemas.openid.net/event/other": {} } }],
    ["without an event", { events: undefined }],
    ["with a nonce", { nonce: "n" }],
    ["without an ID of its own", { jti: undefined }],
    ["of nobody", { sub: undefined }],
  ])("is not believed by a token %s", async (_, claims) => {
    const { userId, isGood } = await signedIn();
    expect(await tell(await provider.signLogoutToken({ sub: userId, ...claims }))).toBe(400);
    expect(await isGood()).toBe(true);
  });

  test("is not believed by a token that another signed, or by none", async () => {
    const { userId, isGood } = await signedIn();
    const stranger = await startIdentityProvider();
    stranger.close();
    const forged = await stranger.signLogoutToken({ sub: userId, iss: provider.issuer });
    for (const token of [forged, "", "no.to.ken", "x".repeat(40_000)]) {
      expect(await tell(token)).toBe(400);
    }
    const [head, claims] = (await provider.signLogoutToken({ sub: userId })).split(".");
    const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
    expect(await tell(`${unsigned}.${claims}.`)).toBe(400);
    expect(await tell(`${head}.${claims}.`)).toBe(400);
    expect(await isGood()).toBe(true);
    expect((await fetch(`${open.url}${LOGOUT_PATH}`)).status).toBe(405);
  });
});
