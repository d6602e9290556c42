import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
import { MAX_VALID_FROM_AHEAD_MINUTES } from "../../src/domain/limits.ts";
import type { RestAnswer } from "../support/rest-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import {
  ask,
  audit,
  expectInvalid,
  expectOk,
  idsOf,
  iso,
  list,
  listIds,
  memoryOf,
  plan,
  pluck,
  remember,
  UUID_V7,
  unique,
  write,
} from "./calls.ts";
import { ALLOWED_HOST, scriptModels, unavailable } from "./scripted-models.ts";
import { tablesWithText } from "./stored-text.ts";

const script = scriptModels();
const logged: string[] = [];
const note = (fields: object, message: string) => void logged.push(inspect([fields, message]));
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  const log = { debug: note, info: note, warn: note, error: note };
  service = await startTestService({ models: script.models, log });
});
afterAll(() => service.close());

/** Refused writes store nothing, so that they may share one account. */
async function sharedAccount(): Promise<TestAccount> {
  account ??= await service.createAccount();
  return account;
}

const NOT_RUN = {
  ran: false,
  skipped_reason: "disabled",
  candidates_examined: 0,
  supersession: null,
};
const USER = (content: string) => ({ role: "user", content });

describe("content mode", () => {
  let answer: RestAnswer;
  let companyId: string;
  beforeAll(async () => {
    const caller = await service.createAccount();
    companyId = caller.companyId;
    answer = await write(caller, { content: "Ada lives in Paris", tenant_id: "acme" });
  });

  test("D5: content mode answers exactly the fields of its table", () => {
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: "saved",
      memory_id: expect.any(String),
      company_id: companyId,
      tenant_id: "acme",
      auto_supersede: NOT_RUN,
    });
  });

  test.each([
    ["4.1 content response status: `saved`", "status", () => "saved"],
    ["4.1 content response memory_id: one UUID", "memory_id", () => expect.stringMatching(UUID_V7)],
    ["4.1 content response company_id: the owner", "company_id", () => companyId],
    ["4.1 content response tenant_id: the tenant that was written to", "tenant_id", () => "acme"],
    ["4.1 content response auto_supersede: one object", "auto_supersede", () => NOT_RUN],
  ])("%s", (_, field, expected) => {
    expect(answer.body[field]).toEqual(expected());
  });

  test("4.1 content response tenant_id: null for the default tenant", async () => {
    const caller = await service.createAccount();
    const { body } = await write(caller, { content: "Ada lives in Paris" });
    expect(body).toHaveProperty("tenant_id", null);
  });

  test("4.1 request content: exactly one memory, without extraction", async () => {
    const caller = await service.createAccount();
    const content = "I live in Paris. I work at Acme. Hello there!";
    const id = await remember(caller, content);
    expect((await list(caller)).memories).toEqual([
      expect.objectContaining({ id, decision: content, summary: content }),
    ]);
    expect((await audit(caller, id)).extraction).toBeNull();
  });

  test("4.1 request messages: a conversation's facts are each a memory", async () => {
    const caller = await service.createAccount();
    const opening = unique("Two facts");
    script.extractions.set(opening, () => [{ decision: "One" }, { decision: "Two" }]);
    const { body } = await write(caller, {
      messages: [USER(opening), { role: "assistant", content: "Noted" }],
    });
    const { memories } = await list(caller);
    expect(pluck("decision", memories)).toEqual(["Two", "One"]);
    expect(body.memory_ids).toEqual((await listIds(caller)).toReversed());
  });

  test.each([
    "Ada lives in Paris",
    "  two leading blanks, and a line break\nbehind which there is\ttext \n",
    "Grüße aus Köln 🦊 — 東京",
    'quotes " and \\ and {"json": [1]}',
    "'; drop table memories; --",
    "\u00a0not only blank\u3000",
  ])("D10: content %j is kept exactly, white space included", async (content) => {
    const caller = await service.createAccount();
    const memory = await memoryOf(caller, await remember(caller, content));
    expect(memory).toMatchObject({
      summary: content,
      decision: content,
      source_citation: { original_message: content },
    });
  });
});

