import { expect, test } from "vitest";
import { createTestCertificate } from "../support/certificate.ts";
import { startTestService } from "../support/service.ts";
import {
  ask,
  audit,
  expectFailure,
  expectOk,
  list,
  listIds,
  memoryOf,
  plan,
  remember,
  rememberMany,
  supersede,
  TIMESTAMP,
  timeline,
  UUID_V7,
  unique,
  write,
} from "./calls.ts";
import { rawRequest } from "./raw-http.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

test("1 json: responses are JSON, errors too", async () => {
  const account = await spec.service.createAccount();
  for (const path of ["/agent/memories", "/agent/settings", "/plan/status", "/nowhere"]) {
    const { headers } = await account.rest("GET", path);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("1 timestamps, D3: every time in every response is UTC with a zone, to the microsecond", async () => {
  const account = await spec.service.createAccount();
  const [old = "", fresh = ""] = await rememberMany(account, 2, {
    valid_from: "2024-01-01T01:00:00.25+01:00",
  });
  const superseded = await supersede(account, old, {
    superseded_by: fresh,
    valid_to: "2024-02-01T00:00:00.000001-12:00",
  });
  expect(superseded.body.valid_to).toBe("2024-02-01T12:00:00.000001Z");
  const texts = JSON.stringify([
    await list(account, { include_superseded: "true", as_of: "2024-01-02T00:00:00Z" }),
    await ask(account, "Which fact?"),
    await timeline(account, old),
    await audit(account, old),
    await plan(account),
  ]).match(/"\d{4}-\d\d-\d\d[^"]*"/g);
  expect(texts?.length).toBeGreaterThan(20);
  for (const text of texts ?? []) expect(JSON.parse(text)).toMatch(TIMESTAMP);
});

test("1 company_id: every response that has it names the owner of the data", async () => {
  const account = await spec.service.createAccount();
  const written = await write(account, { content: "Ada" });
  const id = written.body.memory_id;
  const answers = [
    written.body,
    await list(account),
    await ask(account, "Ada?"),
    await timeline(account, id),
    await audit(account, id),
    (await account.rest("DELETE", "/agent/memories")).body,
  ];
  for (const answer of answers) expect(answer.company_id).toBe(account.companyId);
});

test("1 tenant_id: what was written without a tenant stays without one", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account);
  const inTenant = await remember(account, "Ada", { tenant_id: "acme" });
  expect((await memoryOf(account, id)).tenant_id).toBeNull();
  for (const method of ["PUT", "PATCH", "POST"]) {
    const answer = await account.rest(method, `/memories/${id}`, { body: { tenant_id: "acme" } });
    expectFailure(answer, 405, "method_not_allowed");
  }
  expectFailure(
    await supersede(account, id, { superseded_by: inTenant }),
    409,
    "different_tenant",
    "superseded_by",
  );
  expect(await listIds(account, { tenant_id: "acme" })).toEqual([inTenant]);
});

test("1 memory ids, D4: UUIDv7, never twice, in the order of creation", async () => {
  const [one, other] = [await spec.service.createAccount(), await spec.service.createAccount()];
  const inOrder = [...(await rememberMany(one, 3)), ...(await rememberMany(other, 3))];
  const opening = unique("At once");
  spec.script.extractions.set(opening, () =>
    Array.from({ length: 20 }, (_, i) => ({ decision: `Fact ${i}` })),
  );
  const { body } = await write(one, { messages: [{ role: "user", content: opening }] });
  const ids = [...inOrder, ...body.memory_ids];
  for (const id of ids) expect(id).toMatch(UUID_V7);
  expect(new Set(ids).size).toBe(26);
  expect(ids.toSorted()).toEqual(ids);
  const atOnce = await Promise.all(Array.from({ length: 10 }, () => remember(one)));
  expect(new Set(atOnce).size).toBe(10);
});

test("1 https: plain HTTP is redirected, whatever the method", async () => {
  const certificate = await createTestCertificate();
  const secure = await startTestService({ config: { tls: certificate.tls } });
  try {
    const host = `127.0.0.1:${secure.port}`;
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await rawRequest(secure.url, method, "/agent/memories?tenant_id=a", {
        headers: { host },
      });
      expectFailure(answer, 308, "https_required");
      expect(answer.headers.get("location")).toBe(`https://${host}/agent/memories?tenant_id=a`);
    }
  } finally {
    await secure.close();
    await certificate.remove();
  }
});

test("9.1: paths have no version", async () => {
  const account = await spec.service.createAccount();
  expectOk(await account.rest("GET", "/agent/memories"));
  for (const path of ["/v1/agent/memories", "/api/agent/memories", "/agent/v1/memories"]) {
    expectFailure(await account.rest("GET", path), 404, "path_not_found");
  }
});

test("9.2, D9, 2.1 legacy importance: `importance` is read on writes and never written", async () => {
  const account = await spec.service.createAccount();
  const ids = [];
  for (const importance of ["low", "medium", "high"]) {
    ids.push(await remember(account, "Ada", { importance }));
  }
  const { memories } = await list(account);
  expect(memories.map((each: { importance_score: number }) => each.importance_score)).toEqual([
    8, 5, 2,
  ]);
  const everything = [
    memories,
    await ask(account, "Ada?"),
    await timeline(account, ids[0] ?? ""),
    await audit(account, ids[0] ?? ""),
  ];
  expect(JSON.stringify(everything)).not.toContain('"importance"');
});
