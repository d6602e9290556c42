/** Answers that are given while they come: server-sent events on POST /agent/query. */
import { connect } from "node:http2";
import { KEEP_ALIVE_MS } from "@agent-memory/transcoding";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  EventReader,
  type ServerSentEvent,
} from "../../../packages/transcoding/test/event-stream.ts";
import { SECOND } from "../../../src/domain/instant.ts";
import { MAX_LARGE_RESPONSES } from "../../../src/domain/limits.ts";
import { revokeApiKey } from "../../../src/service/admin/api-keys.ts";
import { controlledPieces } from "../../support/pieces.ts";
import { startTestService, type TestAccount, type TestService } from "../../support/service.ts";
import { ask, expectFailure, expectOk, list, remember, unique } from "../calls.ts";
import { scriptModels, unavailable, vector } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();
const EVENTS = { accept: "text/event-stream" };

/** The whole stream for a question. */
async function stream({ rest }: Pick<TestAccount, "rest">, question: string, more: object = {}) {
  const body = { question, ...more };
  const answer = await rest("POST", "/agent/query", { body, headers: EVENTS });
  expectOk(answer);
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  return answer.body as readonly ServerSentEvent[];
}

const textOf = (events: readonly ServerSentEvent[]) =>
  events.flatMap(({ event, data }) => (event === "text" ? [data.text] : [])).join("");

/** A stream that a test reads as it comes; `spec` is another service's. */
async function open({ key }: TestAccount, question: string, { url }: TestService = spec.service) {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const response = await fetch(`${url}/agent/query`, {
    method: "POST",
    headers: { ...EVENTS, authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ question }),
    signal: left.signal,
  });
  expect(response.status).toBe(200);
  const reader = new EventReader();
  async function read(): Promise<void> {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      reader.push(text);
    }
    reader.end();
  }
  const ended = read();
  ended.catch(() => {});
  return { ...reader, reader, ended, leave: () => left.abort() };
}

/** An account with a memory, and a question whose answer the test hands out. */
async function asking(service: TestService = spec.service, script = spec.script) {
  const account = await service.createAccount();
  const question = unique("Where does Ada live?");
  await remember(account, "Ada lives in Paris");
  const pieces = controlledPieces();
  script.answers.set(question, () => pieces);
  return { account, question, pieces };
}