describe("messages mode", () => {
  let answer: RestAnswer;
  let companyId: string;
  beforeAll(async () => {
    const caller = await service.createAccount();
    companyId = caller.companyId;
    const opening = unique("Fields of messages mode");
    script.extractions.set(opening, () => [{ decision: "One" }, { decision: "Two" }]);
    answer = await write(caller, { messages: [USER(opening)], tenant_id: "acme" });
  });

  test("D5: messages mode answers exactly the fields of its table, and `extracted`", () => {
    expect(answer.status).toBe(200);
    const [first, second] = answer.body.memory_ids;
    expect(answer.body).toEqual({
      status: "extracted",
      company_id: companyId,
      tenant_id: "acme",
      extracted_count: 2,
      saved_count: 2,
      memory_ids: [first, second],
      extracted: ["One", "Two"],
      extraction: { provider: "local", model: expect.any(String), byo_llm: false },
      auto_supersede: [
        { memory_id: first, ...NOT_RUN },
        { memory_id: second, ...NOT_RUN },
      ],
    });
  });

  const IDS = [expect.stringMatching(UUID_V7), expect.stringMatching(UUID_V7)];
  test.each([
    ["4.1 messages response status: `extracted`", "status", () => "extracted"],
    ["4.1 messages response company_id: the owner", "company_id", () => companyId],
    ["4.1 messages response tenant_id: the tenant that was written to", "tenant_id", () => "acme"],
    ["4.1 messages response extracted_count: facts found", "extracted_count", () => 2],
    ["4.1 messages response saved_count: facts stored", "saved_count", () => 2],
    ["4.1 messages response memory_ids: one UUID for each stored fact", "memory_ids", () => IDS],
    [
      "4.1 messages response extraction, D26: provider, model and whose it is",
      "extraction",
      () => ({ provider: "local", model: expect.stringMatching(/./), byo_llm: false }),
    ],
    [
      "4.1 messages response auto_supersede: one entry for each stored fact",
      "auto_supersede",
      () => answer.body.memory_ids.map((memory_id: string) => ({ memory_id, ...NOT_RUN })),
    ],
  ])("%s", (_, field, expected) => {
    expect(answer.body[field]).toEqual(expected());
  });

  test("4.1 rule 1: every ID of `memory_ids` can be queried at once", async () => {
    const caller = await service.createAccount();
    const { body } = await write(caller, {
      messages: [USER("My name is Ada. I live in Paris and I work at Acme as a pilot.")],
    });
    expect(body.memory_ids.length).toBeGreaterThan(0);
    expect((await listIds(caller)).toSorted()).toEqual(body.memory_ids.toSorted());
    const { memories } = await ask(caller, "Where does Ada live?");
    expect(idsOf(memories).toSorted()).toEqual(body.memory_ids.toSorted());
    for (const id of body.memory_ids) expect(await memoryOf(caller, id)).toMatchObject({ id });
  });

  test("4.1 rule 2: casual content is skipped, and zero facts are a success", async () => {
    const caller = await service.createAccount();
    const { status, body } = await write(caller, {
      messages: [USER("Hi there!"), { role: "assistant", content: "Hello! How are you?" }],
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: "extracted",
        company_id: caller.companyId,
        tenant_id: null,
        extracted_count: 0,
        saved_count: 0,
        memory_ids: [],
        extracted: [],
        extraction: { provider: "local", model: expect.any(String), byo_llm: false },
        auto_supersede: [],
      },
    });
    expect((await plan(caller)).writes_used).toBe(0);
  });

  test.each(["user", "assistant", "system", "tool"])(
    "D6: the role `%s` is accepted",
    async (role) => {
      const caller = await service.createAccount();
      expectOk(await write(caller, { messages: [{ role, content: "Good morning" }] }));
    },
  );

  test("4.1 request session_id: links what was extracted to one conversation", async () => {
    const caller = await service.createAccount();
    const opening = unique("With a session");
    script.extractions.set(opening, () => [{ decision: "One" }]);
    const { body } = await write(caller, { messages: [USER(opening)], session_id: "session-7" });
    const { provenance } = await audit(caller, body.memory_ids[0]);
    expect(provenance.session_id).toBe("session-7");
  });

  test("D11: `original_message` is the one message that the fact came from", async () => {
    const caller = await service.createAccount();
    const opening = unique("First message");
    script.extractions.set(opening, () => [
      { decision: "From the third", messageIndex: 2 },
      { decision: "From the first", messageIndex: 0 },
    ]);
    const { body } = await write(caller, {
      messages: [USER(opening), { role: "assistant", content: "Second" }, USER(" Third\n")],
    });
    const originals = [];
    for (const id of body.memory_ids) {
      originals.push((await memoryOf(caller, id)).source_citation.original_message);
    }
    expect(originals).toEqual([" Third\n", opening]);
  });

  test("D10: `decision` is the fact, `summary` the fact in one line", async () => {
    const caller = await service.createAccount();
    const opening = unique("Decision and summary");
    script.extractions.set(opening, () => [{ decision: "The long fact", summary: "The fact" }]);
    const { body } = await write(caller, { messages: [USER(opening)] });
    expect(await memoryOf(caller, body.memory_ids[0])).toMatchObject({
      decision: "The long fact",
      summary: "The fact",
    });
  });
});

