import {
  MAX_CATEGORY_CHARACTERS,
  MAX_CONTENT_BYTES,
  MAX_CONTENT_PARTS,
  MAX_EXCLUDED_CATEGORIES,
  MAX_LIST_LIMIT,
  MAX_MESSAGES,
  MAX_QUERY_LIMIT,
  MAX_QUERY_SOURCES,
  MAX_QUESTION_BYTES,
  MAX_SPEAKER_NAME_CHARACTERS,
  MAX_TENANT_ID_CHARACTERS,
} from "../../../src/domain/limits.ts";
import type { ApiRequest, Rpc } from "../clients/api-client.ts";
import type { Scenario } from "../scenario.ts";

const message = { role: "user", content: "I live in Bern" };
const memory_id = "01890000-0000-7000-8000-000000000000";

/** A request of the right types that breaks one rule, and the field that does. */
const INVALID: readonly (readonly [Rpc, ApiRequest, field: string])[] = [
  ["CreateMemories", {}, "content"],
  ["CreateMemories", { content: "Both", messages: [message] }, "content"],
  ["CreateMemories", { content: "" }, "content"],
  ["CreateMemories", { content: " \t\n\u00a0\u3000" }, "content"],
  ["CreateMemories", { content: "x".repeat(MAX_CONTENT_BYTES + 1) }, "content"],
  ["CreateMemories", { content: "A fact", topic: "" }, "topic"],
  ["CreateMemories", { content: "A fact", topic: "a\u0007b" }, "topic"],
  ["CreateMemories", { content: "A fact", source: "s".repeat(257) }, "source"],
  ["CreateMemories", { content: "A fact", importance_score: 0 }, "importance_score"],
  ["CreateMemories", { content: "A fact", importance_score: 11 }, "importance_score"],
  ["CreateMemories", { content: "A fact", importance_score: -2147483648 }, "importance_score"],
  ["CreateMemories", { content: "A fact", importance: "urgent" }, "importance"],
  ["CreateMemories", { content: "A fact", tenant_id: "" }, "tenant_id"],
  ["CreateMemories", { content: "A fact", tenant_id: "a\nb" }, "tenant_id"],
  [
    "CreateMemories",
    { content: "A fact", tenant_id: "t".repeat(MAX_TENANT_ID_CHARACTERS + 1) },
    "tenant_id",
  ],
  ["CreateMemories", { content: "A fact", valid_from: "2999-01-01T00:00:00Z" }, "valid_from"],
  [
    "CreateMemories",
    { content: "A fact", valid_from: "2020-01-01T00:00:00Z", valid_to: "2020-01-01T00:00:00Z" },
    "valid_to",
  ],
  ["CreateMemories", { messages: [message], valid_to: "2999-01-01T00:00:00Z" }, "valid_to"],
  ["CreateMemories", { messages: [message, { role: "user", content: "" }] }, "messages[1].content"],
  ["CreateMemories", { messages: [{ role: "user" }] }, "messages[0].content"],
  ["CreateMemories", { messages: [{ role: "assistant" }] }, "messages[0].content"],
  [
    "CreateMemories",
    { messages: [{ role: "user", tool_calls: [{ id: "a" }] }] },
    "messages[0].content",
  ],
  [
    "CreateMemories",
    { messages: [message, { role: "user", content: [{ text: "Hi" }] }] },
    "messages[1].content[0].type",
  ],
  [
    "CreateMemories",
    { messages: [{ role: "user", content: [{ type: "image" }, { type: "text", text: 5 }] }] },
    "messages[0].content[1].text",
  ],
  [
    "CreateMemories",
    { messages: [{ role: "user", content: Array(MAX_CONTENT_PARTS + 1).fill({ type: "image" }) }] },
    "messages[0].content",
  ],
  [
    "CreateMemories",
    {
      messages: [
        {
          role: "user",
          content: Array(2).fill({ type: "text", text: "x".repeat(MAX_CONTENT_BYTES / 2) }),
        },
      ],
    },
    "messages[0].content",
  ],
  ["CreateMemories", { messages: [{ ...message, name: "" }] }, "messages[0].name"],
  [
    "CreateMemories",
    { messages: [{ ...message, name: "n".repeat(MAX_SPEAKER_NAME_CHARACTERS + 1) }] },
    "messages[0].name",
  ],
  ["CreateMemories", { messages: [{ content: "Hi" }] }, "messages[0].role"],
  ["CreateMemories", { messages: [{ role: "robot", content: "Hi" }] }, "messages[0].role"],
  ["CreateMemories", { messages: Array(MAX_MESSAGES + 1).fill(message) }, "messages"],
  ["CreateMemories", { messages: [message], session_id: "" }, "session_id"],
  ["CreateMemories", { messages: [message], llm: {} }, "llm.provider"],
  ["CreateMemories", { messages: [message], llm: { provider: "gemini" } }, "llm.model"],
  ["CreateMemories", { messages: [message], llm: { provider: "x" } }, "llm.provider"],
  ["ListMemories", { tenant_id: "" }, "tenant_id"],
  ["ListMemories", { source: "" }, "source"],
  ["ListMemories", { session_id: "" }, "session_id"],
  ["QueryMemories", { question: "a", session_id: "" }, "session_id"],
  ["SearchMemories", { question: "a", topic: "" }, "topic"],
  ["ListMemories", { topic: "" }, "topic"],
  ["ListMemories", { metadata: { "": "a" } }, "metadata."],
  ["ListMemories", { metadata: { a: "b".repeat(257) } }, "metadata.a"],
  ["ListMemories", { limit: 0 }, "limit"],
  ["ListMemories", { limit: MAX_LIST_LIMIT + 1 }, "limit"],
  ["ListMemories", { page_token: "" }, "page_token"],
  ["ListMemories", { page_token: "bm9uZQ" }, "page_token"],
  ["DeleteMemories", { tenant_id: "" }, "tenant_id"],
  ["DeleteMemories", { tenant_id: "a\u0000b" }, "tenant_id"],
  ["QueryMemories", {}, "question"],
  ["QueryMemories", { question: " " }, "question"],
  ["QueryMemories", { question: "é".repeat(MAX_QUESTION_BYTES / 2 + 1) }, "question"],
  ["QueryMemories", { question: "What?", limit: 0 }, "limit"],
  ["QueryMemories", { question: "What?", limit: MAX_QUERY_LIMIT + 1 }, "limit"],
  ["QueryMemories", { question: "What?", tenant_id: "" }, "tenant_id"],
  ["GetContext", { question: "What?", max_tokens: 49 }, "max_tokens"],
  ["GetContext", {}, "question"],
  ["GetProfile", { max_tokens: 32_001 }, "max_tokens"],
  ["SearchMemories", { question: "What?", tenant_id: "a", tenant_ids: ["b"] }, "tenant_ids"],
  ["QueryMemories", { question: "What?", sources: ["crm", ""] }, "sources[1]"],
  [
    "QueryMemories",
    { question: "What?", sources: Array(MAX_QUERY_SOURCES + 1).fill("s") },
    "sources",
  ],
  ["SupersedeMemory", { memory_id: "1", superseded_by: memory_id }, "memory_id"],
  ["SupersedeMemory", { memory_id, superseded_by: "" }, "superseded_by"],
  ["SupersedeMemory", { memory_id, superseded_by: memory_id.slice(1) }, "superseded_by"],
  [
    "BatchCreateMemories",
    { memories: [{ content: "x" }, { content: " " }] },
    "memories[1].content",
  ],
  ["SearchMemories", { question: "x", min_relevance: 2 }, "min_relevance"],
  ["GetMemory", { memory_id: "not-a-uuid" }, "memory_id"],
  ["GetMemoryTimeline", { memory_id: "not-a-uuid" }, "memory_id"],
  ["GetMemoryTimeline", { memory_id, page_token: "bm9uZQ" }, "page_token"],
  ["GetMemoryAudit", { memory_id: `${memory_id}0` }, "memory_id"],
  ["RestoreMemory", { memory_id: "{}" }, "memory_id"],
  ["UpdateSettings", { auto_supersede_mode: "off" }, "auto_supersede_mode"],
  ["UpdateSettings", { min_confidence: 1.01 }, "min_confidence"],
  ["UpdateSettings", { min_confidence: -0.01 }, "min_confidence"],
  ["UpdateSettings", { classifier_model: "" }, "classifier_model"],
  ["UpdateSettings", { classifier_model: "gpt-5" }, "classifier_model"],
  ["UpdateSettings", { excluded_categories: ["fine", ""] }, "excluded_categories[1]"],
  [
    "UpdateSettings",
    { excluded_categories: ["c".repeat(MAX_CATEGORY_CHARACTERS + 1)] },
    "excluded_categories[0]",
  ],
  [
    "UpdateSettings",
    { excluded_categories: Array(MAX_EXCLUDED_CATEGORIES + 1).fill("c") },
    "excluded_categories",
  ],
];

/** D8, D13: what is outside its rule is named. */
export const INVALID_FIELDS: readonly Scenario[] = [
  {
    name: "section 7: a field outside its rule is named, and nothing is done",
    failures: ["invalid_field"],
    async run(api) {
      for (const [rpc, request, field] of INVALID) {
        await api.fails({ reason: "invalid_field", field }, rpc, request);
      }
      await api.ok("GetSettings");
      await api.ok("GetPlanStatus");
    },
  },
  {
    name: "D8: an idempotency key that is too long",
    failures: ["invalid_field"],
    async run(api) {
      const expected = { reason: "invalid_field", field: "Idempotency-Key" } as const;
      for (const idempotencyKey of ["k".repeat(256), "a b"]) {
        await api.fails(expected, "CreateMemories", { content: "A fact" }, { idempotencyKey });
      }
    },
  },
];
