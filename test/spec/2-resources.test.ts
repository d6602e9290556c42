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

  test("2.1 id, 2.1 summary, D10, 2.1 decision, 2.1 topic, 2.1 importance_score, 2.1 source, 2.1 valid_from, 2.1 valid_to, 2.1 superseded_by, 2.1 tenant_id, 2.2 type, 2.2 channel, D11, 2.2 original_message, 2.2 captured_at, 2.1 source_citation, 2.3 valid_from, 2.3 valid_to, 2.3 superseded_by, 2.3 is_current, 2.3 is_superseded, 2.3 is_expired: of what was written and replaced, and of what replaced it", () => {
    const shown = (memory: Record<string, unknown>, own: object, flags: object) => {
      const { valid_from, valid_to, superseded_by, created_at: captured_at } = memory;
      expect(memory).toMatchObject({
        id: expect.stringMatching(UUID),
        tenant_id: "acme",
        topic: "Home",
        temporal: { valid_from, valid_to, superseded_by, is_expired: false, ...flags },
        source_citation: { captured_at },
        ...own,
      });
    };
    shown(
      old,
      {
        summary: CONTENT,
        decision: CONTENT,
        importance_score: 8,
        source: "crm",
        valid_from: "2024-01-01T00:00:00.000000Z",
        valid_to: "2024-03-01T00:00:00.000000Z",
        superseded_by: fresh.id,
      },
      { is_current: false, is_superseded: true },
    );
    expect(old.source_citation).toEqual({
      type: "crm",
      channel: "crm",
      captured_at: old.created_at,
      original_message: CONTENT,
    });
    shown(
      fresh,
      {
        summary: "Ada lives in Rome",
        decision: "Ada lives in Rome since March 2024",
        importance_score: 10,
        source: "agent_session",
        valid_from: "2024-03-01T00:00:00.000000Z",
        valid_to: null,
        superseded_by: null,
      },
      { is_current: true, is_superseded: false },
    );
    expect(fresh.source_citation).toMatchObject({
      type: "agent_session",
      channel: "agent_session",
      original_message: expect.stringContaining("Ada has moved"),
    });
  });

  test("2.1 created_at: the time of the write, not the start of validity", () => {
    for (const { created_at } of [old, fresh]) expect(created_at).not.toMatch(/^2024-0[13]-01T00/);
  });
});

describe("2.4 source labels", () => {
  test("2.4 agent, 2.4 agent_session, 2.4 chat_tool, 2.4 notes_tool, 2.4 email, 2.4 crm, 2.4 ticket, 2.4 custom: each is a label like any other", async () => {
    const account = await spec.service.createAccount();
    const labels = ["agent", "agent_session", "chat_tool", "notes_tool", "email", "crm", "ticket"];
    for (const source of [...labels, "Ärger 🦊 / 名前"]) {
      const id = await remember(account, "Ada lives in Paris", { source });
      expect(await memoryOf(account, id)).toMatchObject({
        source,
        source_citation: { type: source, channel: source },
      });
      expect(await listIds(account, { source })).toEqual([id]);
      expect(idsOf((await ask(account, "Where?", { sources: [source] })).memories)).toEqual([id]);
    }
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