describe("optional fields", () => {
  const CONTENT = { content: "Ada lives in Paris" };
  const MESSAGES = { messages: [USER("With optional fields")] };
  beforeAll(() => {
    script.extractions.set("With optional fields", () => [
      { decision: "Ada lives in Paris", topic: "Home", importanceScore: 7 },
    ]);
  });

  test.each([
    ["4.1 request topic: `General` by default", CONTENT, { topic: "General" }],
    ["4.1 request topic: as given", { ...CONTENT, topic: "Travel" }, { topic: "Travel" }],
    ["4.1 request topic: ignored with messages", { ...MESSAGES, topic: "X" }, { topic: "Home" }],
    ["4.1 request importance_score: 5 by default", CONTENT, { importance_score: 5 }],
    [
      "4.1 request importance_score: as given",
      { ...CONTENT, importance_score: 9 },
      { importance_score: 9 },
    ],
    [
      "D6a: `importance_score` is ignored with messages",
      { ...MESSAGES, importance_score: 1 },
      { importance_score: 7 },
    ],
    [
      "D6a: `importance` is ignored with messages, whatever the word",
      { ...MESSAGES, importance: "whatever" },
      { importance_score: 7 },
    ],
    [
      "D6a: `importance_score` out of range is ignored with messages",
      { ...MESSAGES, importance_score: 99 },
      { importance_score: 7 },
    ],
    ["4.1 request source: `agent` by default", CONTENT, { source: "agent" }],
    [
      "4.1 request source: `agent_session` by default with messages",
      MESSAGES,
      { source: "agent_session" },
    ],
    ["4.1 request source: as given", { ...CONTENT, source: "crm" }, { source: "crm" }],
    ["4.1 request source: as given with messages", { ...MESSAGES, source: "x" }, { source: "x" }],
    ["4.1 request tenant_id: the default tenant when left out", CONTENT, { tenant_id: null }],
    [
      "4.1 request tenant_id: the default tenant when null",
      { ...CONTENT, tenant_id: null },
      { tenant_id: null },
    ],
    ["4.1 request tenant_id: as given", { ...CONTENT, tenant_id: "acme" }, { tenant_id: "acme" }],
    ["D9: `low` is 2", { ...CONTENT, importance: "low" }, { importance_score: 2 }],
    ["D9: `medium` is 5", { ...CONTENT, importance: "medium" }, { importance_score: 5 }],
    ["D9: `high` is 8", { ...CONTENT, importance: "high" }, { importance_score: 8 }],
    [
      "D9: `importance_score` wins over `importance`",
      { ...CONTENT, importance: "high", importance_score: 1 },
      { importance_score: 1 },
    ],
    [
      "D6a: `session_id` is ignored with content",
      { ...CONTENT, session_id: "" },
      { source: "agent" },
    ],
    ["D6a: `llm` is ignored with content", { ...CONTENT, llm: {} }, { source: "agent" }],
    [
      "D7a: null is the same as leaving the field out",
      {
        ...CONTENT,
        messages: null,
        topic: null,
        importance_score: null,
        importance: null,
        source: null,
        session_id: null,
        auto_supersede: null,
        llm: null,
        valid_from: null,
        valid_to: null,
      },
      { topic: "General", importance_score: 5, source: "agent", valid_to: null },
    ],
    ["D7a: `content` null with messages is messages mode", { ...MESSAGES, content: null }, {}],
  ])("%s", async (_, body, expected) => {
    const caller = await service.createAccount();
    const answer = await write(caller, body);
    expectOk(answer);
    const [id] = answer.body.memory_ids ?? [answer.body.memory_id];
    const memory = await memoryOf(caller, id);
    expect(memory).toMatchObject(expected);
    expect(memory).not.toHaveProperty("importance");
  });

  test("D27, 4.1 request llm: the caller's own model extracts, and the response says so", async () => {
    const caller = await service.createAccount();
    const llm = {
      provider: "openai",
      model: "gpt-test",
      api_key: "secret-key-of-the-caller",
      base_url: `https://${ALLOWED_HOST}/v1`,
    };
    const { status, body } = await write(
      caller,
      { ...MESSAGES, llm },
      { "idempotency-key": "with-llm" },
    );
    expect(status).toBe(200);
    expect(body.extraction).toEqual({ provider: "openai", model: "gpt-test", byo_llm: true });
    const record = await audit(caller, body.memory_ids[0]);
    expect(record.extraction).toEqual(body.extraction);
    expect(JSON.stringify([body, record])).not.toContain(llm.api_key);
    expect(await tablesWithText(service, llm.api_key)).toEqual([]);
    expect(logged.join("\n")).not.toContain(llm.api_key);
  });

  test("4.1 request auto_supersede: overrides the setting for one request", async () => {
    const caller = await service.createAccount();
    await caller.rest("PATCH", "/agent/settings", { body: { auto_supersede_default: true } });
    const byDefault = await write(caller, CONTENT);
    expect(byDefault.body.auto_supersede.skipped_reason).toBe("no_candidates");
    const overridden = await write(caller, { ...CONTENT, auto_supersede: false });
    expect(overridden.body.auto_supersede).toEqual(NOT_RUN);
  });
});

