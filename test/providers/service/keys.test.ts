/** After a run of everything, no key is anywhere but where it was meant to go. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createLog } from "../../../src/log.ts";
import type { FakeModelServer, Fault } from "../../support/fake-upstream.ts";
import { startTestService, type TestAccount, type TestService } from "../../support/service.ts";
import {
  choiceOf,
  startFakeVendor,
  talkativeModel,
  VENDOR_KEYS,
  type VendorName,
} from "./vendors.ts";

const CALLERS_KEY = "the-callers-own-key-9d8e7f";
const VENDORS: readonly VendorName[] = ["gemini", "openai"];
/** The vendor's error quotes the key, among others. */
const FAULTS: readonly Fault[] = ["unauthorized", "nonsense"];

const servers = {} as Record<VendorName, FakeModelServer>;
const services = {} as Record<VendorName, TestService>;
const accounts: TestAccount[] = [];
/** Everything that callers and operators could read. */
let told = "";

beforeAll(async () => {
  for (const name of VENDORS) servers[name] = await startFakeVendor(name);
  for (const name of VENDORS) {
    servers[name].chat = talkativeModel;
    // Callers have keys of their own.
    servers[name].key = null;
    services[name] = await startTestService({
      log: createLog("trace", { write: (line) => tell(line) }),
      config: {
        models: choiceOf(name, servers[name], {
          limits: { timeoutMs: 2_000, maxInFlight: 4 },
          llmAllowedHosts: VENDORS.map((vendor) => new URL(servers[vendor].origin).host),
        }),
      },
    });
  }
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, method).mockImplementation((...args) => tell(args.join(" ")));
  }
  await Promise.all(VENDORS.map(runEverything));
  for (const name of VENDORS) await readEverything(services[name]);
}, 120_000);

afterAll(async () => {
  vi.restoreAllMocks();
  for (const service of Object.values(services)) await service.close();
  for (const server of Object.values(servers)) await server.close();
});

function tell(text: string): void {
  told += `${text}\n`;
}

async function runEverything(vendor: VendorName): Promise<void> {
  const service = services[vendor];
  const account = await service.createAccount();
  accounts.push(account);

  async function call(method: string, path: string, body?: object) {
    const answer = await account.rest(method, path, body && { body });
    tell(JSON.stringify([...answer.headers, answer.body]));
    return answer;
  }

  const operations = [
    () => call("POST", "/agent/memories", { content: "Alice lives in Oslo", auto_supersede: true }),
    () => call("POST", "/agent/memories", { messages: [message("Alice has a dog.")] }),
    () => call("POST", "/agent/query", { question: "Where does Alice live?" }),
    ...VENDORS.flatMap((provider) =>
      [llmOf(provider), { ...llmOf(provider), base_url: "https://evil.example/v1" }].map(
        (llm) => () =>
          call("POST", "/agent/memories", { messages: [message("Alice plays chess.")], llm }),
      ),
    ),
  ];
  for (const operation of operations) {
    await operation();
    for (const fault of FAULTS) {
      for (const server of Object.values(servers)) server.always(fault);
      await operation();
      for (const server of Object.values(servers)) server.always(null);
    }
  }
  // The key where it does not belong.
  await call("POST", "/agent/memories", {
    messages: [message("Hi.")],
    llm: { api_key: CALLERS_KEY },
  });
  await call("POST", "/agent/memories", { content: "x", llm: llmOf("openai") });
  await call("GET", "/agent/settings");
  const { body } = await call("GET", "/agent/memories");
  for (const { id } of body.memories) await call("GET", `/memories/${id}/audit`);
}

function message(content: string) {
  return { role: "user", content };
}

function llmOf(provider: VendorName) {
  const { origin } = servers[provider];
  return {
    provider,
    model: "some-model",
    api_key: CALLERS_KEY,
    base_url: provider === "openai" ? `${origin}/v1` : origin,
  };
}

/** Every row of every table, and the metrics. */
async function readEverything({ context: { db }, adminPort }: TestService): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'
  `.execute(db);
  expect(tables.length).toBeGreaterThan(5);
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select stored::text as row from ${sql.table(name)} as stored
    `.execute(db);
    tell(rows.map(({ row }) => row).join("\n"));
  }
  tell(await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text());
}

test("the run reached everything: it stored, failed, was logged, counted and kept for audit", () => {
  for (const trace of [
    "Alice has a dog.",
    '"byo_llm":true',
    "model_unavailable",
    "HTTP status 401",
    "invalid_field",
    '"level":40',
    "agent_memory_model_calls_total{",
    '"history":[',
  ]) {
    expect(told.includes(trace), trace).toBe(true);
  }
  for (const vendor of VENDORS) {
    const sent = JSON.stringify(servers[vendor].requests.map(({ headers }) => headers));
    expect(sent).toContain(VENDOR_KEYS[vendor]);
  }
});

test.each([
  ["the Gemini API's", VENDOR_KEYS.gemini],
  ["the OpenAI API's", VENDOR_KEYS.openai],
  ["the callers' own", CALLERS_KEY],
])("%s key is in no log, error, response, row or metric", (_, key) => {
  expect(told.split("\n").filter((line) => line.includes(key))).toEqual([]);
});

test("the service's own keys are in no log, error, response, row or metric", () => {
  for (const { key } of accounts) expect(told.includes(key)).toBe(false);
});

test("a vendor's key goes to that vendor only, and a caller's to the caller's model only", () => {
  for (const vendor of VENDORS) {
    for (const { headers, body } of servers[vendor].requests) {
      const sent = JSON.stringify(headers);
      const other = vendor === "gemini" ? VENDOR_KEYS.openai : VENDOR_KEYS.gemini;
      expect(sent).not.toContain(other);
      expect(JSON.stringify(body)).not.toMatch(/-key-/);
      if (body.model === "some-model") expect(sent).toContain(CALLERS_KEY);
    }
  }
});
