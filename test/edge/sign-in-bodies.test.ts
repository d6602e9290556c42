/** Bodies that nobody has to send a key with: small, few at once, and refused before they are read. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TEST_ENGINES } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** Only a service on the embedded database takes links to sign in. */
const TAKES_LINKS = !TEST_ENGINES.includes("postgres");

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const DASHBOARD = { "x-dashboard": "1", "sec-fetch-site": "same-origin" };

function signIn(body: string, headers: Record<string, string> = {}): Promise<Response> {
  const path = "/agentmemory.dashboard.v1.SignInService/SignIn";
  return fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

const manyKeys = `{${Array.from({ length: 49_000 }, (_, index) => `"k${index}":1`).join(",")}}`;

test("a sign-in that no page of the dashboard sends is refused before its body is read", async () => {
  for (const body of [manyKeys, "[".repeat(1_000_000), "{}"]) {
    const answer = await signIn(body);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  }
});

test.runIf(TAKES_LINKS)("a sign-in takes a few kilobytes, also from the dashboard", async () => {
  const answer = await signIn(manyKeys, DASHBOARD);
  expect(answer.status).toBe(429);
  expect(await answer.json()).toMatchObject({
    code: "resource_exhausted",
    details: [{ debug: { reason: "body_too_large" } }, expect.anything()],
  });
});

test("of 200 such bodies at once none is parsed", async () => {
  const parse = vi.spyOn(service.context.loopTurns, "next");
  await Promise.all(Array.from({ length: 200 }, () => signIn(manyKeys, DASHBOARD)));
  expect(parse).not.toHaveBeenCalled();
});
