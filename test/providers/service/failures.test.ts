/**
 * Every operation of the service, whose models fail: what the caller is told, what is stored, and
 * what it costs. How each vendor can fail, and what of it is tried again, `../failures.test.ts` has.
 */
import { afterEach, describe, expect, test } from "vitest";
import { MAX_ANSWER_CHARACTERS } from "../../../src/providers/chat-model.ts";
import { allStated, asksWhatIsStated } from "../../support/checked-facts.ts";
import type { FakeAnswer, Fault } from "../../support/fake-upstream.ts";
import { forThisFile } from "../../support/for-this-file.ts";
import { embedExamples } from "../../support/models.ts";
import { startTestService, type TestAccount } from "../../support/service.ts";
import { choiceOf, startFakeVendor, storedOf, talkativeModel, VENDOR_KEYS } from "./vendors.ts";

const CONTENT = { content: "Alice lives in Oslo" };
const MESSAGES = { messages: [{ role: "user", content: "Alice lives in Oslo." }] };
const QUESTION = { question: "Where does Alice live?" };

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
await embedExamples(service);
afterEach(() => {
  model.reset();
  model.chat = talkativeModel;
});

/** An account with one memory, about which a question can be asked. */
async function accountWithMemory(): Promise<TestAccount> {
  const account = await service.createAccount();
  const seeded = await account.rest("POST", "/agent/memories", {
    body: { content: "Alice lives in Trondheim" },
  });
  expect(seeded.status).toBe(200);
  model.reset();
  return account;
}

describe.each(OPERATIONS)("$name", ({ path, body, callsBefore }) => {
  test("a refusal: 503, nothing stored, nothing spent", async () => {
    const account = await accountWithMemory();
    const before = await storedOf(service, account);
    const request = { body, headers: { "idempotency-key": crypto.randomUUID() } };
    model.next(...new Array<null>(callsBefore).fill(null));
    model.always("unauthorized");
    const refused = await account.rest("POST", path, request);
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({ detail: expect.any(String), reason: "model_unavailable" });
    expect(refused.body.detail).toContain('model provider "openai" ');
    expect(refused.body.detail).not.toContain(VENDOR_KEYS.openai);
    expect(refused.body.detail).not.toContain(model.origin);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await storedOf(service, account)).toEqual(before);
    // What the caller does after the wait: the same again.
    model.reset();
    expect((await account.rest("POST", path, request)).status).toBe(200);
  });

  test("a client that goes away ends the call of the model", async () => {
    const account = await accountWithMemory();
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

describe("D27b: of a long conversation, a part", () => {
  const messages = Array.from({ length: 60 }, (_, i) => {
    const content = i === 30 ? "I live in Mordor." : `My friend number ${i} lives in Oslo.`;
    return { role: "user", content: `${content} ${"That is so. ".repeat(12)}` };
  });
  const answered = (message: object) => ({ status: 200, body: { choices: [{ message }] } });
  const refused = (error: object) => ({ status: 400, body: { error } });
  test.each<[string, FakeAnswer, string]>([
    ["the vendor's filter refuses", refused({ code: "content_filter", message: "" }), "refused"],
    ["another's filter refuses", refused({ message: "Content Exists Risk" }), "refused"],
    ["the vendor refuses", refused({ message: "Invalid request" }), "unread"],
    ["has no answer", { status: 200, body: { choices: [] } }, "unread"],
    ["has no message", { status: 200, body: { choices: [{ message: null }] } }, "unread"],
    ["has an answer of another shape", answered({ content: {} }), "unread"],
    ["has an answer without end", "x".repeat(MAX_ANSWER_CHARACTERS + 1), "unread"],
  ])("that %s leaves the others as they are", async (_, reply, reason) => {
    const { rest } = await service.createAccount();
    model.chat = (prompt) =>
      asksWhatIsStated(prompt.schema)
        ? JSON.stringify(allStated(prompt.user))
        : prompt.user.includes('"message":30,')
          ? reply
          : talkativeModel(prompt);
    const { status, body } = await rest("POST", "/agent/memories", { body: { messages } });
    expect(status).toBe(200);
    expect(body.rejected).toContainEqual({ fact: null, message_index: 30, reason });
    expect(body.rejected.length).toBeLessThan(messages.length / 2);
    expect(body.saved_count).toBe(messages.length - body.rejected.length);
  });

  test("is no reason to store nothing, unless all are", async () => {
    const { rest } = await service.createAccount();
    model.chat = () => refused({ message: "No such model" });
    const { status, body } = await rest("POST", "/agent/memories", { body: { messages } });
    expect({ status, detail: body.detail }).toEqual({
      status: 503,
      detail: expect.stringContaining("HTTP status 400"),
    });
  });
});

test.each(Object.entries(OF_MODEL))(
  "D27b: of messages nothing that can be read: they are rejected with the reason: %s",
  async (fault, reason) => {
    const account = await accountWithMemory();
    model.always(fault as Fault);
    const { status, body } = await account.rest("POST", "/agent/memories", { body: MESSAGES });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      saved_count: 0,
      rejected: [{ fact: null, message_index: 0, reason }],
    });
  },
);
