import { beforeAll, describe, expect, test } from "vitest";
import type { TestAccount } from "../support/service.ts";
import {
  ask,
  expectOk,
  idsOf,
  list,
  listIds,
  memory,
  memoryOf,
  remember,
  supersede,
  TIMESTAMP,
  timeline,
  UUID,
  UUID_V7,
  unique,
  write,
} from "./calls.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

describe("2.1 to 2.3 memory object", () => {
  const CONTENT = "Ada lives in Paris";
  let account: TestAccount;
  /** Written in content mode, and replaced by the other. */
  let old: Record<string, unknown>;
  /** Written in messages mode. */
  let fresh: Record<string, unknown>;

  beforeAll(async () => {
    account = await spec.service.createAccount();
    const oldId = await remember(account, CONTENT, {
      topic: "Home",
      importance_score: 8,
      source: "crm",
      tenant_id: "acme",
      valid_from: "2024-01-01T00:00:00Z",
    });
    const opening = unique("Ada has moved");
    spec.script.extractions.set(opening, () => [
      {
        decision: "Ada lives in Rome since March 2024",
        summary: "Ada lives in Rome",
        topic: "Home",
        importanceScore: 10,
      },
    ]);
    const answer = await write(account, {
      messages: [{ role: "user", content: opening }],
      tenant_id: "acme",
      valid_from: "2024-03-01T00:00:00Z",
    });
    const [freshId] = answer.body.memory_ids;
    expectOk(await supersede(account, oldId, { superseded_by: freshId }));
    old = await memoryOf(account, oldId);
    fresh = await memoryOf(account, freshId);
  });

  test("D1, D2, D42, 2.1 temporal: the same exact fields in list, query, timeline and alone", async () => {
    const expected = {
      id: expect.stringMatching(UUID_V7),
      summary: CONTENT,
      decision: CONTENT,
      topic: "General",
      importance_score: 5,
      source: "agent",
      created_at: expect.stringMatching(TIMESTAMP),
      valid_from: expect.stringMatching(TIMESTAMP),
      valid_to: null,
      superseded_by: null,
      source_citation: {
        type: "agent",
        channel: "agent",
        captured_at: expect.stringMatching(TIMESTAMP),
        original_message: CONTENT,
      },
      temporal: {
        valid_from: expect.stringMatching(TIMESTAMP),
        valid_to: null,
        superseded_by: null,
        is_current: true,
        is_expired: false,
        is_superseded: false,
      },
      tenant_id: null,
      metadata: {},
    };
    const caller = await spec.service.createAccount();
    const id = await remember(caller, CONTENT);
    const listed = await list(caller);
    expect(listed.memories).toEqual([expected]);
    expect(await memory(caller, id)).toEqual(listed.memories[0]);
    expect((await timeline(caller, id)).timeline).toEqual(listed.memories);
    const asked = await ask(caller, CONTENT);
    expect(asked.memories).toEqual([
      {
        ...expected,
        similarity: expect.any(Number),
        relevance: expect.any(Number),
        cited_by_llm: expect.any(Boolean),
      },
    ]);
  });

  test.each<[string, string, unknown, unknown]>([
    ["2.1 id: a UUID", "id", expect.stringMatching(UUID), expect.stringMatching(UUID)],
    ["2.1 summary, D10: text of the fact", "summary", CONTENT, "Ada lives in Rome"],
    ["2.1 decision: canonical text", "decision", CONTENT, "Ada lives in Rome since March 2024"],
    ["2.1 topic: of the request, or of the extraction", "topic", "Home", "Home"],
    ["2.1 importance_score: a whole number from 1 to 10", "importance_score", 8, 10],
    ["2.1 source: origin label", "source", "crm", "agent_session"],
    [
      "2.1 created_at: the time of the write, not the start of validity",
      "created_at",
      expect.not.stringMatching(/^2024-0[13]-01T00/),
      expect.not.stringMatching(/^2024-0[13]-01T00/),
    ],
    [
      "2.1 valid_from: start of validity",
      "valid_from",
      "2024-01-01T00:00:00.000000Z",
      "2024-03-01T00:00:00.000000Z",
    ],
    ["2.1 valid_to: end of validity or null", "valid_to", "2024-03-01T00:00:00.000000Z", null],
    ["2.1 tenant_id: tenant scope", "tenant_id", "acme", "acme"],
  ])("%s", (_, field, ofOld, ofFresh) => {
    expect([old[field], fresh[field]]).toEqual([ofOld, ofFresh]);
  });

  test("2.1 superseded_by: the replacement's ID or null", () => {
    expect([old.superseded_by, fresh.superseded_by]).toEqual([fresh.id, null]);
  });

  test.each<[string, string, unknown, unknown]>([
    ["2.2 type, D11: equals the source", "type", "crm", "agent_session"],
    ["2.2 channel, D11: equals the source", "channel", "crm", "agent_session"],
    [
      "2.2 original_message, D11: the content, or the message that the fact came from",
      "original_message",
      CONTENT,
      expect.stringContaining("Ada has moved"),
    ],
  ])("%s", (_, field, ofOld, ofFresh) => {
    expect(old.source_citation).toHaveProperty(field, ofOld);
    expect(fresh.source_citation).toHaveProperty(field, ofFresh);
  });

  test("2.2 captured_at, D11, 2.1 source_citation: the time of the write", () => {
    expect(old.source_citation).toHaveProperty("captured_at", old.created_at);
    expect(fresh.source_citation).toHaveProperty("captured_at", fresh.created_at);
  });

  test.each(["valid_from", "valid_to", "superseded_by"])(
    "2.3 valid_from, 2.3 valid_to, 2.3 superseded_by: `temporal.%s` is the memory's",
    (field) => {
      expect(old.temporal).toHaveProperty(field, old[field]);
      expect(fresh.temporal).toHaveProperty(field, fresh[field]);
    },
  );

  test.each([
    ["2.3 is_current: true for the live version", "is_current", false, true],
    ["2.3 is_superseded: true once superseded", "is_superseded", true, false],
    ["2.3 is_expired: false for what was replaced or lives", "is_expired", false, false],
  ])("%s", (_, field, ofOld, ofFresh) => {
    expect(old.temporal).toHaveProperty(field, ofOld);
    expect(fresh.temporal).toHaveProperty(field, ofFresh);
  });
});

