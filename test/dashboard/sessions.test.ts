/** Who is signed in to the dashboard, and what their session may do. */
import { Code, type ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SignInService } from "../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/domain/instant.ts";
import { MAX_SESSIONS, SESSION_DAYS, SESSION_IDLE_HOURS } from "../../src/domain/session.ts";
import { clientOf, dashboardClients, PAGE_HEADERS, signIn } from "../support/dashboard-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** "ok", or the code that the call is refused with. */
function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "ok",
    ({ code }: ConnectError) => code,
  );
}

/** Whether a session is good, once no server remembers what it read of it before. */
function isGood(cookie: string): Promise<unknown> {
  service.clock.advance(SECOND);
  return outcomeOf(dashboardClients(service, cookie).session.getSession({}));
}

/** With the session of a new account. */
async function newSession(): Promise<{ account: TestAccount; cookie: string }> {
  const account = await service.createAccount();
  return { account, cookie: await signIn(service, account) };
}

describe("a session", () => {
  test("calls the API as its account, and its own services", async () => {
    const { account, cookie } = await newSession();
    const clients = dashboardClients(service, cookie);
    expect(await clients.session.getSession({})).toMatchObject({ companyId: account.companyId });
    await clients.memories.createMemories({ content: "Alice lives in Berlin" });
    const { body } = await account.rest("GET", "/agent/memories");
    expect(body.memories).toMatchObject([{ decision: "Alice lives in Berlin" }]);
  });

  test.each([
    ["without the header of the dashboard", { "sec-fetch-site": "same-origin" }],
    ["from another site", { ...PAGE_HEADERS, "sec-fetch-site": "cross-site" }],
    ["from another origin of the same site", { ...PAGE_HEADERS, "sec-fetch-site": "same-site" }],
    ["from another origin", { "x-dashboard": "1", origin: "https://example.com" }],
    ["from nowhere", { "x-dashboard": "1" }],
    ["beside a key that is none", { ...PAGE_HEADERS, authorization: "Bearer svc_no" }],
  ])("is not taken %s", async (_, headers) => {
    const { cookie } = await newSession();
    const { session, memories } = dashboardClients(service, cookie, headers);
    expect(await outcomeOf(session.getSession({}))).toBe(Code.Unauthenticated);
    expect(await outcomeOf(memories.listMemories({}))).toBe(Code.Unauthenticated);
  });

  test("is taken from the service's own origin where the browser says no more", async () => {
    const { cookie } = await newSession();
    const headers = { "x-dashboard": "1", origin: service.url };
    const { session } = dashboardClients(service, cookie, headers);
    expect(await outcomeOf(session.getSession({}))).toBe("ok");
  });

  test("is not a key, nor a key a session", async () => {
    const { account, cookie } = await newSession();
    const token = cookie.slice(cookie.indexOf("=") + 1);
    const byKey = (authorization: string) =>
      dashboardClients(service, "", { ...PAGE_HEADERS, authorization });
    expect(await outcomeOf(byKey(`Bearer ${token}`).memories.listMemories({}))).toBe(
      Code.Unauthenticated,
    );
    const { memories, apiKeys } = byKey(`Bearer ${account.key}`);
    expect(await outcomeOf(memories.listMemories({}))).toBe("ok");
    expect(await outcomeOf(apiKeys.createApiKey({}))).toBe(Code.Unauthenticated);
    expect(await isGood(`agent_memory_session=${account.key}`)).toBe(Code.Unauthenticated);
  });

  test("ends when it is not used", async () => {
    const { cookie } = await newSession();
    service.clock.advance(BigInt(SESSION_IDLE_HOURS - 1) * HOUR);
    expect(await isGood(cookie)).toBe("ok");
    service.clock.advance(BigInt(SESSION_IDLE_HOURS - 1) * HOUR);
    expect(await isGood(cookie)).toBe("ok");
    service.clock.advance(BigInt(SESSION_IDLE_HOURS) * HOUR);
    expect(await isGood(cookie)).toBe(Code.Unauthenticated);
  });

  test("ends in any case", async () => {
    const { cookie } = await newSession();
    const step = BigInt(SESSION_IDLE_HOURS - 1) * HOUR;
    for (let used = 0n; used + step < BigInt(SESSION_DAYS) * DAY; used += step) {
      expect(await isGood(cookie)).toBe("ok");
      service.clock.advance(step);
    }
    expect(await isGood(cookie)).toBe("ok");
    service.clock.advance(step);
    expect(await isGood(cookie)).toBe(Code.Unauthenticated);
  });

  test("ends when its owner signs out, and no other", async () => {
    const { account, cookie } = await newSession();
    const other = await signIn(service, account);
    let taken: string | null = null;
    await dashboardClients(service, cookie).session.signOut(
      {},
      { onHeader: (headers) => (taken = headers.get("set-cookie")) },
    );
    expect(taken).toMatch(/^agent_memory_session=; Path=\/; Max-Age=0;/);
    expect(await isGood(cookie)).toBe(Code.Unauthenticated);
    expect(await isGood(other)).toBe("ok");
  });

  test("ends at the limit of its rate too", async () => {
    const limited = await startTestService({ config: { rateLimit: true } });
    try {
      const account = await limited.createAccount({ rate: 1, burst: 1 });
      const { session } = dashboardClients(limited, await signIn(limited, account));
      const calls = await Promise.allSettled([1, 2, 3].map(() => session.getSession({})));
      expect(calls.some(({ status }) => status === "rejected")).toBe(true);
      await session.signOut({});
      await expect(session.getSession({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    } finally {
      await limited.close();
    }
  });

  test("ends once its account has more", async () => {
    const { account, cookie } = await newSession();
    for (let more = 1; more < MAX_SESSIONS; more++) {
      service.clock.advance(SECOND);
      await signIn(service, account);
    }
    expect(await isGood(cookie)).toBe("ok");
    service.clock.advance(SECOND);
    await signIn(service, account);
    expect(await isGood(cookie)).toBe(Code.Unauthenticated);
  });
});

/** What a link holds; null: there is none. */
function tokenOf(link: string | null): string | null {
  return link?.slice(link.lastIndexOf("/") + 1) ?? null;
}

describe("the sign-in link", () => {
  const links = (headers: Readonly<Record<string, string>> = PAGE_HEADERS) =>
    clientOf(SignInService, service, headers);

  const signInTo = async (companyId: string, headers?: Readonly<Record<string, string>>) => {
    const token = tokenOf((await printLink(service, companyId)).out.trim()) ?? "";
    return { token, outcome: () => outcomeOf(links(headers).signIn({ token })) };
  };

  test("is for the dashboard alone", async () => {
    const { companyId } = await service.createAccount();
    const fromElsewhere = { ...PAGE_HEADERS, "sec-fetch-site": "cross-site" };
    expect(await (await signInTo(companyId, fromElsewhere)).outcome()).toBe(Code.Unauthenticated);
    expect(await outcomeOf(links().signIn({ token: "another" }))).toBe(Code.Unauthenticated);
  });

  test("signs in to the account that it names, once, on any database", async () => {
    const { companyId } = await service.createAccount();
    const { token, outcome } = await signInTo(companyId);
    let cookie = "";
    await links().signIn({ token }, { onHeader: (h) => (cookie = h.get("set-cookie") ?? "") });
    expect(cookie).toMatch(
      /^agent_memory_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    const [session = ""] = cookie.split(";");
    const { session: pages } = dashboardClients(service, session);
    expect((await pages.getSession({})).companyId).toBe(companyId);
    expect(await outcome()).toBe(Code.Unauthenticated);
  });

  test("ends the account's link before it, and no other's", async () => {
    const [one, other] = [await service.createAccount(), await service.createAccount()];
    const first = await signInTo(one.companyId);
    const [second, others] = [await signInTo(one.companyId), await signInTo(other.companyId)];
    expect(await first.outcome()).toBe(Code.Unauthenticated);
    expect([await second.outcome(), await others.outcome()]).toEqual(["ok", "ok"]);
  });

  test("ends after ten minutes", async () => {
    const { companyId } = await service.createAccount();
    const intime = await signInTo(companyId);
    service.clock.advance(10n * MINUTE - SECOND);
    expect(await intime.outcome()).toBe("ok");
    const late = await signInTo(companyId);
    service.clock.advance(10n * MINUTE);
    expect(await late.outcome()).toBe(Code.Unauthenticated);
  });

  test("of a fresh machine is printed by its start", async () => {
    // With a database of several servers there is none.
    if (service.signInUrl === null) return;
    expect(service.signInUrl).toMatch(`${service.url}/dashboard#/sign-in/`);
    const { out } = await printLink(service);
    expect(await outcomeOf(links().signIn({ token: tokenOf(out.trim()) ?? "" }))).toBe("ok");
  });
});

test("secrets and memories are kept by no cache", async () => {
  const { account, cookie } = await newSession();
  const kept: unknown[] = [];
  const onHeader = (headers: Headers) => void kept.push(headers.get("cache-control"));
  await dashboardClients(service, cookie).apiKeys.createApiKey({}, { onHeader });
  const answer = await fetch(`${service.url}/agent/memories`, {
    headers: { authorization: `Bearer ${account.key}` },
  });
  expect([...kept, answer.headers.get("cache-control")]).toEqual(["no-store", "no-store"]);
});

/** What `admin sign-in-link` does at a service. */
async function printLink({ adminPort }: TestService, ...account: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const output = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const code = await runCommandLine(
    ["sign-in-link", ...account],
    { ADMIN_PORT: String(adminPort) },
    output,
  );
  return { code, out: out.join(""), err: err.join("") };
}

test("DASHBOARD=off: there is no page, no service and no session", async () => {
  const off = await startTestService({ config: { dashboard: null } });
  try {
    expect(off.signInUrl).toBeNull();
    expect((await printLink(off)).code).toBe(1);
    expect((await fetch(`${off.url}/dashboard`)).status).toBe(404);
    const { session, memories } = dashboardClients(
      off,
      await signIn(off, await off.createAccount()),
    );
    expect(await outcomeOf(session.getSession({}))).toBe(Code.Unimplemented);
    expect(await outcomeOf(memories.listMemories({}))).toBe(Code.Unauthenticated);
  } finally {
    await off.close();
  }
});
