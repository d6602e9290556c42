/** Every text and number of a request: taken exactly when it is within its rule, and then kept as given (D8). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  MAX_CONTENT_BYTES,
  MAX_EXCLUDED_CATEGORIES,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_LIST_LIMIT,
  MAX_LLM_API_KEY_CHARACTERS,
  MAX_LLM_BASE_URL_CHARACTERS,
  MAX_LLM_MODEL_CHARACTERS,
  MAX_MESSAGES,
  MAX_QUERY_LIMIT,
  MAX_QUERY_SOURCES,
  MAX_QUESTION_BYTES,
} from "../../src/domain/limits.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import { awkwardText } from "./arbitraries.ts";
import { RUNS } from "./runs.ts";

let service: TestService;
let account: TestAccount;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount({ writesLimit: 1_000_000 });
});

const write = (body: object) => account.rest("POST", "/agent/memories", { body });

/** D8 for a text such as a content: at least one visible character, no NUL, well-formed. */
function isText(text: string): boolean {
  return text.trim() !== "" && !text.includes("\0") && text.isWellFormed();
}

/** D8 for a label such as a tenant: 1 to 256 characters of any script, none of them a control. */
function isLabel(text: string): boolean {
  const characters = [...text];
  const hasControl = characters.some((character) => /[\u0000-\u001f\u007f-\u009f]/.test(character));
  return characters.length >= 1 && characters.length <= 256 && !hasControl && text.isWellFormed();
}

test("a content", async () => {
  await fc.assert(
    fc.asyncProperty(awkwardText, async (content) => {
      const { status, body } = await write({ content, tenant_id: "contents" });
      const isValid = isText(content) && Buffer.byteLength(content) <= MAX_CONTENT_BYTES;
      expect(status, body.detail).toBe(isValid ? 200 : 422);
      if (!isValid) return;
      const listed = await account.rest("GET", "/agent/memories", {
        query: { tenant_id: "contents", limit: "1" },
      });
      const [memory] = listed.body.memories;
      expect(memory.decision).toBe(content);
      expect(memory.source_citation.original_message).toBe(content);
    }),
    { numRuns: RUNS },
  );
});

test.each(["topic", "source", "tenant_id"])("a %s", async (field) => {
  await fc.assert(
    fc.asyncProperty(awkwardText, async (label) => {
      const { status, body } = await write({ content: "A fact", [field]: label });
      expect(status, body.detail).toBe(isLabel(label) ? 200 : 422);
      if (!isLabel(label)) return;
      const listed = await account.rest("GET", "/agent/memories", {
        query: { limit: "1", ...(field === "tenant_id" && { tenant_id: label }) },
      });
      expect(listed.body.memories[0][field]).toBe(label);
    }),
    { numRuns: RUNS },
  );
});

test("an importance score", async () => {
  const number = fc.oneof(fc.double(), fc.integer(), fc.integer({ min: -1, max: 12 }));
  await fc.assert(
    fc.asyncProperty(number, async (importance_score) => {
      // JSON has no NaN and no infinity: they become null, which counts as left out (D7a).
      const isLeftOut = !Number.isFinite(importance_score);
      const isValid =
        Number.isInteger(importance_score) && importance_score >= 1 && importance_score <= 10;
      const { status } = await write({ content: "A fact", importance_score });
      expect(status).toBe(isValid || isLeftOut ? 200 : 422);
    }),
    { numRuns: RUNS },
  );
});

test("a time, in any notation of RFC 3339", async () => {
  const time = fc.date({
    min: new Date("0001-01-02T00:00:00Z"),
    max: new Date("2026-01-01"),
    noInvalidDate: true,
  });
  const notation = fc.record({
    time,
    offsetMinutes: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    micros: fc.integer({ min: 0, max: 999 }),
    separator: fc.constantFrom("T", "t"),
  });
  await fc.assert(
    fc.asyncProperty(notation, async ({ time, offsetMinutes, micros, separator }) => {
      const local = new Date(time.getTime() + offsetMinutes * 60_000);
      fc.pre(local.getUTCFullYear() >= 1);
      const [day, clock = ""] = local.toISOString().slice(0, -1).split("T");
      const fraction = String(micros).padStart(3, "0");
      const offset = Math.abs(offsetMinutes);
      const sign = offsetMinutes < 0 ? "-" : "+";
      const hours = String(Math.trunc(offset / 60)).padStart(2, "0");
      const minutes = String(offset % 60).padStart(2, "0");
      const as_of = `${day}${separator}${clock}${fraction}${sign}${hours}:${minutes}`;
      const { status, body } = await account.rest("GET", "/agent/memories", { query: { as_of } });
      expect(status, body.detail).toBe(200);
      expect(body.as_of).toBe(`${time.toISOString().slice(0, -1)}${fraction}Z`);
    }),
    { numRuns: RUNS },
  );
});

test.each([
  "2026-01-01",
  "2026-01-01T00:00:00",
  "2026-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:60:00Z",
  "2026-01-01T00:00:61Z",
  "2026-01-01T00Z",
  "20260101T000000Z",
  "2026-01-01T00:00:00.Z",
  "2026-01-01T00:00:00+000",
  "2026-01-01T00:00:00+24:00",
  "0000-12-31T23:59:59Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "10000-01-01T00:00:00Z",
  "-2026-01-01T00:00:00Z",
  "٢٠٢٦-01-01T00:00:00Z",
  "1767225600",
  "now",
  "",
])("D3: %j is no time", async (text) => {
  const listed = await account.rest("GET", "/agent/memories", { query: { as_of: text } });
  expect(listed).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining("`as_of`") },
  });
  for (const field of ["valid_from", "valid_to"]) {
    const { status, body } = await write({ content: "A fact", [field]: text });
    expect(status).toBe(422);
    expect(body.detail).toContain(`\`${field}\``);
  }
});

