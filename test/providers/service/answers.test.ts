/** What models write when they are asked a question, and what the caller is given of it (D12a). */
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { EventReader } from "../../../packages/transcoding/test/event-stream.ts";
import type { FakeModelServer, FakePrompt } from "../../support/fake-upstream.ts";
import { controlledPieces } from "../../support/pieces.ts";
import { startTestService, type TestAccount, type TestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor, type VendorName } from "./vendors.ts";

const MEMORIES = ["Ana lives in Oslo", "Ana works in Rome", "Ana was born in Porto"];
const QUESTION = "What is known of Ana?";

describe.each<VendorName>(["gemini", "openai"])("%s", (vendor) => {
  let model: FakeModelServer;
  let service: TestService;
  let account: TestAccount;
  let prompts: FakePrompt[];

  beforeAll(async () => {
    model = await startFakeVendor(vendor);
    const embeddings = { provider: "local" } as const;
    service = await startTestService({
      config: { models: choiceOf(vendor, model, { embeddings }) },
    });
    account = await service.createAccount();
    for (const content of MEMORIES) {
      await account.rest("POST", "/agent/memories", { body: { content } });
    }
  });
  afterAll(async () => {
    await service?.close();
    await model?.close();
  });
  beforeEach(() => {
    prompts = [];
    model.reset();
  });

  /** The model says these, one after the other. */
  async function ask(...said: string[]) {
    model.chat = (prompt) => {
      prompts.push(prompt);
      return said[prompts.length - 1] ?? "It was asked too often.";
    };
    const answer = await account.rest("POST", "/agent/query", { body: { question: QUESTION } });
    expect(answer.status).toBe(200);
    return answer.body;
  }

  /** The number under which the model is shown a memory. */
  async function numberOf(content: string): Promise<number> {
    await ask("NO_ANSWER");
    const lines = (prompts.pop()?.user ?? "").split("\n").map((line) => JSON.parse(line));
    return lines.find(({ text }) => text === content).memory;
  }

  test.each([
    ["[mem-A, mem-B]"],
    ["[mem-A and mem-B]"],
    ["[mem A][mem B]"],
    ["[A][B]"],
    ["[A, B]"],
    ["【mem-A】【mem-B】"],
    ["【A†source】【B†source】"],
    ["(mem-A; mem-B)"],
    ["[mem-A, mem-99] [mem-B]"],
  ])("D12a: %s", async (form) => {
    const [a, b] = [await numberOf("Ana lives in Oslo"), await numberOf("Ana works in Rome")];
    const marker = form.replace(/\bA\b/u, String(a)).replace(/\bB\b/u, String(b));
    const answer = await ask(`<think>Porto? [mem-3]</think>She lives in Oslo ${marker}.`);
    expect(prompts).toHaveLength(1);
    expect(answer.answer).toBe("She lives in Oslo.");
    expect(answer.answer_with_citations).toMatch(/^She lives in Oslo \[mem-1\] ?\[mem-2\]\.$/u);
    expect(answer.citations.map(({ decision }: { decision: string }) => decision)).toEqual([
      "Ana lives in Oslo",
      "Ana works in Rome",
    ]);
    expect(answer.grounded).toBe(true);
  });

  /** The events of an answer that the model gives in pieces. */
  async function stream(leaving?: AbortSignal) {
    const response = await fetch(`${service.url}/agent/query`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      body: JSON.stringify({ question: QUESTION }),
      signal: leaving ?? null,
    });
    const reader = new EventReader();
    const read = async () => {
      for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        reader.push(text);
      }
      return reader.end();
    };
    const ended = read();
    ended.catch(() => {});
    return { events: reader.events, ended };
  }

  test("4.4 stream text: the vendor's words are shown as they come, and usage is counted once", async () => {
    // Of a server that may leave out where thoughts begin, one answer must be seen first.
    await ask("She lives in Oslo [mem-1].");
    const said = controlledPieces();
    model.chat = () => ({ pieces: said });
    const counted = vi.spyOn(service.context.metrics, "modelCalled");
    onTestFinished(() => counted.mockRestore());
    const { events, ended } = await stream();
    const texts = () => events.flatMap(({ event, data }) => (event === "text" ? [data.text] : []));
    said.give("She lives in Oslo [mem-1]");
    await expect.poll(texts).toEqual(["She lives in Oslo [mem-1]"]);
    said.give(" and works in Rome [mem-2].");
    await expect.poll(() => texts().join("")).toMatch(/ and works in Rome \[mem-2\]\.$/u);
    said.end();
    const answer = (await ended).at(-1);
    expect(answer?.data.answer_with_citations).toBe(texts().join(""));
    const answers = counted.mock.calls.filter(([{ operation }]) => operation === "answer");
    expect(answers).toMatchObject([[{ provider: vendor, attempts: 1 }]]);
  });

  test("4.4 stream abandoned: who leaves ends the request to the vendor", async () => {
    const said = controlledPieces();
    model.chat = () => ({ pieces: said });
    const left = new AbortController();
    const { events } = await stream(left.signal);
    said.give("She lives in Oslo [mem-1]");
    await expect.poll(() => model.requests).toHaveLength(1);
    await expect.poll(() => events.length).toBeGreaterThan(0);
    left.abort();
    await model.requests[0]?.abandoned;
    said.end();
  });

  test("4.4 stream errors, D28: a vendor that breaks off in the middle gave no answer", async () => {
    model.next("breaking_midway");
    const { events, ended } = await stream();
    await ended;
    expect(events.map(({ event }) => event)).toEqual(["memories", "error"]);
    expect(events.at(-1)?.data).toEqual({
      detail: `the model provider "${vendor}" could not be reached`,
      reason: "model_unavailable",
    });
    expect(model.requests).toHaveLength(1);
  });

  test("D12a: an answer without citations is asked for once more", async () => {
    expect(await ask("She lives in Oslo.", "She lives in Oslo [mem-1].")).toMatchObject({
      answer: "She lives in Oslo.",
      citations: [{ index: 1 }],
      grounded: true,
    });
    expect(prompts).toHaveLength(2);
    expect(prompts[1]?.user).toBe(prompts[0]?.user);
    expect(prompts[1]?.system).not.toBe(prompts[0]?.system);
  });

  test("D12a: what cites nothing then either is given, and told to be not grounded", async () => {
    expect(await ask("She lives in Oslo.", "In Oslo, array[7].")).toMatchObject({
      answer: "In Oslo, array[7].",
      citations: [],
      grounded: false,
    });
    expect(prompts).toHaveLength(2);
  });

  test("D12a, D28: where the model fails then, the first answer is given", async () => {
    model.next(null, "bad_request");
    expect(await ask("She lives in Oslo.")).toMatchObject({
      answer: "She lives in Oslo.",
      grounded: false,
    });
  });

  test("D12a: that no memory answers is said in the model's words", async () => {
    expect(await ask("NO_ANSWER: Das ist nicht bekannt.")).toMatchObject({
      answer: "Das ist nicht bekannt.",
      answer_with_citations: "Das ist nicht bekannt.",
      citations: [],
      grounded: true,
    });
    expect(prompts).toHaveLength(1);
  });
});
