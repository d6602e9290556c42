/**
 * Every operation of the service, whose models fail: what the caller is told, what is stored, and
 * what it costs. How each vendor can fail, and what of it is tried again, `../failures.test.ts` has.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { Fault } from "../../support/fake-upstream.ts";
import { forThisFile } from "../../support/for-this-file.ts";
import { embedExamples } from "../../support/models.ts";
import { startTestService, type TestAccount, type TestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor, storedOf, talkativeModel, VENDOR_KEYS } from "./vendors.ts";

const CONTENT = { content: "Alice lives in Oslo" };
const MESSAGES = { messages: [{ role: "user", content: "Alice lives in Oslo." }] };
const QUESTION = { question: "Where does Alice live?" };
const CHANGE = { content: "Alice lives in Bergen", auto_supersede: true };

/** A call of the API, and which of its calls of models fails. */
const OPERATIONS: readonly {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  /** Calls of models that are answered well before the one that fails. */
  readonly callsBefore: number;
}[] = [
  { name: "content: its vector", path: "/agent/memories", body: CONTENT, callsBefore: 0 },
  { name: "messages: their facts", path: "/agent/memories", body: MESSAGES, callsBefore: 0 },
  { name: "messages: the vectors", path: "/agent/memories", body: MESSAGES, callsBefore: 1 },
  { name: "question: its vector", path: "/agent/query", body: QUESTION, callsBefore: 0 },
  { name: "question: its answer", path: "/agent/query", body: QUESTION, callsBefore: 1 },
];

/** What the model says of a part: the other parts are stored (D27b). */
const OF_MODEL: Readonly<Partial<Record<Fault, string>>> = {
  blocked: "refused",
  declined: "refused",
  cut_short: "unread",
  empty: "unread",
};

const model = await forThisFile(startFakeVendor("openai"));
model.chat = talkativeModel;
const models = choiceOf("openai", model);
const service = await forThisFile(startTestService({ config: { models } }));
/** Of the same models, with less patience. */
const impatient = await forThisFile(
  startTestService({
    config: { models: { ...models, limits: { timeoutMs: 1_000, maxInFlight: 32 } } },
  }),
);
for (const each of [service, impatient]) await embedExamples(each);
afterEach(() => {
  model.reset();
  model.chat = talkativeModel;
});

/** An account with one memory, about which a question can be asked. */
async function accountWithMemory(on: TestService): Promise<TestAccount> {
  const account = await on.createAccount();
  const seeded = await account.rest("POST", "/agent/memories", {
    body: { content: "Alice lives in Trondheim" },
  });
  expect(seeded.status).toBe(200);
  model.reset();
  return account;
}

describe.each(OPERATIONS)("$name", ({ path, body, callsBefore }) => {
  const headers = () => ({ "idempotency-key": crypto.randomUUID() });

  async function expectRefusal(on: TestService, fault: Fault): Promise<void> {
    const account = await accountWithMemory(on);
    const before = await storedOf(on, account);
    const request = { body, headers: headers() };
    model.next(...new Array<null>(callsBefore).fill(null));
    model.always(fault);
    const refused = await account.rest("POST", path, request);
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({ detail: expect.any(String), reason: "model_unavailable" });
    expect(refused.body.detail).toContain('model provider "openai" ');
    expect(refused.body.detail).not.toContain(VENDOR_KEYS.openai);
    expect(refused.body.detail).not.toContain(model.origin);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await storedOf(on, account)).toEqual(before);

    // What the caller does after the wait: the same again.
    model.reset();
    const repeated = await account.rest("POST", path, request);
    expect(repeated.status).toBe(200);
  }

  test("a refusal: 503, nothing stored, nothing spent", () =>
    expectRefusal(service, "unauthorized"));

  test("no answer: 503 when its time is over, nothing stored, nothing spent", () =>
    expectRefusal(impatient, "stalling"));

  test("a failure that passes: as if nothing had been", async () => {
    const account = await accountWithMemory(service);
    model.next(...new Array<null>(callsBefore).fill(null), "dropping");
    const answered = await account.rest("POST", path, { body });
    expect(answered.status).toBe(200);
    const { memories, writesUsed } = await storedOf(service, account);
    expect(memories).toBe(path === "/agent/memories" ? 2 : 1);
    expect(writesUsed).toBe(memories);
  });

  test("a client that goes away ends the call of the model", async () => {
    const account = await accountWithMemory(service);
    const before = await storedOf(service, account);
    model.next(...new Array<null>(callsBefore).fill(null));
    model.always("stalling");
    const leaving = new AbortController();
    const left = fetch(new URL(path, service.url), {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => "left");
    for (let calls = 0; calls < callsBefore; calls++) await model.nextRequest();
    const stalled = await model.nextRequest();
    leaving.abort();
    expect(await left).toBe("left");
    await stalled.abandoned;
    expect(model.requests).toHaveLength(callsBefore + 1);
    expect(await storedOf(service, account)).toEqual(before);
  });
});

describe("the classifier (D25)", () => {
  async function expectWriteStands(on: TestService, fault: Fault): Promise<void> {
    const account = await accountWithMemory(on);
    // The vector of the new memory comes first.
    model.next(null);
    model.always(fault);
    const written = await account.rest("POST", "/agent/memories", { body: CHANGE });
    expect(written.status).toBe(200);
    expect(written.body.auto_supersede).toEqual({
      ran: true,
      skipped_reason: "classifier_unavailable",
      category: null,
      candidates_examined: 1,
      supersession: null,
      supersessions: [],
    });
    model.reset();
    const { body } = await account.rest("GET", "/agent/memories");
    expect(body.memories.map(({ decision }: { decision: string }) => decision)).toEqual([
      "Alice lives in Bergen",
      "Alice lives in Trondheim",
    ]);
  }

  test("a refusal: the write stands, and ends nothing", () =>
    expectWriteStands(service, "unauthorized"));
  test("no answer in time: the write stands, and ends nothing", () =>
    expectWriteStands(impatient, "stalling"));

  test("answers well: the older memory is superseded", async () => {
    const account = await accountWithMemory(service);
    const written = await account.rest("POST", "/agent/memories", { body: CHANGE });
    expect(written.body.auto_supersede).toMatchObject({
      skipped_reason: null,
      supersession: { confidence: 0.97, applied: true },
    });
  });

  test("says what can't be used: nothing is superseded", async () => {
    const account = await accountWithMemory(service);
    model.chat = () =>
      '{"verdicts": [{"older": 9, "reason": "", "verdict": "replaces", "confidence": 1}]}';
    const written = await account.rest("POST", "/agent/memories", { body: CHANGE });
    expect(written.status).toBe(200);
    expect(written.body.auto_supersede.supersession).toBeNull();
  });
});

test.each(Object.entries(OF_MODEL))(
  "D27b: of messages nothing that can be read: they are rejected with the reason: %s",
  async (fault, reason) => {
    const account = await accountWithMemory(service);
    model.always(fault as Fault);
    const { status, body } = await account.rest("POST", "/agent/memories", { body: MESSAGES });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      saved_count: 0,
      rejected: [{ fact: null, message_index: 0, reason }],
    });
  },
);
