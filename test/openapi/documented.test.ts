/** What holds every answer of the other tests against the document notices what it should. */
import { expect, test } from "vitest";
import { checkDocumented, type Exchange } from "../support/documented.ts";

const DELETED = { status: "deleted", company_id: "local", tenant_id: null, deleted_count: 0 };
const RATE_LIMITED = { detail: "too many requests", reason: "rate_limited" };
const MESSAGES = {
  status: "extracted",
  company_id: "local",
  tenant_id: null,
  extracted_count: 0,
  saved_count: 0,
  memory_ids: [],
  extracted: [],
  extraction: { provider: "local", model: "rules", byo_llm: false },
  auto_supersede: [],
  rejected: [],
  retractions: [],
};
const WAIT = { "retry-after": "5" };

function exchange(
  method: string,
  path: string,
  status: number,
  body: unknown,
  more: { headers?: Record<string, string>; request?: unknown } = {},
): Exchange {
  return {
    method,
    url: new URL(path, "http://127.0.0.1"),
    requestBody: more.request === undefined ? undefined : JSON.stringify(more.request),
    status,
    headers: new Headers(more.headers),
    body,
  };
}

const write = (status: number, body: unknown, request: unknown, headers = {}) =>
  exchange("POST", "/agent/memories", status, body, { headers, request });

test.each<[what: string, Exchange]>([
  ["a success", exchange("DELETE", "/agent/memories?tenant_id=a", 200, DELETED)],
  ["a failure", exchange("DELETE", "/agent/memories", 429, RATE_LIMITED, { headers: WAIT })],
  ["a write", write(200, MESSAGES, { messages: [{ role: "user", content: "hi" }], content: null })],
  [
    "a write of which a part was done",
    write(429, { ...MESSAGES, detail: "", reason: "write_quota_exceeded" }, {}, WAIT),
  ],
  [
    "a failure before any operation",
    exchange("DELETE", "/agent/memories", 431, { detail: "", reason: "headers_too_large" }),
  ],
  ["what is not of the document", exchange("GET", "/healthz", 200, { status: "ok" })],
])("%s is as documented", (_, each) => {
  expect(() => checkDocumented(each)).not.toThrow();
});

test.each<[what: string, told: string, Exchange]>([
  [
    "a member that is not documented",
    "unevaluated",
    exchange("DELETE", "/agent/memories", 200, { ...DELETED, more: 1 }),
  ],
  [
    "such a member deep inside",
    "unevaluated",
    write(200, { ...MESSAGES, extraction: { ...MESSAGES.extraction, more: 1 } }, { messages: [] }),
  ],
  [
    "a member that is missing",
    "tenant_id",
    exchange("DELETE", "/agent/memories", 200, { ...DELETED, tenant_id: undefined }),
  ],
  [
    "null where there is none",
    "company_id",
    exchange("DELETE", "/agent/memories", 200, { ...DELETED, company_id: null }),
  ],
  [
    "a wait that is missing",
    "Retry-After",
    exchange("DELETE", "/agent/memories", 429, RATE_LIMITED),
  ],
  [
    "a reason that this operation has not",
    "reason",
    exchange("DELETE", "/agent/memories", 429, { ...RATE_LIMITED, reason: "plan_blocked" }),
  ],
  ["an answer to no part", "rejected", write(200, { ...MESSAGES, rejected: null }, {})],
  [
    "a parameter that was let through",
    "tenant",
    exchange("DELETE", "/agent/memories?tenant=a", 200, DELETED),
  ],
  [
    "both of two fields that exclude one another",
    "null",
    write(200, MESSAGES, { messages: [{ role: "user", content: "hi" }], content: "hi" }),
  ],
  ["a field that was let through", "tenant", write(200, MESSAGES, { content: "a", tenant: "b" })],
])("%s is not", (_, told, each) => {
  expect(() => checkDocumented(each)).toThrow(told);
});