describe("2.4 source labels", () => {
  test.each([
    ["2.4 agent: a label like any other", "agent"],
    ["2.4 agent_session: a label like any other", "agent_session"],
    ["2.4 chat_tool: a label like any other", "chat_tool"],
    ["2.4 notes_tool: a label like any other", "notes_tool"],
    ["2.4 email: a label like any other", "email"],
    ["2.4 crm: a label like any other", "crm"],
    ["2.4 ticket: a label like any other", "ticket"],
    ["2.4 custom: any string is accepted", "Ärger 🦊 / 名前"],
  ])("%s", async (_, source) => {
    const account = await spec.service.createAccount();
    const id = await remember(account, "Ada lives in Paris", { source });
    expect(await memoryOf(account, id)).toMatchObject({
      source,
      source_citation: { type: source, channel: source },
    });
    expect(await listIds(account, { source })).toEqual([id]);
    expect(idsOf((await ask(account, "Where?", { sources: [source] })).memories)).toEqual([id]);
  });

  test("2.4 distinct, 2.4 agent, 2.4 agent_session: the defaults of the modes are told apart", async () => {
    const account = await spec.service.createAccount();
    const opening = unique("Distinct");
    spec.script.extractions.set(opening, () => [{ decision: "Ada lives in Rome" }]);
    const byMessages = await write(account, { messages: [{ role: "user", content: opening }] });
    const byContent = await remember(account, "Ada lives in Paris");
    const found = async (source: string) =>
      idsOf((await ask(account, "Where does Ada live?", { sources: [source] })).memories);
    expect(await found("agent")).toEqual([byContent]);
    expect(await found("agent_session")).toEqual(byMessages.body.memory_ids);
  });
});

describe("2.5 citation object", () => {
  let account: TestAccount;
  let memory: Record<string, unknown>;
  let citation: Record<string, unknown>;

  beforeAll(async () => {
    account = await spec.service.createAccount();
    const question = unique("Where does Ada live?");
    spec.script.answers.set(question, () => "In Rome [mem-2], before in Paris [mem-1].");
    await remember(account, question, { tenant_id: "acme" });
    const id = await remember(account, "Ada lives in Rome", {
      tenant_id: "acme",
      topic: "Home",
      source: "crm",
    });
    memory = await memoryOf(account, id);
    [citation = {}] = (await ask(account, question, { tenant_id: "acme" })).citations;
  });

  test("D12, D12d: exactly the fields of the table, `index`, `content` and where it is said", () => {
    expect(Object.keys(citation).toSorted()).toEqual(
      [
        "memory_id",
        "decision",
        "topic",
        "similarity",
        "cited_by_llm",
        "valid_from",
        "is_superseded",
        "tenant_id",
        "source",
        "index",
        "content",
        "span",
        "answer_offsets",
      ].toSorted(),
    );
  });

  test.each<[string, string, () => unknown]>([
    ["2.5 memory_id: the memory's ID", "memory_id", () => memory.id],
    ["2.5 decision: the canonical fact", "decision", () => "Ada lives in Rome"],
    ["2.5 topic: category label", "topic", () => "Home"],
    ["2.5 cited_by_llm: true, as it was cited", "cited_by_llm", () => true],
    ["2.5 valid_from: when the fact became true", "valid_from", () => memory.valid_from],
    [
      "2.5 is_superseded: false, as only current memories are retrieved",
      "is_superseded",
      () => false,
    ],
    ["2.5 tenant_id: tenant scope", "tenant_id", () => "acme"],
    ["2.5 source: origin tag", "source", () => "crm"],
    ["2.5 index: position N of the marker", "index", () => 1],
    ["2.5 content: text of the fact", "content", () => "Ada lives in Rome"],
  ])("%s", (_, field, expected) => {
    expect(citation[field]).toEqual(expected());
  });

  test("2.5 similarity: a number from 0 to 1", () => {
    expect(citation.similarity).toBeGreaterThan(0);
    expect(citation.similarity).toBeLessThanOrEqual(1);
  });

  test("2.5 tenant_id, D2: null for the default tenant", async () => {
    const caller = await spec.service.createAccount();
    const question = unique("Default tenant?");
    spec.script.answers.set(question, () => "Yes [mem-1]");
    await remember(caller);
    const [found] = (await ask(caller, question)).citations;
    expect(found).toHaveProperty("tenant_id", null);
  });
});
