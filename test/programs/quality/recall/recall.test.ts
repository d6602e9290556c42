import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestService } from "../../../support/service.ts";
import { createBm25 } from "./bm25.ts";
import { type Corpus, limitQuestions } from "./corpus.ts";
import { meanOf, recallAt, reciprocalRank, shareOf } from "./figures.ts";
import { BEAM_CHAT, BEAM_QUESTIONS, LOCOMO_FILE, LONGMEMEVAL_FILE } from "./fixtures.ts";
import { play } from "./play.ts";
import { readCorpora } from "./read-folder.ts";
import { reportOf } from "./report.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agent-memory-recall-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, json: unknown): void {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof json === "string" ? json : JSON.stringify(json));
}

function putBeam(chat: unknown = BEAM_CHAT): void {
  put("100K/1/chat.json", chat);
  put("100K/1/topic.json", { topic: "not read" });
  put("100K/1/probing_questions/probing_questions.json", BEAM_QUESTIONS);
}

describe("a corpus is read", () => {
  test("LoCoMo: a turn is a text with its speaker, in a session with its time", () => {
    put("locomo10.json", LOCOMO_FILE);
    const [{ name, conversations } = { name: "", conversations: [] }] = readCorpora(folder).corpora;
    expect(name).toBe("LoCoMo");
    expect(conversations).toHaveLength(1);
    expect(conversations[0]?.sessions).toEqual([
      {
        id: "session_1",
        at: "2023-05-08T13:56:00.000Z",
        turns: [
          { id: "D1:1", text: "Ida: Hi Noor, long time no see!" },
          { id: "D1:2", text: "Noor: I adopted a greyhound from the shelter." },
        ],
      },
      {
        id: "session_2",
        at: "2023-09-13T00:09:00.000Z",
        turns: [
          { id: "D2:1", text: "Ida: I signed up for a pottery course." },
          { id: "D2:2", text: "Noor: Lovely, what will you make?" },
        ],
      },
    ]);
    expect(conversations[0]?.questions).toMatchObject([
      { type: "single-hop", isAnswerable: true, evidence: ["D1:2"] },
      { type: "multi-hop", isAnswerable: true, evidence: ["D2:1", "D1:2"] },
      { type: "adversarial", isAnswerable: false },
      { type: "open-domain", isAnswerable: true, evidence: [] },
    ]);
  });

  test("LongMemEval: each question has a history of its own, with marked turns", () => {
    put("longmemeval_s.json", LONGMEMEVAL_FILE);
    const [corpus] = readCorpora(folder).corpora;
    expect(corpus?.name).toBe("LongMemEval");
    expect(corpus?.conversations).toMatchObject([
      {
        id: "q1",
        sessions: [
          { at: "2023-05-20T02:21:00.000Z" },
          { at: "2023-05-21T14:05:00.000Z", turns: [{ id: "2:1" }, { id: "2:2" }] },
        ],
        questions: [{ type: "single-session-user", isAnswerable: true, evidence: ["2:1"] }],
      },
      { id: "q2_abs", questions: [{ isAnswerable: false, evidence: [] }] },
    ]);
  });

  test("BEAM: a folder is a chat, a batch a session; what a text was made from is left out", () => {
    putBeam();
    const [corpus] = readCorpora(folder).corpora;
    expect(corpus?.name).toBe("BEAM");
    expect(corpus?.conversations).toMatchObject([
      {
        id: "100K/1",
        sessions: [
          {
            at: "2024-03-15T00:00:00.000Z",
            turns: [
              { id: "0", text: "My sprint ends on March 29, plan it with me." },
              { id: "1", text: "Here is a plan." },
              { id: "2", text: "I moved the sprint's end to April 2." },
            ],
          },
          { at: null, turns: [{ id: "3" }] },
        ],
        questions: [
          { type: "abstention", isAnswerable: false },
          { type: "knowledge update", evidence: ["0", "2"] },
          { type: "information extraction", evidence: ["3"] },
          { type: "summarization", isAnswerable: true, evidence: [] },
        ],
      },
    ]);
  });

  test("BEAM: the longest chats group their batches by plans", () => {
    putBeam([{ "plan-1": BEAM_CHAT.slice(0, 1) }, { "plan-2": BEAM_CHAT.slice(1) }]);
    const [corpus] = readCorpora(folder).corpora;
    expect(corpus?.conversations[0]?.sessions.map(({ turns }) => turns.length)).toEqual([3, 1]);
  });

  test("chats of one number in two folders are two conversations", () => {
    putBeam();
    put("500K/1/chat.json", BEAM_CHAT);
    put("500K/1/probing_questions/probing_questions.json", BEAM_QUESTIONS);
    const [corpus] = readCorpora(folder).corpora;
    expect(corpus?.conversations.map(({ id }) => id)).toEqual(["100K/1", "500K/1"]);
  });

  test("several formats in one folder are corpora of their own", () => {
    put("a/locomo10.json", LOCOMO_FILE);
    put("b/longmemeval_oracle.json", LONGMEMEVAL_FILE);
    putBeam();
    put("a/topics.json", [{ topic: "x" }]);
    const { corpora, passedOver } = readCorpora(folder);
    expect(corpora.map(({ name }) => name)).toEqual(["BEAM", "LoCoMo", "LongMemEval"]);
    expect(passedOver).toEqual(["topics.json"]);
  });

  test.each([
    ["another shape", [{ prompt: "x" }], /other\.json is no corpus\. These are read:\n {2}LoCoMo:/],
    ["no JSON", "{", /other\.json is not JSON/],
    [
      "a list that is none",
      [{ conversation: { session_1: 5 }, qa: [] }],
      /other\.json\[0\]\.conversation\.session_1 must be a list/,
    ],
    [
      "a text that is none",
      [{ question_id: "q", question_type: "t", question: null, haystack_sessions: [] }],
      /other\.json\[0\]\.question must be a text/,
    ],
  ])("but not %s", (_, json, message) => {
    put("other.json", json);
    expect(() => readCorpora(folder)).toThrow(message);
  });

  test("an empty folder, and one that is none, are refused", () => {
    expect(() => readCorpora(folder)).toThrow(/has no corpus/);
    expect(() => readCorpora(join(folder, "x"))).toThrow(/is not a folder/);
  });

  test("with a limit, questions of all conversations and types are left, and no other conversation", () => {
    const corpus: Corpus = {
      name: "x",
      conversations: Array.from({ length: 10 }, (_, c) => ({
        id: String(c),
        sessions: [],
        questions: Array.from({ length: 10 }, (_, q) => ({
          text: `${c}.${q}`,
          type: String(q),
          isAnswerable: true,
          evidence: [],
        })),
      })),
    };
    const questions = limitQuestions(corpus, 40).conversations.flatMap((one) => one.questions);
    expect(questions).toHaveLength(40);
    expect(new Set(questions.map(({ type }) => type)).size).toBe(10);
    expect(limitQuestions(corpus, 1).conversations).toHaveLength(1);
    expect(limitQuestions(corpus, Number.POSITIVE_INFINITY)).toEqual(corpus);
  });
});

