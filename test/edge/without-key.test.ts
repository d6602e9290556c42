/** Every path that is served without a key, and what a flood of it does to others. */
import { buildDashboard } from "@agent-memory/dashboard";
import { expect, test, vi } from "vitest";
import { memoryServiceRoutes } from "../../gen/agentmemory/v1/memory_service_rest.ts";
import { planServiceRoutes } from "../../gen/agentmemory/v1/plan_service_rest.ts";
import { settingsServiceRoutes } from "../../gen/agentmemory/v1/settings_service_rest.ts";
import { PAGE_HEADERS } from "../support/dashboard-client.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { CLIENT, startIdentityProvider } from "../support/identity-provider.ts";
import { startTestService } from "../support/service.ts";

const SIGN_IN = "/agentmemory.dashboard.v1.SignInService/SignIn";
/** Whoever adds a path that takes no key names it here, and has it flooded below. */
const OPEN = [
  "/healthz",
  "/readyz",
  "/openapi.json",
  "/docs",
  "/docs/page.js",
  "/docs/swagger-ui.css",
  "/docs/swagger-ui-bundle.js",
  "/dashboard",
  "/dashboard/",
  "/dashboard/assets/*",
  "/",
  "/dashboard/sign-in",
  "/dashboard/sign-in/callback",
  "/dashboard/back-channel-logout",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/agentmemory.dashboard.v1.SignInService/GetSignInMethods",
  SIGN_IN,
  "/grpc.health.v1.Health/Check",
  "/grpc.health.v1.Health/List",
  "/grpc.health.v1.Health/Watch",
  "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
  "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
];

await buildDashboard();
const provider = await forThisFile(startIdentityProvider());
provider.redirectUrl = "http://127.0.0.1:1/dashboard/sign-in/callback";
provider.signedOutUrl = "http://127.0.0.1:1/dashboard";
const { issuer, redirectUrl, signedOutUrl } = provider;
const openId = { issuer, ...CLIENT, redirectUrl, signedOutUrl };
const service = await forThisFile(
  startTestService({
    config: { dashboard: { url: null, provider: openId, signUp: false } },
  }),
);
const account = await service.createAccount();

const LARGE = Buffer.from(
  `{${Array.from({ length: 49_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
);

const RPC = /^\/(?:agentmemory|grpc)\./;
const ENVELOPE = Buffer.alloc(5);
ENVELOPE.writeUInt32BE(LARGE.length, 1);

/** As a page of the dashboard would ask, with a body that no method takes. */
function ask(path: string, method = "POST"): Promise<Response> {
  const type = RPC.test(path) ? "application/grpc-web+json" : "application/json";
  return fetch(service.url + path, {
    method,
    headers: { ...PAGE_HEADERS, "content-type": type },
    ...(method !== "GET" &&
      method !== "DELETE" && { body: RPC.test(path) ? Buffer.concat([ENVELOPE, LARGE]) : LARGE }),
    redirect: "manual",
  });
}

async function takesKey(answer: Response): Promise<boolean> {
  return answer.status === 401 || (await answer.text()).includes("grpc-status: 16");
}

const named = (path: string) => path.replace(/^(\/dashboard\/assets\/).+/, "$1*");

test("all paths but these take a key", async () => {
  // A server without links answers as for a link that nobody has.
  const open: string[] = [SIGN_IN];
  for (const path of service.paths) if (!(await takesKey(await ask(path)))) open.push(named(path));
  expect([...new Set(open)].toSorted()).toEqual(OPEN.toSorted());
  for (const { httpMethod, template } of [
    ...memoryServiceRoutes,
    ...settingsServiceRoutes,
    ...planServiceRoutes,
  ]) {
    expect((await ask(template, httpMethod)).status).toBe(401);
  }
});

test("a sign-in that no page of the dashboard sends is refused before its body is read", async () => {
  for (const body of [LARGE, "[".repeat(1_000_000), "{}"]) {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(service.url + SIGN_IN, { method: "POST", headers, body });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  }
});

test("a browser at the address alone comes to the dashboard, a program is told that nothing is there", async () => {
  const at = (accept: string) => fetch(service.url, { headers: { accept }, redirect: "manual" });
  const page = await at("text/html,application/xhtml+xml,*/*;q=0.8");
  expect([page.status, page.headers.get("location")]).toEqual([302, "/dashboard"]);
  const answer = await at("*/*");
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { detail: "there is nothing at this path", reason: "path_not_found" },
  ]);
});

test.each(OPEN)("of a flood of %s nothing is parsed, and others are answered", async (pattern) => {
  const parse = vi.spyOn(service.context.loopTurns, "next");
  const path = service.paths.find((each) => named(each) === pattern) ?? "";
  const leave = ({ body }: Response) => body?.cancel();
  const flood = ["GET", "POST"].flatMap((method) =>
    Array.from({ length: 12 }, () => ask(path, method).then(leave, () => {})),
  );
  for (let i = 0; i < 10; i++) {
    const { status } = await account.rest("GET", "/plan/status");
    expect(status).toBe(200);
  }
  await Promise.all(flood);
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});