describe("what it says", () => {
  test("4.4 stream: first the memories, then the text, then the answer; with these fields", async () => {
    const account = await spec.service.createAccount();
    const question = unique("Where does Ada live?");
    spec.script.answers.set(question, () => ["She lives ", "in Paris. [mem-1]"]);
    const id = await remember(account, "Ada lives in Paris");
    const [first, ...events] = await stream(account, question, { limit: 5 });
    expect(first).toEqual({
      event: "memories",
      data: {
        question,
        company_id: account.companyId,
        memories: [expect.objectContaining({ id, cited_by_llm: false })],
        memories_searched: 1,
        approximate: false,
      },
    });
    const text = "She lives in Paris. [mem-1]";
    expect(events).toEqual([
      { event: "text", data: { text } },
      {
        event: "answer",
        data: {
          answer: "She lives in Paris.",
          answer_with_citations: text,
          citations: [expect.objectContaining({ memory_id: id, index: 1, cited_by_llm: true })],
          grounded: true,
          answer_kind: "stated",
          usage: expect.objectContaining({ calls: 1 }),
        },
      },
    ]);
  });

  test("4.4 stream: without the header the answer is JSON as ever", async () => {
    const account = await spec.service.createAccount();
    for (const accept of ["*/*", "application/json", "application/json, text/event-stream"]) {
      const body = { question: "Where does Ada live?" };
      const answer = await account.rest("POST", "/agent/query", { body, headers: { accept } });
      expectOk(answer);
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
  });

  test("4.4 stream, 4.4 rule 4: where nothing is found it is the fixed text, in one piece", async () => {
    const account = await spec.service.createAccount();
    const [memories, ...others] = await stream(account, "Where does Ada live?");
    expect(memories?.data).toMatchObject({ memories: [], memories_searched: 0 });
    const text = "No memories found for this company yet.";
    const cited = { answer: text, answer_with_citations: text, citations: [] };
    const answer = { ...cited, grounded: true, answer_kind: "none", usage: null };
    expect(others).toEqual([
      { event: "text", data: { text } },
      { event: "answer", data: answer },
    ]);
  });

  test.each<[string, string[]]>([
    ["D12a: thoughts", ["<thi", "nk>No [mem-1].</th", "ink>A [mem-2]. B <think>? [mem-3]"]],
    ["D12b: that it is only the closest", ["NO_ANS", "WER: only A [mem", "-2]."]],
  ])("%s: the text together is the answer of one who waits", async (_, said) => {
    const account = await spec.service.createAccount();
    const question = unique("What is it?");
    spec.script.vectors.set(question, () => vector(1));
    for (const n of [3, 2, 1]) {
      const content = unique(`Fact ${n}`);
      spec.script.vectors.set(content, () => vector(1, (n - 1) / 10));
      await remember(account, content);
    }
    spec.script.answers.set(question, () => said);
    const whole = await ask(account, question);
    const events = await stream(account, question);
    expect(whole).toMatchObject(events.at(-1)?.data as object);
    expect(textOf(events)).toBe(whole.answer_with_citations);
  });

  test("4.4 stream text: each piece is there as soon as it is certain", async () => {
    const { account, question, pieces } = await asking();
    const { reader, ended } = await open(account, question);
    const shown = () => textOf(reader.events);
    await expect.poll(() => reader.events.map(({ event }) => event)).toEqual(["memories"]);
    for (const [piece, text] of [
      ["She lives in Paris [mem", ""],
      ["-1].", "She lives in Paris [mem-1]."],
      [" Not in", "She lives in Paris [mem-1]. Not in"],
      [" Rome [mem-2].", "She lives in Paris [mem-1]. Not in Rome."],
    ] as const) {
      pieces.give(piece);
      await expect.poll(shown).toBe(text);
    }
    expect(reader.events.at(-1)?.event).toBe("text");
    pieces.end();
    await ended;
    expect(reader.events.at(-1)?.data.answer_with_citations).toBe(shown());
  });
});

describe("errors", () => {
  test("4.4 stream errors: before the first message they are answers like any other", async () => {
    const account = await spec.service.createAccount();
    const asked = (body: unknown, more: Record<string, string> = {}) =>
      account.rest("POST", "/agent/query", { body, headers: { ...EVENTS, ...more } });
    expectFailure(await asked({}), 422, "invalid_field", "question");
    expectFailure(await asked({ question: "Where?", page: 1 }), 422, "invalid_field", "page");
    expectFailure(await asked({ question: "Where?", limit: 0 }), 422, "invalid_field", "limit");
    expectFailure(await asked("[]"), 400, "malformed_body");
    const noKey = await asked({ question: "Where?" }, { authorization: "Bearer svc_" });
    expectFailure(noKey, 401, "unauthenticated");
    const question = unique("Where?");
    spec.script.vectors.set(question, unavailable);
    expectFailure(await asked({ question }), 503, "model_unavailable");
  });

  test("4.4 stream errors, D28: a model that does not answer is the event behind the memories", async () => {
    const { account, question } = await asking();
    spec.script.answers.set(question, unavailable);
    const [first, ...others] = await stream(account, question);
    expect(first?.event).toBe("memories");
    const error = { detail: "the model did not answer", reason: "model_unavailable" };
    expect(others).toEqual([{ event: "error", data: error }]);
  });

  test("D36 stream: a key that is revoked in the middle is told nothing more", async () => {
    const { account, question, pieces } = await asking();
    const { reader, ended } = await open(account, question);
    pieces.give("She lives in Paris [mem-1].");
    await expect.poll(() => textOf(reader.events)).toBe("She lives in Paris [mem-1].");
    await revokeApiKey(spec.service.context, spec.service.context.db, account.apiKeyId);
    spec.service.clock.advance(SECOND);
    pieces.give(" She likes it.");
    await ended;
    expect(reader.events.map(({ event }) => event)).toEqual(["memories", "text", "error"]);
    expect(reader.events.at(-1)?.data).toMatchObject({ reason: "unauthenticated" });
  });
});

describe("while it goes on", () => {
  test("4.4 stream open: a comment shows every 15 seconds that it goes on", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { account, question, pieces } = await asking();
    const { reader, ended } = await open(account, question);
    await expect.poll(() => reader.events).toHaveLength(1);
    expect(KEEP_ALIVE_MS).toBe(15_000);
    vi.advanceTimersByTime(3 * KEEP_ALIVE_MS);
    await expect.poll(() => reader.comments).toHaveLength(3);
    pieces.give("She lives in Paris [mem-1].");
    pieces.end();
    await ended;
    expect(reader.events).toHaveLength(3);
  });

  test("4.4 stream open: a server that is told to stop lets it come to its end", async () => {
    const script = scriptModels();
    const config = { shutdownGraceMs: 60_000 };
    const service = await startTestService({ models: script.models, config });
    const { account, question, pieces } = await asking(service, script);
    const { reader, ended } = await open(account, question, service);
    pieces.give("She lives in Paris [mem-1].");
    await expect.poll(() => reader.events).toHaveLength(2);
    const closed = service.close();
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
    pieces.give(" She likes it.");
    pieces.end();
    await ended;
    await closed;
    expect(textOf(reader.events)).toBe("She lives in Paris [mem-1]. She likes it.");
    expect(reader.events.at(-1)?.event).toBe("answer");
  });

  test("D37 stream: what is large in it counts as outstanding until it is read", async () => {
    const account = await spec.service.createAccount();
    const content = unique("Ada lives in Paris ".repeat(1_600));
    await remember(account, content);
    const question = unique("Where does Ada live?");
    spec.script.answers.set(question, () => "In Paris [mem-1].");
    const session = connect(spec.service.url, { settings: { initialWindowSize: 0 } });
    session.on("error", () => {});
    onTestFinished(() => session.destroy());
    const begun = Array.from({ length: MAX_LARGE_RESPONSES }, () => {
      const unread = session.request({
        ":method": "POST",
        ":path": "/agent/query",
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        ...EVENTS,
      });
      unread.on("error", () => {}).end(JSON.stringify({ question }));
      return new Promise((resolve) => unread.on("response", (head) => resolve(head[":status"])));
    });
    expect(new Set(await Promise.all(begun))).toEqual(new Set([200]));
    let isAnswered = false;
    const waiting = list(account).finally(() => {
      isAnswered = true;
    });
    expectOk(await account.rest("GET", "/plan/status"));
    expect(isAnswered).toBe(false);
    session.settings({ initialWindowSize: 8 * 1024 * 1024 });
    expect((await waiting).count).toBe(1);
  });
});
