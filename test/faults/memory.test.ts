/**
 * What callers can make the process hold in memory: whole processes with a smaller heap than
 * `npm start` gives them, which end when they run out of it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { v7 as uuidv7 } from "uuid";
import { expect, onTestFinished, test } from "vitest";
import { AccountService } from "../../gen/agentmemory/admin/v1/account_service_pb.ts";
import { ApiKeyService } from "../../gen/agentmemory/admin/v1/api_key_service_pb.ts";
import { startFakeVendor, VENDOR_KEYS } from "../providers/service/vendors.ts";
import { newTestLocation } from "../support/database.ts";
import { memoryMiBOf, residentMiBOf } from "../support/process-use.ts";
import { databaseVariables, startServiceProcess } from "../support/service-process.ts";

const HEAP_MIB = 320;

/** A service with the local account, and how to call it with its key. */
async function startSmall(variables: Readonly<Record<string, string>>) {
  const place = await newTestLocation("pglite");
  onTestFinished(place.remove);
  const service = await startServiceProcess(
    { ...databaseVariables(place.location), ...variables },
    { nodeArguments: [`--max-old-space-size=${HEAP_MIB}`] },
  );
  onTestFinished(async () => void (await service.end("SIGKILL")));
  const headers = { authorization: `Bearer ${service.printedKey}` };
  return {
    service,
    send: (method: string, path: string, body?: string, type = "application/json") =>
      fetch(service.url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { "content-type": type }) },
        body,
      }),
  };
}

test("sixteen long conversations at once with a slow chat model", async () => {
  const vendor = await startFakeVendor("openai");
  onTestFinished(() => vendor.close());
  vendor.always("stalling");
  const { service, send } = await startSmall({
    CHAT_PROVIDER: "openai",
    CHAT_MODEL: "a-model",
    EMBEDDING_PROVIDER: "local",
    OPENAI_API_KEY: VENDOR_KEYS.openai,
    OPENAI_BASE_URL: `${vendor.origin}/v1`,
  });
  const sentence = (seed: number) => `I own a word${seed % 9_973} and a word${seed % 8_191}. `;
  const conversation = (number: number) => {
    const messages = Array.from({ length: 31 }, (_, message) => {
      const first = 1_000 * (31 * number + message);
      const text = Array.from({ length: 1_000 }, (_, i) => sentence(7 * (first + i))).join("");
      return { role: "user", content: text.slice(0, 31_000) };
    });
    return JSON.stringify({ messages });
  };
  let status: number | null = null;
  const all = Array.from({ length: 16 }, (_, number) =>
    send("POST", "/agent/memories", conversation(number)).catch(() => null),
  );
  void Promise.all(all);
  for (let second = 0; second < 4; second++) {
    await sleep(1_000);
    status = (await send("GET", "/plan/status")).status;
  }
  expect(status, service.output()).toBe(200);
}, 120_000);

test("sixteen audits at once of a long history", async () => {
  const { service, send } = await startSmall({});
  const stored = await send("POST", "/agent/memories", JSON.stringify({ content: "I am here" }));
  expect(stored.status).toBe(200);
  const exported = await (await send("GET", "/agent/export")).text();
  const [format = "", line = ""] = exported.trimEnd().split("\n");
  const memory = JSON.parse(line);
  expect((await send("DELETE", "/agent/memories")).status).toBe(200);
  const [created] = memory.history;
  const events = Array.from({ length: 19 }, (_, index) => {
    // The memory is superseded and restored, again and again.
    const isEnd = index % 2 === 1;
    const kind = isEnd ? "superseded" : "restored";
    const valid_to = isEnd ? "2030-01-01T00:00:00.000000Z" : null;
    const long = { previous_valid_to: null, reason: "x".repeat(900_000) };
    const detail = { valid_to, superseded_by: null, ...(isEnd && long) };
    const event = index === 0 ? created : { ...created, event: kind, detail };
    return JSON.stringify({ memory_id: memory.id, events: [event] });
  });
  const lines = [format, ...events, JSON.stringify({ ...memory, history: [] })];
  const body = `${lines.join("\n")}\n`;
  const imported = await send("POST", "/agent/import", body, "application/x-ndjson");
  expect(imported.status, await imported.text()).toBe(200);
  const audits = Array.from({ length: 16 }, async () => {
    const answer = await send("GET", `/memories/${memory.id}/audit`);
    return { status: answer.status, bytes: (await answer.text()).length };
  });
  const answers = await Promise.all(audits);
  // Others wait in turn, and on a slow machine for too long.
  for (const { status } of answers) expect([200, 429, 503]).toContain(status);
  expect(answers.map(({ status }) => status)).toContain(200);
  for (const { bytes } of answers) expect(bytes).toBeLessThan(4 * 1024 * 1024);
  expect((await send("GET", "/plan/status")).status, service.output()).toBe(200);
}, 120_000);

/** The longest history that an import may bring, as lines: of as many values as it may have. */
function longestImport(format: string, tenant: number): string {
  const id = uuidv7();
  const at = `${new Date().toISOString().slice(0, -1)}000Z`;
  const created = { event: "created", at, actor: id, detail: {} };
  const end = { valid_to: "2030-01-01T00:00:00.000000Z", superseded_by: null };
  const candidates = Array.from({ length: 4_000 }, (_, value) => `${value}`);
  const detail = { ...end, previous_valid_to: null, reason: "x".repeat(110_000), candidates };
  const superseded = { event: "superseded", at, actor: id, detail };
  const taken = { valid_to: null, superseded_by: null };
  const restored = { event: "restored", at, actor: id, detail: taken };
  const events = [created, ...Array.from({ length: 105 }, () => [superseded, restored]).flat()];
  const memory = {
    ...{ id, decision: "I am here", summary: "I am here", topic: "General", importance_score: 5 },
    ...{ source: "agent", metadata: {}, created_at: at, valid_from: at, stated_at: at },
    provenance: { mode: "content", original_message: "I am here" },
    ...{ tenant_id: `tenant ${tenant}`, history: [] },
  };
  const lines = events.map((event) => JSON.stringify({ memory_id: id, events: [event] }));
  return `${[format, ...lines, JSON.stringify(memory)].join("\n")}\n`;
}

test("two imports at once of each of 4 accounts", async () => {
  const { service, send } = await startSmall({});
  const adminPort = /^admin +gRPC on port (\d+)/m.exec(service.output())?.[1];
  const operator = createGrpcTransport({ baseUrl: `http://127.0.0.1:${adminPort}` });
  const [format = ""] = (await (await send("GET", "/agent/export")).text()).split("\n");
  const keys: string[] = [];
  for (let number = 0; number < 4; number++) {
    const companyId = `importer-${number}`;
    await createClient(AccountService, operator).createAccount({ account: { companyId } });
    const created = { companyId, rights: ["import", "read"] };
    keys.push((await createClient(ApiKeyService, operator).createApiKey(created)).secret);
  }
  const started = residentMiBOf(service.pid);
  const statuses = await Promise.all(
    [...keys, ...keys].map(async (key, place) => {
      const answer = await fetch(`${service.url}/agent/import`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
        body: longestImport(format, place),
      });
      return { status: answer.status, text: await answer.text() };
    }),
  );
  // Those beyond what the process takes on at once are told to come again.
  for (const { status, text } of statuses) expect([200, 429, 503], text).toContain(status);
  expect(statuses.map(({ status }) => status)).toContain(200);
  expect(memoryMiBOf(service.pid, "VmHWM") - started).toBeLessThan(500);
  expect((await send("GET", "/plan/status")).status, service.output()).toBe(200);
}, 240_000);