describe("refused", () => {
  const CONTENT = { content: "Ada lives in Paris" };
  const MESSAGES = { messages: [USER("Hello")] };
  const LLM = { provider: "openai", model: "m", api_key: "k" };

  test.each<[string, unknown, string]>([
    ["D6: neither of content and messages", {}, "content"],
    ["D6: both nulls are neither", { content: null, messages: null }, "content"],
    ["D6: both of content and messages", { ...CONTENT, ...MESSAGES }, "content"],
    ["D6: an empty content", { content: "" }, "content"],
    ["D6: a blank content", { content: " \n\t\u3000" }, "content"],
    ["D6: an empty list of messages", { messages: [] }, "messages"],
    ["D6: an empty list of messages beside content", { ...CONTENT, messages: [] }, "messages"],
    [
      "D6: an empty message",
      { messages: [USER("Hello"), { role: "user", content: "" }] },
      "messages[1].content",
    ],
    ["D6: a blank message", { messages: [USER("  ")] }, "messages[0].content"],
    ["D6: an unknown role", { messages: [{ role: "bot", content: "x" }] }, "messages[0].role"],
    ["D6: a role in capitals", { messages: [{ role: "User", content: "x" }] }, "messages[0].role"],
    ["D6: a message without a role", { messages: [{ content: "x" }] }, "messages[0].role"],
    ["D6: a message without content", { messages: [{ role: "user" }] }, "messages[0].content"],
    ["D6: a message that is a string", { messages: ["Hello"] }, "messages[0]"],
    ["D6: a message that is null", { messages: [null] }, "messages[0]"],
    ["D7: an unknown field", { ...CONTENT, tenantid: "acme" }, "tenantid"],
    ["D7: a field in camelCase", { ...CONTENT, tenantId: "acme" }, "tenantId"],
    [
      "D7: an unknown field of a message",
      { messages: [{ ...USER("x"), name: "Ada" }] },
      "messages[0].name",
    ],
    ["D7: an unknown field of llm", { ...MESSAGES, llm: { ...LLM, key: "x" } }, "llm.key"],
    ["D6a: topic of the wrong type, with messages", { ...MESSAGES, topic: 5 }, "topic"],
    [
      "D6a: importance_score of the wrong type, with messages",
      { ...MESSAGES, importance_score: "5" },
      "importance_score",
    ],
    [
      "D6a: importance of the wrong type, with messages",
      { ...MESSAGES, importance: 5 },
      "importance",
    ],
    [
      "D6a: session_id of the wrong type, with content",
      { ...CONTENT, session_id: 1 },
      "session_id",
    ],
    ["D6a: llm of the wrong type, with content", { ...CONTENT, llm: "gemini" }, "llm"],
    ["D6a: valid_to with messages", { ...MESSAGES, valid_to: "2999-01-01T00:00:00Z" }, "valid_to"],
    ["D9: another word", { ...CONTENT, importance: "urgent" }, "importance"],
    ["D9: a word in capitals", { ...CONTENT, importance: "High" }, "importance"],
    [
      "D9: another word, even beside importance_score",
      { ...CONTENT, importance: "urgent", importance_score: 5 },
      "importance",
    ],
    ["4.1 request content: a number", { content: 5 }, "content"],
    ["4.1 request content: a list", { content: ["x"] }, "content"],
    ["4.1 request messages: a string", { messages: "Hello" }, "messages"],
    ["4.1 request messages: an object", { messages: USER("x") }, "messages"],
    ["4.1 request topic: a number", { ...CONTENT, topic: 1 }, "topic"],
    ["4.1 request topic: empty", { ...CONTENT, topic: "" }, "topic"],
    ["4.1 request importance_score: 0", { ...CONTENT, importance_score: 0 }, "importance_score"],
    ["4.1 request importance_score: 11", { ...CONTENT, importance_score: 11 }, "importance_score"],
    ["4.1 request importance_score: -1", { ...CONTENT, importance_score: -1 }, "importance_score"],
    [
      "4.1 request importance_score: a fraction",
      { ...CONTENT, importance_score: 5.5 },
      "importance_score",
    ],
    [
      "4.1 request importance_score: a string",
      { ...CONTENT, importance_score: "5" },
      "importance_score",
    ],
    [
      "4.1 request importance_score: a boolean",
      { ...CONTENT, importance_score: true },
      "importance_score",
    ],
    ["4.1 request source: a list", { ...CONTENT, source: ["agent"] }, "source"],
    ["4.1 request source: empty", { ...CONTENT, source: "" }, "source"],
    ["4.1 request tenant_id: a number", { ...CONTENT, tenant_id: 7 }, "tenant_id"],
    ["D8: an empty tenant_id", { ...CONTENT, tenant_id: "" }, "tenant_id"],
    ["4.1 request session_id: empty", { ...MESSAGES, session_id: "" }, "session_id"],
    [
      "4.1 request auto_supersede: a string",
      { ...CONTENT, auto_supersede: "true" },
      "auto_supersede",
    ],
    ["4.1 request auto_supersede: a number", { ...CONTENT, auto_supersede: 1 }, "auto_supersede"],
    ["4.1 request llm: a string", { ...MESSAGES, llm: "gemini" }, "llm"],
    [
      "D27: an llm without a provider",
      { ...MESSAGES, llm: { model: "m", api_key: "k" } },
      "llm.provider",
    ],
    [
      "D27: an llm of another provider",
      { ...MESSAGES, llm: { ...LLM, provider: "x" } },
      "llm.provider",
    ],
    [
      "D27: an llm without a model",
      { ...MESSAGES, llm: { provider: "openai", api_key: "k" } },
      "llm.model",
    ],
    [
      "D27: an llm without a key",
      { ...MESSAGES, llm: { provider: "openai", model: "m" } },
      "llm.api_key",
    ],
    [
      "D3: valid_from without an offset",
      { ...CONTENT, valid_from: "2024-01-01T00:00:00" },
      "valid_from",
    ],
    ["D3: valid_to that is a number", { ...CONTENT, valid_to: 1_700_000_000 }, "valid_to"],
    [
      "D17: valid_to equal to valid_from",
      { ...CONTENT, valid_from: "2024-01-01T00:00:00Z", valid_to: "2024-01-01T00:00:00Z" },
      "valid_to",
    ],
    [
      "D17: valid_to before valid_from",
      { ...CONTENT, valid_from: "2024-01-01T00:00:00.000001Z", valid_to: "2024-01-01T00:00:00Z" },
      "valid_to",
    ],
    [
      "D17: valid_to in the past, without valid_from",
      { ...CONTENT, valid_to: "2020-01-01T00:00:00Z" },
      "valid_to",
    ],
    ["D17: valid_from far ahead", { ...CONTENT, valid_from: "2999-01-01T00:00:00Z" }, "valid_from"],
    [
      "D17: valid_from far ahead, with messages",
      { ...MESSAGES, valid_from: "2999-01-01T00:00:00Z" },
      "valid_from",
    ],
  ])("%s", async (_, body, field) => {
    expectInvalid(await write(await sharedAccount(), body), field);
  });

  test.each([
    ["D27: another host", "https://evil.example/v1"],
    ["D27: a host that ends alike", `https://evil${ALLOWED_HOST}/v1`],
    ["D27: a host that begins alike", `https://${ALLOWED_HOST}.evil.example/v1`],
    ["D27: the host as a user", `https://${ALLOWED_HOST}@evil.example/v1`],
    ["D27: the host with another port", `https://${ALLOWED_HOST}:8443/v1`],
    ["D27: the host without TLS", `http://${ALLOWED_HOST}/v1`],
    ["D27: this machine", "http://127.0.0.1/v1"],
    ["D27: this machine as a number", "http://2130706433/v1"],
    ["D27: this machine in IPv6", "http://[::ffff:127.0.0.1]/v1"],
    ["D27: a cloud's metadata", "http://169.254.169.254/latest/meta-data"],
    ["D27: a file", "file:///etc/passwd"],
    ["D27: no URL", "models"],
    ["D27: empty", ""],
  ])("%s is no base_url", async (_, base_url) => {
    const caller = await sharedAccount();
    const answer = await write(caller, { ...MESSAGES, llm: { ...LLM, base_url } });
    expectInvalid(answer, "llm.base_url");
  });

  test("D7: a query parameter is as unknown as a field", async () => {
    const caller = await sharedAccount();
    const answer = await caller.rest("POST", "/agent/memories?tenant_id=acme", { body: CONTENT });
    expectInvalid(answer, "tenant_id");
  });

  test("D13: what was refused has stored nothing and cost nothing", async () => {
    const caller = await sharedAccount();
    expect(await list(caller, { include_superseded: "true" })).toMatchObject({ count: 0 });
    expect((await plan(caller)).writes_used).toBe(0);
  });
});

