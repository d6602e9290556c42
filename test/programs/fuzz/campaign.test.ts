/** The search by `npm run fuzz`, some of it, and that it finds what it looks for. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { signIn } from "../../support/dashboard-client.ts";
import type { TestService } from "../../support/service.ts";
import { serviceTest } from "../../support/shared-service.ts";
import { type CampaignOptions, runCampaign } from "./campaign.ts";
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

const TIME = "2026-05-04T03:02:01.000000Z";
const VALIDITY = { valid_from: TIME, valid_to: null, superseded_by: null };
/** As documented, and of a memory that nobody wrote. */
const TIMELINE = {
  memory_id: NO_MEMORY,
  company_id: "somebody",
  chain_length: 1,
  next_page_token: null,
  timeline: [
    {
      id: NO_MEMORY,
      summary: "Something else",
      decision: "Something else",
      topic: "General",
      importance_score: 5,
      source: "agent",
      created_at: TIME,
      ...VALIDITY,
      source_citation: { type: "", channel: "", captured_at: TIME, original_message: "" },
      temporal: { ...VALIDITY, is_current: true, is_expired: false, is_superseded: false },
      tenant_id: null,
      metadata: {},
    },
  ],
};

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

  test("a write that reads back as another, shrunk, with how to see it again", async () => {
    const { failures } = await campaignAgainst((incoming, response) => {
      const isTimeline = incoming.url?.endsWith("/timeline") ?? false;
      const body = isTimeline ? TIMELINE : { status: "saved", memory_id: NO_MEMORY };
      incoming.resume();
      if (incoming.url?.startsWith("/agent/memories") && incoming.method === "GET") {
        response.statusCode = 404;
        response.end(JSON.stringify({ detail: "not here", reason: "path_not_found" }));
      } else response.end(JSON.stringify(body));
    });
    const lost = failures.find(({ request: { rpc } }) => rpc === "CreateMemories");
    // Which field it is found by goes by what the seed draws.
    expect(lost?.violation).toMatch(/^\w+ reads back as /);
    expect(lost?.request).toMatchObject({ damage: { kind: "none" }, headers: [], pathSuffix: "" });
    expect(lost && failureText(lost)).toContain(`--seed ${lost?.seed} --path ${lost?.path}`);
  });
});

/** Against a server that answers JSON of HTTP/1.1, whatever it is asked. */
async function campaignAgainst(
  answer: (incoming: IncomingMessage, response: ServerResponse) => void,
) {
  const server = createServer((incoming, response) => {
    response.setHeader("content-type", "application/json");
    answer(incoming, response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const options: CampaignOptions = {
    url: `http://127.0.0.1:${port}`,
    keys: ["svc_"],
    unknownKey: "svc_",
    foreignMemoryId: NO_MEMORY,
    count: 2_000,
    seed: SEED,
    maxMs: 60_000,
    requests: ({ protocol, httpVersion }) => protocol === "rest" && httpVersion === 1,
  };
  const result = await runCampaign(options);
  server.close();
  server.closeAllConnections();
  return result;
}
