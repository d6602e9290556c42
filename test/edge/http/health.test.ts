import { expect, test } from "vitest";
import {
  createReadiness,
  healthPaths,
  type ReadinessCheck,
} from "../../../src/edge/http/health.ts";
import { dispatch } from "../dispatcher-fixture.ts";
import { http1, http2, http2Session, listen, quietLog } from "../listener-fixture.ts";

const holding: ReadinessCheck = { name: "the database", check: async () => {} };
const failing: ReadinessCheck = {
  name: "the admin service",
  check: () => Promise.reject(new Error("connect postgres://user:hunter2@host")),
};
const hanging: ReadinessCheck = { name: "the migration", check: () => new Promise(() => {}) };

async function serve(checks: readonly ReadinessCheck[]): Promise<number> {
  const probes = healthPaths(createReadiness(checks, quietLog()));
  const { port } = await listen({ handler: dispatch({ probes }) });
  return port;
}

test("the process lives, whatever it depends on", async () => {
  const port = await serve([failing]);
  const answer = await http1({ port, path: "/healthz" });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual({ status: "ok" });
});

test("ready when every check holds, over HTTP/2 too", async () => {
  const port = await serve([holding, holding]);
  for (const answer of [
    await http1({ port, path: "/readyz?verbose" }),
    await http2(http2Session(port), { ":path": "/readyz" }),
  ]) {
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ status: "ok" });
  }
});

test.each([
  ["rejects", failing, "Not ready: the admin service failed"],
  ["does not answer within a second", hanging, "Not ready: the migration failed"],
])("not ready when a check %s; says which and nothing secret", async (_how, check, detail) => {
  const port = await serve([holding, check]);
  const answer = await http1({ port, path: "/readyz" });
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.body)).toEqual({ status: "unavailable", detail, reason: "not_ready" });
});

test("probes that overlap share one run of the checks", async () => {
  let runs = 0;
  const check = async () => void runs++;
  const readiness = createReadiness([{ name: "the database", check }], quietLog());
  expect(await Promise.all([readiness(), readiness()])).toEqual([null, null]);
  expect(runs).toBe(1);
});

test.each([
  ["/healthz", holding, 200],
  ["/readyz", holding, 200],
  ["/readyz", failing, 503],
])("HEAD %s has the status alone, over HTTP/2 too", async (path, check, status) => {
  const port = await serve([check]);
  for (const answer of [
    await http1({ port, path, method: "HEAD" }),
    await http2(http2Session(port), { ":path": path, ":method": "HEAD" }),
  ]) {
    expect(answer).toMatchObject({ status, body: "" });
  }
});

test.each(["/healthz", "/readyz"])("%s answers GET and HEAD only", async (path) => {
  const port = await serve([holding]);
  const answer = await http1({ port, path, method: "POST" });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe("GET, HEAD");
});