describe("known validity (D17)", () => {
  const CONTENT = { content: "The office is closed" };

  test("D17: valid_from may lie in the past, and valid_to is a known end", async () => {
    const caller = await service.createAccount();
    const id = await remember(caller, "The office was in Rome", {
      valid_from: "2001-02-03T04:05:06.789012Z",
      valid_to: "2021-12-31T23:59:59.999999+00:00",
    });
    expect(await memoryOf(caller, id)).toMatchObject({
      valid_from: "2001-02-03T04:05:06.789012Z",
      valid_to: "2021-12-31T23:59:59.999999Z",
      superseded_by: null,
      temporal: { is_current: false, is_expired: true, is_superseded: false },
    });
  });

  test("D17: valid_from may lie 5 minutes ahead, and not a microsecond more", async () => {
    const caller = await service.createAccount();
    await service.clock.hold(async () => {
      const latest = service.clock.now() + BigInt(MAX_VALID_FROM_AHEAD_MINUTES) * MINUTE;
      const id = await remember(caller, CONTENT.content, { valid_from: iso(latest) });
      expect((await memoryOf(caller, id)).valid_from).toBe(iso(latest));
      const tooLate = await write(caller, { ...CONTENT, valid_from: iso(latest + 1n) });
      expectInvalid(tooLate, "valid_from");
      const messages = { messages: [USER("Good morning")] };
      expectOk(await write(caller, { ...messages, valid_from: iso(latest) }));
      expectInvalid(
        await write(caller, { ...messages, valid_from: iso(latest + 1n) }),
        "valid_from",
      );
    });
  });

  test("D17: valid_to must be later than the write where valid_from is left out", async () => {
    const caller = await service.createAccount();
    await service.clock.hold(async () => {
      const now = service.clock.now();
      expectInvalid(await write(caller, { ...CONTENT, valid_to: iso(now) }), "valid_to");
      expectOk(await write(caller, { ...CONTENT, valid_to: iso(now + 1n) }));
    });
  });

  test("D17: an end that passes while the models run is refused, and nothing is stored", async () => {
    const caller = await service.createAccount();
    const content = unique("Ends while it is embedded");
    const end = service.clock.now() + MINUTE;
    script.vectors.set(content, () => {
      service.clock.advance(2n * MINUTE);
      return script.models.embedder
        .embed(["anything"], "document", new AbortController().signal)
        .then(([vector = []]) => vector);
    });
    expectInvalid(await write(caller, { content, valid_to: iso(end) }), "valid_to");
    expect((await plan(caller)).writes_used).toBe(0);
  });

  test("D17, 3.1 state expired: a known end passes with nobody's help", async () => {
    const caller = await service.createAccount();
    const end = service.clock.now() + 10n * MINUTE;
    const id = await remember(caller, "The sale is on", { valid_to: iso(end) });
    expect((await memoryOf(caller, id)).temporal).toMatchObject({
      valid_to: iso(end),
      is_current: true,
      is_expired: false,
    });
    expect(await listIds(caller)).toEqual([id]);

    service.clock.advance(10n * MINUTE);
    expect((await memoryOf(caller, id)).temporal).toMatchObject({
      is_current: false,
      is_expired: true,
      is_superseded: false,
    });
    expect(await listIds(caller)).toEqual([]);
    expect((await ask(caller, "Is the sale on?")).memories_searched).toBe(0);
    expect(await listIds(caller, { include_superseded: "true" })).toEqual([id]);
    expect(await listIds(caller, { as_of: iso(end - 1n) })).toEqual([id]);
    expect(await listIds(caller, { as_of: iso(end) })).toEqual([]);
  });

  test("D17: with messages, valid_from is the time of the conversation", async () => {
    const caller = await service.createAccount();
    const { body } = await write(caller, {
      messages: [USER("I moved to Munich yesterday.")],
      valid_from: "2024-03-05T12:00:00Z",
    });
    expect(body.saved_count).toBe(1);
    expect(body.extracted[0]).toContain("2024-03-04");
    const memory = await memoryOf(caller, body.memory_ids[0]);
    expect(memory.valid_from).toBe("2024-03-05T12:00:00.000000Z");
    expect(memory.created_at > "2024-03-06").toBe(true);
  });

  test("D16: valid time is what the caller says, transaction time is the clock's", async () => {
    const caller = await service.createAccount();
    await service.clock.hold(async () => {
      const now = iso(service.clock.now());
      const old = await remember(caller, "Old", { valid_from: "1999-12-31T23:59:59Z" });
      expect(await memoryOf(caller, old)).toMatchObject({
        created_at: now,
        valid_from: "1999-12-31T23:59:59.000000Z",
        source_citation: { captured_at: now },
      });
      const fresh = await remember(caller, "Fresh");
      expect(await memoryOf(caller, fresh)).toMatchObject({ created_at: now, valid_from: now });
    });
  });
});

describe("a model that does not answer (D28)", () => {
  test.each(["content", "messages"])("D28, 7 status 503: nothing is stored (%s)", async (mode) => {
    const caller = await service.createAccount();
    const text = unique("No model");
    if (mode === "content") script.vectors.set(text, unavailable);
    else script.extractions.set(text, unavailable);
    const answer = await write(
      caller,
      mode === "content" ? { content: text } : { messages: [USER(text)] },
    );
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ detail: expect.any(String), reason: "model_unavailable" });
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(await list(caller, { include_superseded: "true" })).toMatchObject({ count: 0 });
    expect((await plan(caller)).writes_used).toBe(0);
  });

  test("D28: an embedder that fails after the extraction stores none of the facts", async () => {
    const caller = await service.createAccount();
    const opening = unique("Extracted but not embedded");
    const lost = unique("Lost fact");
    script.extractions.set(opening, () => [{ decision: "Kept" }, { decision: lost }]);
    script.vectors.set(lost, unavailable);
    expect((await write(caller, { messages: [USER(opening)] })).status).toBe(503);
    expect(await list(caller, { include_superseded: "true" })).toMatchObject({ count: 0 });
    expect((await plan(caller)).writes_used).toBe(0);
  });
});