test.each([true, 1767225600, 1.5, {}, [], ["2026-01-01T00:00:00Z"]])(
  "D3: %j is no time",
  async (valid_from) => {
    expect(await write({ content: "A fact", valid_from })).toMatchObject({ status: 422 });
  },
);

const message = { role: "user", content: "I live in Bern" };
const withLlm = (fields: object) => ({
  messages: [message],
  // A host that no operator allowed: no request ever leaves the machine.
  llm: { provider: "openai", model: "m", api_key: "k", base_url: "https://127.0.0.1", ...fields },
});

/** A request with something of this length, and the field that would be one too long. */
const LIMITS: readonly (readonly [
  field: string,
  limit: number,
  path: string,
  request: (length: number) => object,
])[] = [
  ["content", MAX_CONTENT_BYTES, "/agent/memories", (n) => ({ content: "x".repeat(n) })],
  [
    "messages[0].content",
    MAX_CONTENT_BYTES,
    "/agent/memories",
    (n) => ({ messages: [{ role: "tool", content: "x".repeat(n) }] }),
  ],
  [
    "messages",
    MAX_MESSAGES,
    "/agent/memories",
    (n) => ({ messages: Array(n).fill({ role: "user", content: "Hi" }) }),
  ],
  ["topic", 256, "/agent/memories", (n) => ({ content: "A fact", topic: "😀".repeat(n) })],
  ["source", 256, "/agent/memories", (n) => ({ content: "A fact", source: "é".repeat(n) })],
  ["tenant_id", 256, "/agent/memories", (n) => ({ content: "A fact", tenant_id: "😀".repeat(n) })],
  [
    "session_id",
    256,
    "/agent/memories",
    (n) => ({ messages: [message], session_id: "s".repeat(n) }),
  ],
  ["question", MAX_QUESTION_BYTES, "/agent/query", (n) => ({ question: "x".repeat(n) })],
  ["limit", MAX_QUERY_LIMIT, "/agent/query", (n) => ({ question: "What?", limit: n })],
  [
    "sources",
    MAX_QUERY_SOURCES,
    "/agent/query",
    (n) => ({ question: "What?", sources: Array(n).fill("s") }),
  ],
  ["sources[0]", 256, "/agent/query", (n) => ({ question: "What?", sources: ["s".repeat(n)] })],
  [
    "excluded_categories",
    MAX_EXCLUDED_CATEGORIES,
    "/agent/settings",
    (n) => ({ excluded_categories: Array.from({ length: n }, (_, index) => `c${index}`) }),
  ],
  [
    "excluded_categories[0]",
    64,
    "/agent/settings",
    (n) => ({ excluded_categories: ["😀".repeat(n)] }),
  ],
];

describe("D8: at the limit it is taken, one past it is refused by name", () => {
  test.each(LIMITS)("%s: %d", async (field, limit, path, request) => {
    const method = path === "/agent/settings" ? "PATCH" : "POST";
    const atLimit = await account.rest(method, path, { body: request(limit) });
    expect(atLimit.status, atLimit.body.detail).toBe(200);
    const past = await account.rest(method, path, { body: request(limit + 1) });
    expect(past).toMatchObject({ status: 422, body: { reason: "invalid_field" } });
    expect(past.body.detail).toContain(`\`${field}\``);
  });

  test("limit of a list", async () => {
    const list = (limit: number) =>
      account.rest("GET", "/agent/memories", { query: { limit: String(limit) } });
    expect((await list(MAX_LIST_LIMIT)).status).toBe(200);
    expect((await list(MAX_LIST_LIMIT + 1)).body.detail).toContain("`limit`");
  });

  test("Idempotency-Key", async () => {
    const once = (key: string) =>
      account.rest("POST", "/agent/memories", {
        body: { content: "A fact" },
        headers: { "idempotency-key": key },
      });
    const longest = "~".repeat(MAX_IDEMPOTENCY_KEY_CHARACTERS);
    expect((await once(longest)).status).toBe(200);
    expect((await once(`${longest}~`)).body.detail).toContain("`Idempotency-Key`");
    expect((await once("")).status).toBe(422);
  });

  test.each([
    ["llm.model", MAX_LLM_MODEL_CHARACTERS, (n: number) => withLlm({ model: "m".repeat(n) })],
    ["llm.api_key", MAX_LLM_API_KEY_CHARACTERS, (n: number) => withLlm({ api_key: "k".repeat(n) })],
    [
      "llm.base_url",
      MAX_LLM_BASE_URL_CHARACTERS,
      (n: number) => withLlm({ base_url: `https://localhost/${"u".repeat(n - 18)}` }),
    ],
  ])("%s: %d", async (field, limit, request) => {
    const { body } = await write(request(limit + 1));
    expect(body.detail).toContain(`\`${field}\` must have 1 to`);
    expect((await write(request(limit))).body.detail).not.toContain(`\`${field}\` must have`);
  });
});
