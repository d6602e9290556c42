import { expect } from "vitest";
import type { Json } from "../clients/api-client.ts";
import type { Scenario } from "../scenario.ts";

const EVERY_FIELD = {
  content: "Alice lives in Bern",
  topic: "Home",
  importance_score: 8,
  importance: "low",
  source: "crm",
  tenant_id: "team-1",
  valid_from: "2020-02-29T12:00:00.123456Z",
  valid_to: "2021-01-01T00:00:00Z",
  auto_supersede: false,
};

/** A conversation as an OpenAI or Anthropic client holds it. */
const AS_CLIENTS_HAVE_IT = [
  { role: "developer", content: "Be brief." },
  { role: "user", name: "Ana", content: "I live in Bern." },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: { name: "find", arguments: "{}" } }],
    refusal: null,
  },
  { role: "tool", tool_call_id: "call_1", content: "Found nothing." },
  { role: "function", name: "find", content: "[]" },
  { role: "assistant", id: "msg_1", type: "message", status: "completed", content: "Noted." },
  {
    role: "user",
    content: [
      { type: "text", text: "I work at Acme." },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
      { type: "text", text: "I have two cats." },
    ],
  },
  { role: "user", content: [{ type: "image", source: { type: "base64", data: "AAAA" } }] },
];

