import { expect, test } from "vitest";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService } from "../support/service.ts";

const ORIGIN = "https://app.example";

const service = await forThisFile(
  startTestService({ config: { corsOrigins: [ORIGIN, "http://localhost:3000"] } }),
);
const account = await service.createAccount();

/** What a browser asks before a script may send a request. */
function preflight(path: string, origin: string, method: string, headers: string) {
  return fetch(`${service.url}${path}`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": headers,
    },
  });
}

const PLAN = "/agentmemory.v1.PlanService/GetPlanStatus";
test.each([
  ["REST", "/agent/memories", "POST", "authorization,content-type,idempotency-key"],
  ["REST", "/agent/settings", "PATCH", "authorization,content-type"],
  ["REST", "/agent/memories", "DELETE", "authorization,x-request-id"],
  ["gRPC-Web", PLAN, "POST", "authorization,x-grpc-web,grpc-timeout"],
  ["Connect", PLAN, "POST", "authorization,connect-protocol-version,connect-timeout-ms"],
])("a script of a named origin may call by %s at %s, %s", async (_, path, method, headers) => {
  const answer = await preflight(path, ORIGIN, method, headers);
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
  expect(answer.headers.get("access-control-allow-methods")?.split(",")).toContain(method);
  const allowed = answer.headers.get("access-control-allow-headers")?.toLowerCase().split(",");
  for (const header of headers.split(",")) expect(allowed).toContain(header);
});

test("and may read what the answer says: the wait, the rate, the request's ID, the status of gRPC-Web", async () => {
  const answer = await fetch(`${service.url}/plan/status`, {
    headers: { origin: ORIGIN, authorization: `Bearer ${account.key}` },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
  const readable = answer.headers.get("access-control-expose-headers")?.toLowerCase().split(",");
  for (const name of [
    ...["retry-after", "ratelimit", "ratelimit-policy", "x-request-id"],
    ...["grpc-status", "grpc-status-details-bin"],
  ]) {
    expect(readable).toContain(name);
  }
  // Never with what a browser would send by itself.
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
});

test.each(["https://evil.example", "https://app.example.evil.example", "null"])(
  "a script of %s may not",
  async (origin) => {
    const answer = await preflight("/agent/memories", origin, "POST", "authorization");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    const refused = await fetch(`${service.url}/plan/status`, { headers: { origin } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
  },
);
