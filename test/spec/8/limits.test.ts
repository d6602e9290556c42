/** Every limit of D8: at it, and one past it. */
import { beforeAll, describe, expect, test } from "vitest";
import * as limits from "../../../src/domain/limits.ts";
import {
  MAX_BODY_BYTES,
  MAX_BODY_VALUES,
  MAX_CONTENT_BYTES,
  MAX_EXTRACTED_FACTS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_LLM_BASE_URL_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
} from "../../../src/domain/limits.ts";
import type { TestAccount } from "../../support/service.ts";
import { expectFailure, expectInvalid, expectOk, write } from "../calls.ts";
import { rawRequest } from "../raw-http.ts";
import { ALLOWED_HOST } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec({ rateLimit: true });

test("D8, 8 limit importance_score: the limits are those of the decision", () => {
  expect(limits).toMatchObject({
    MAX_TENANT_ID_CHARACTERS: 256,
    MAX_SOURCE_CHARACTERS: 256,
    MAX_TOPIC_CHARACTERS: 256,
    MAX_CONTENT_BYTES: 32 * 1024,
    MAX_EXTRACTED_TEXT_BYTES: 128 * 1024,
    MAX_SUPERSESSION_CANDIDATES: 10,
    MAX_MESSAGES: 500,
    MAX_BODY_BYTES: 1024 * 1024,
    MAX_QUESTION_BYTES: 8 * 1024,
    MAX_QUERY_LIMIT: 100,
    MAX_LIST_LIMIT: 1_000,
    MAX_TIMELINE_PAGE_MEMORIES: 1_000,
    MAX_AUDIT_PAGE_EVENTS: 1_000,
    MAX_PAGE_TEXT_BYTES: 4 * 1024 * 1024,
    UNREAD_RESPONSE_SECONDS: 30,
    MAX_SESSION_ID_CHARACTERS: 256,
    MAX_QUERY_SOURCES: 50,
    MAX_QUERY_TENANTS: 10,
    MIN_CONTEXT_TOKENS: 50,
    MAX_CONTEXT_TOKENS: 32_000,
    MAX_EXCLUDED_CATEGORIES: 100,
    MAX_CATEGORY_CHARACTERS: 64,
    MAX_IDEMPOTENCY_KEY_CHARACTERS: 255,
    MAX_LLM_MODEL_CHARACTERS: 256,
    MAX_LLM_API_KEY_CHARACTERS: 512,
    MAX_LLM_BASE_URL_CHARACTERS: 2_048,
    MIN_IMPORTANCE_SCORE: 1,
    MAX_IMPORTANCE_SCORE: 10,
    MAX_CONTENT_PARTS: 500,
    MAX_SPEAKER_NAME_CHARACTERS: 256,
    MAX_METADATA_KEY_CHARACTERS: 64,
  });
});

describe("at the limit and one past it", () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await spec.service.createAccount({ burst: 100_000 });
  });

  const CONTENT = { content: "Ada lives in Paris" };
  const HELLO = { role: "user", content: "Hello" };
  const MESSAGES = { messages: [HELLO] };
  const LLM = { provider: "openai", model: "m", api_key: "k" };
  const chars = (count: number) => "x".repeat(count);
  const text = (count: number) => ({ type: "text", text: chars(count) });

  type Send = (size: number) => ReturnType<TestAccount["rest"]>;
  const memories =
    (body: (size: number) => unknown): Send =>
    (size) =>
      write(account, body(size));

  // Every field at its limit and beyond it: test/openapi/limits.test.ts, by what the document says.
  test.each<[string, number, string, Send]>([
    [
      "D8: content is counted in bytes of UTF-8",
      MAX_CONTENT_BYTES,
      "content",
      memories((n) => ({ content: `${"ä".repeat(n / 2)}${chars(n % 2)}` })),
    ],
    [
      "D8: characters are not bytes, nor UTF-16 units",
      MAX_TENANT_ID_CHARACTERS,
      "tenant_id",
      memories((n) => ({ ...CONTENT, tenant_id: "🦊".repeat(n) })),
    ],
    [
      "D8: Idempotency-Key",
      MAX_IDEMPOTENCY_KEY_CHARACTERS,
      "Idempotency-Key",
      (n) => write(account, CONTENT, { "idempotency-key": chars(n) }),
    ],
    [
      "D6b: the texts of a message's parts together, with the line end between them",
      MAX_CONTENT_BYTES,
      "messages[0].content",
      memories((n) => ({
        messages: [{ role: "user", content: [text(n / 2), text(n - 1 - Math.floor(n / 2))] }],
      })),
    ],
  ])("%s", async (_, limit, field, send) => {
    expectOk(await send(limit));
    expectInvalid(await send(limit + 1), field);
  });

  test("D8, D27: llm.base_url", async () => {
    const start = `https://${ALLOWED_HOST}/`;
    const url = (length: number) => start + chars(length - start.length);
    const send = (length: number) =>
      write(account, { ...MESSAGES, llm: { ...LLM, base_url: url(length) } });
    expectOk(await send(MAX_LLM_BASE_URL_CHARACTERS));
    expectInvalid(await send(MAX_LLM_BASE_URL_CHARACTERS + 1), "llm.base_url");
  });

  test("D8: facts of one conversation; what is beyond is reported and not stored", async () => {
    const send = (facts: number) => {
      const content = Array.from({ length: facts }, (_, i) => `I live in house ${i}.`).join(" ");
      return write(account, { messages: [{ role: "user", content }], auto_supersede: false });
    };
    const most = await send(MAX_EXTRACTED_FACTS);
    expect(most.body).toMatchObject({ saved_count: MAX_EXTRACTED_FACTS, rejected: [] });
    const beyond = await send(MAX_EXTRACTED_FACTS + 1);
    expect(beyond.body).toMatchObject({
      saved_count: MAX_EXTRACTED_FACTS,
      rejected: [{ reason: "limit", message_index: 0 }],
    });
  });

  test.each(["content-length", "chunked"])(
    "D8: a body of 1 MiB, and 413 beyond (%s)",
    async (framing) => {
      const send = (bytes: number) => {
        const text = JSON.stringify({ content: "Ada" });
        return rawRequest(spec.service.url, "POST", "/agent/memories", {
          headers: {
            authorization: `Bearer ${account.key}`,
            "content-type": "application/json",
            ...(framing === "chunked"
              ? { "transfer-encoding": "chunked" }
              : { "content-length": String(bytes) }),
          },
          body: text + " ".repeat(bytes - text.length),
        });
      };
      expectOk(await send(MAX_BODY_BYTES));
      expectFailure(await send(MAX_BODY_BYTES + 1), 413, "body_too_large");
    },
  );

  test("D8, D13: a body of 50,000 values, and 422 beyond before any is looked at", async () => {
    const send = (values: number) =>
      account.rest("POST", "/agent/memories", { body: { mistyped: Array(values - 1).fill(1) } });
    expectInvalid(await send(MAX_BODY_VALUES), "mistyped");
    expectInvalid(await send(MAX_BODY_VALUES + 1), "body");
  });

  test.each([
    ["D8: an empty key", ""],
    ["D8: a blank within", "a b"],
    ["D8: a tab within", "a\tb"],
    ["D8: beyond ASCII", "ä"],
    ["D8: two keys", "a, b"],
  ])("%s is no Idempotency-Key", async (_, key) => {
    const answer = await write(account, CONTENT, { "idempotency-key": key });
    expectInvalid(answer, "Idempotency-Key");
  });
});