/** 4.1 */
export const WRITES: readonly Scenario[] = [
  {
    name: "D40: metadata, of a fact, of a conversation and of a batch",
    async run(api) {
      const metadata = { project: "apollo", "Ünï [1]": "😀", empty: "" };
      const { memory_id } = await api.ok("CreateMemories", { content: "A fact", metadata });
      expect(await api.ok("GetMemory", { memory_id })).toMatchObject({ metadata });
      const messages = [{ role: "user", content: "I live in Bern." }];
      await api.ok("CreateMemories", { messages, metadata });
      const memories = [{ content: "Another", metadata: { a: "b" } }, { content: "A third" }];
      await api.ok("BatchCreateMemories", { memories });
      const listed = await api.ok("ListMemories");
      expect(listed.memories.map((each: { metadata: object }) => each.metadata)).toEqual([
        {},
        { a: "b" },
        metadata,
        metadata,
      ]);
    },
  },
  {
    name: "D6b: a conversation may be sent as chat clients have it",
    async run(api) {
      const written = await api.ok("CreateMemories", { messages: AS_CLIENTS_HAVE_IT });
      expect(written.extracted).toEqual([
        "Ana lives in Bern",
        "The user works at Acme",
        "The user has two cats",
      ]);
      const { memories } = await api.ok("ListMemories");
      const originals = memories.map((memory: Json) => memory.source_citation.original_message);
      expect(new Set(originals)).toEqual(
        new Set(["I live in Bern.", "I work at Acme.\nI have two cats."]),
      );
    },
  },
  {
    name: "D6b: without any text of a user nothing is extracted",
    async run(api) {
      const picture = { type: "image_url", image_url: { url: "https://example.test/a.png" } };
      const messages = [
        { role: "assistant", content: "Where do you live?" },
        { role: "user", content: [picture, { type: "text", text: " " }] },
      ];
      expect(await api.ok("CreateMemories", { messages })).toMatchObject({
        status: "extracted",
        extracted_count: 0,
        saved_count: 0,
        memory_ids: [],
        rejected: [],
      });
    },
  },
  {
    name: "4.1: a content write with nothing else takes the defaults",
    async run(api) {
      const { memory_id } = await api.ok("CreateMemories", { content: "  Alice likes tea \n" });
      const { memories } = await api.ok("ListMemories");
      expect(memories).toMatchObject([
        {
          id: memory_id,
          decision: "  Alice likes tea \n",
          summary: "  Alice likes tea \n",
          topic: "General",
          importance_score: 5,
          source: "agent",
          tenant_id: null,
          valid_to: null,
          source_citation: { type: "agent", channel: "agent" },
          temporal: { is_current: true, is_expired: false, is_superseded: false },
        },
      ]);
    },
  },
  {
    name: "4.1: a content write keeps every field that it was given",
    async run(api) {
      const written = await api.ok("CreateMemories", EVERY_FIELD);
      expect(written).toMatchObject({ status: "saved", tenant_id: "team-1" });
      const { memories } = await api.ok("ListMemories", {
        tenant_id: "team-1",
        include_superseded: true,
      });
      expect(memories).toMatchObject([
        {
          id: written.memory_id,
          topic: "Home",
          importance_score: 8,
          source: "crm",
          valid_from: "2020-02-29T12:00:00.123456Z",
          valid_to: "2021-01-01T00:00:00.000000Z",
          temporal: { is_current: false, is_expired: true, is_superseded: false },
        },
      ]);
    },
  },
  {
    name: "D9: the legacy importance counts where no score is given",
    async run(api) {
      for (const importance of ["low", "medium", "high"]) {
        await api.ok("CreateMemories", { content: `Importance ${importance}`, importance });
      }
      const { memories } = await api.ok("ListMemories");
      expect(
        memories.map((memory: { importance_score: number }) => memory.importance_score),
      ).toEqual([8, 5, 2]);
    },
  },
  {
    name: "4.1: a conversation becomes memories, each with the message that it came from",
    async run(api) {
      const written = await api.ok("CreateMemories", {
        messages: [
          { role: "user", content: "Hi there!" },
          { role: "user", content: "I work at Acme as a nurse. I am allergic to peanuts." },
          { role: "assistant", content: "Noted." },
        ],
        session_id: "session-1",
        valid_from: "2020-05-04T03:02:01Z",
      });
      expect(written).toMatchObject({ status: "extracted", extraction: { byo_llm: false } });
      expect(written.saved_count).toBeGreaterThan(0);
      expect(written.memory_ids).toHaveLength(written.saved_count);
      expect(written.extracted).toHaveLength(written.extracted_count);
      expect(written.auto_supersede).toHaveLength(written.saved_count);
      for (const memory_id of written.memory_ids) {
        const { provenance } = await api.ok("GetMemoryAudit", { memory_id });
        expect(provenance).toMatchObject({
          mode: "messages",
          session_id: "session-1",
          message_index: 1,
          original_message: "I work at Acme as a nurse. I am allergic to peanuts.",
        });
      }
      await api.ok("ListMemories", { source: "agent_session" });
    },
  },
  {
    name: "4.1 rule 2: small talk leaves nothing behind",
    async run(api) {
      const written = await api.ok("CreateMemories", {
        messages: [{ role: "user", content: "Hello! How are you?" }],
      });
      expect(written).toMatchObject({
        extracted_count: 0,
        saved_count: 0,
        memory_ids: [],
        extracted: [],
        auto_supersede: [],
      });
    },
  },
  {
    name: "3.1: automatic supersession is reported with all of its fields",
    async run(api) {
      const old = await api.ok("CreateMemories", { content: "Alice lives in Bern" });
      const written = await api.ok("CreateMemories", {
        content: "Alice lives in Oslo",
        auto_supersede: true,
      });
      expect(written.auto_supersede).toMatchObject({
        ran: true,
        skipped_reason: null,
        supersession: {
          memory_id: old.memory_id,
          superseded_by: written.memory_id,
          applied: true,
        },
        supersessions: [{ memory_id: old.memory_id, superseded_by: written.memory_id }],
      });
      await api.ok("GetMemoryTimeline", { memory_id: old.memory_id });
      await api.ok("GetMemoryAudit", { memory_id: old.memory_id });
      await api.ok("GetMemoryAudit", { memory_id: written.memory_id });
    },
  },
  {
    name: "an automatic supersession can be taken back",
    async run(api) {
      const old = await api.ok("CreateMemories", { content: "Alice lives in Bern" });
      const { memory_id } = old;
      const request = { content: "Alice lives in Oslo", auto_supersede: true };
      const replacement = await api.ok("CreateMemories", request);
      expect(await api.ok("RestoreMemory", { memory_id })).toEqual({
        status: "restored",
        memory_id,
        replaced_by: replacement.memory_id,
        valid_to: null,
      });
      expect(await api.ok("ListMemories")).toMatchObject({ count: 2, superseded_count: 0 });
      await api.ok("GetMemoryAudit", { memory_id });
    },
  },
  {
    name: "D25a, D32: what a user takes back ends, and can be restored",
    async run(api) {
      const { memory_id } = await api.ok("CreateMemories", { content: "The user lives in Bern" });
      const messages = [{ role: "user", content: "Forget that I live in Bern." }];
      const { retractions } = await api.ok("CreateMemories", { messages, auto_supersede: true });
      expect(retractions).toMatchObject([
        { memory_id, text: "The user lives in Bern", message_index: 0, applied: true },
      ]);
      expect(await api.ok("ListMemories")).toMatchObject({ count: 0 });
      const { history } = await api.ok("GetMemoryAudit", { memory_id });
      expect(history.map(({ event }: Json) => event)).toEqual(["created", "retracted"]);
      expect(await api.ok("RestoreMemory", { memory_id })).toEqual({
        status: "restored",
        memory_id,
        replaced_by: null,
        valid_to: null,
      });
      expect(await api.ok("ListMemories")).toMatchObject({ count: 1, superseded_count: 0 });
    },
  },
  {
    name: "D27a: what a user takes back that ends no memory is told with the reason",
    async run(api) {
      const messages = [{ role: "user", content: "Forget that I live in Bern." }];
      for (const [auto_supersede, reason] of [
        [true, "no_candidates"],
        [false, "disabled"],
      ]) {
        const answer = await api.ok("CreateMemories", { messages, auto_supersede });
        expect(answer).toMatchObject({
          retractions: [],
          rejected: [{ fact: "The user lives in Bern", message_index: 0, reason }],
        });
      }
    },
  },
  {
    name: "D23: in shadow mode a decision is told and not acted on",
    async run(api) {
      await api.ok("UpdateSettings", { auto_supersede_mode: "shadow" });
      await api.ok("CreateMemories", { content: "Alice lives in Bern" });
      const request = { content: "Alice lives in Oslo", auto_supersede: true };
      const { auto_supersede } = await api.ok("CreateMemories", request);
      expect(auto_supersede).toMatchObject({ ran: true, supersession: { applied: false } });
      expect(await api.ok("ListMemories")).toMatchObject({ count: 2, superseded_count: 0 });
    },
  },
  {
    name: "D33: the same idempotency key and request write once",
    async run(api) {
      const write = () =>
        api.ok("CreateMemories", { content: "Once" }, { idempotencyKey: "first" });
      expect(await write()).toEqual(await write());
      expect(await api.ok("ListMemories")).toMatchObject({ count: 1 });
      expect(await api.ok("GetPlanStatus")).toMatchObject({ writes_used: 1 });
    },
  },
  {
    name: "text of every script comes back as it was given",
    async run(api) {
      const texts = [
        'quotes " and \\ backslash, tab\tand\r\nline',
        "emoji 👩‍👩‍👧‍👦, combining e\u0301, Z\u0336\u030d, \u{10ffff}",
        "right to left: \u202eمرحبا שלום\u202c, zero\u200bwidth\ufeff",
        "<script>alert(1)</script> & %2F + ?; '; drop table memories; --",
      ];
      for (const text of texts) {
        await api.ok("CreateMemories", { content: text, topic: text.slice(0, 5).trim() });
      }
      const { memories } = await api.ok("ListMemories");
      const stored = memories.map(({ decision }: { decision: string }) => decision);
      expect(stored).toEqual(texts.toReversed());
    },
  },
  {
    name: "D3: times come back to the microsecond, from the year 1 to the year 9999",
    async run(api) {
      const validity = {
        valid_from: "0001-01-01T00:00:00Z",
        valid_to: "9999-12-31T23:59:59.999999Z",
      };
      await api.ok("CreateMemories", { content: "Always true", ...validity });
      const { memories } = await api.ok("ListMemories", { as_of: "1066-10-14T09:00:00.000001Z" });
      expect(memories).toMatchObject([
        {
          valid_from: "0001-01-01T00:00:00.000000Z",
          valid_to: "9999-12-31T23:59:59.999999Z",
        },
      ]);
    },
  },
];