describe("figures", () => {
  test("recall is the share of the evidence, and the rank is that of its first", () => {
    expect(recallAt(["a", "b", "c"], ["b", "c", "x"], 2)).toBeCloseTo(1 / 3);
    expect(reciprocalRank(["a", "b", "c"], ["c", "b"])).toBe(0.5);
    expect(reciprocalRank(["a"], ["b"])).toBe(0);
  });

  test("a mean has an interval that narrows with the number of questions", () => {
    const few = meanOf([0, 1, 0, 1]);
    const many = meanOf(Array.from({ length: 400 }, (_, i) => i % 2));
    expect(few.value).toBe(0.5);
    expect(many.value).toBe(0.5);
    expect(many.high - many.low).toBeLessThan(few.high - few.low);
    expect(many.low).toBeCloseTo(0.451, 1);
    expect(meanOf([1, 1])).toEqual({ value: 1, low: 1, high: 1 });
  });

  test("a share has Wilson's interval", () => {
    const { value, low, high } = shareOf(9, 10);
    expect([value, low, high].map((x) => x.toFixed(3))).toEqual(["0.900", "0.596", "0.982"]);
    expect(shareOf(0, 5).low).toBe(0);
  });

  test("BM25 ranks by stems: rare ones first, and not what has none of them", () => {
    const search = createBm25([
      { id: "a", text: "The parrots talk about the garden" },
      { id: "b", text: "We talked in the garden" },
      { id: "c", text: "My parrot bites" },
      { id: "d", text: "A long talk with everybody in the garden of the house" },
    ]);
    expect(search("Does the parrot talk?", 10)).toEqual(["a", "c", "b", "d"]);
    expect(search("Does the parrot talk?", 1)).toEqual(["a"]);
  });
});

test("a corpus is written and asked over HTTP, and what is found is told by type", async () => {
  put("locomo10.json", LOCOMO_FILE);
  putBeam();
  const service = await startTestService();
  const { rest } = await service.createAccount();
  const played = [];
  for (const corpus of readCorpora(folder).corpora) played.push(await play(rest, corpus));
  const { memories } = (
    await rest("GET", "/agent/memories", { query: { tenant_id: "LoCoMo conv-a" } })
  ).body;
  await service.close();

  expect(played).toMatchObject([
    { name: "BEAM", turns: 4 },
    { name: "LoCoMo", turns: 4, shortened: 0 },
  ]);
  const times = memories.map(({ temporal }: { temporal: { valid_from: string } }) =>
    temporal.valid_from.slice(0, 16),
  );
  expect(times.toReversed()).toEqual([
    "2023-05-08T13:56",
    "2023-05-08T13:56",
    "2023-09-13T00:09",
    "2023-09-13T00:09",
  ]);
  const [adopted] = played[1]?.asked ?? [];
  expect(adopted?.found[0]).toBe("D1:2");
  expect(adopted?.foundByWords[0]).toBe("D1:2");
  expect(adopted?.cited).toContain("D1:2");
  expect(adopted?.found).toHaveLength(4);

  const report = played.map(reportOf).join("\n");
  expect(report).toContain("1 conversation, 4 turns, written over HTTP");
  expect(report).toContain("2 questions with evidence, 1 that nothing answers, 1 left out");
  expect(report).toMatch(/\| single-hop \| 1 \| service \| 100\.0 \[100\.0, 100\.0\]/);
  expect(report).toMatch(/\| single-hop \| 1 \| 100\.0 \[20\.7, 100\.0\] \| 0\.0/);
  expect(report).toMatch(/\| all \| 2 \| service - BM25 \|/);
  expect(report).toContain("| adversarial (nothing answers) | 1 |");
});

test("the command says what is wrong with its folder, and with its options", async () => {
  const run = (...options: string[]) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, "run.ts"), ...options]).then(
      ({ stdout }) => stdout,
      ({ stderr }) => stderr,
    );
  expect(await run("--corpus", folder)).toContain("has no corpus. These are read:");
  expect(await run("--corpus", folder, "--engine", "oracle")).toContain("Usage: npm run recall");
  expect(await run("--corpus", folder, "--limit", "none")).toContain("Usage: npm run recall");
});
