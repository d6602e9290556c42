import { describe, expect, test } from "vitest";
import { uncited } from "../../../src/domain/citations.ts";
import { Failure } from "../../../src/domain/failure.ts";
import { parseInstant } from "../../../src/domain/instant.ts";
import type { OfferedMemory, Question } from "../../../src/providers/answerer.ts";
import { answerPrompt, createChatAnswerer } from "../../../src/providers/chat/answerer.ts";
import { THOUGHT_TOKENS } from "../../../src/providers/chat-model.ts";
import { citeAnswer } from "../../support/cite-answer.ts";
import { CALL } from "../../support/model-call.ts";
import { CutOff, linesOf, recordUsage, type Said, scriptChatModel } from "./scripted-chat-model.ts";

const now = parseInstant("2026-05-06T10:00:00Z") ?? 0n;

function memory(number: number, decision: string, date: string): OfferedMemory {
  const validFrom = parseInstant(date) ?? 0n;
  return {
    number,
    decision,
    topic: "Location",
    source: "crm",
    validFrom,
    validTo: null,
    similarity: 0.9,
    relevance: 0,
  };
}

const OFFERED = [
  memory(1, "Ana lives in Oslo", "2026-01-02T03:04:05.000002Z"),
  memory(2, "Ana lives in Rome", "2026-01-02T03:04:05.000001Z"),
  memory(3, "Ana was born in Porto", "2020-01-01T00:00:00Z"),
];

/**
 * What the model says: to the first prompt, and to a second one. Streamed, the same comes
 * of it, and what is shown is its beginning.
 */
async function answer(
  said: string | readonly [string, string],
  text = "Where does Ana live?",
  memories = OFFERED,
) {
  const [first, second] = typeof said === "string" ? [said, said] : said;
  async function ask(show?: (text: string) => void) {
    let asked = 0;
    // Of a model that does so, nothing is shown before the end of such thoughts.
    const mayThinkAloud = /^[^<]*<\//u.test(first);
    const say = () => (asked++ === 0 ? first : second);
    const { model, prompts } = scriptChatModel(say, { mayThinkAloud });
    const { usages, report } = recordUsage();
    const question = { text, memories, now };
    const call = { ...CALL, report };
    const given = await createChatAnswerer(model).answer(question, call, show);
    return { given, answer: given.answerWithCitations, prompts, usages };
  }
  const asked = await ask();
  let shown = "";
  const streamed = await ask((piece) => {
    shown += piece;
  });
  expect(streamed).toEqual(asked);
  expect(asked.answer.startsWith(shown)).toBe(true);
  return asked;
}

test("an answer that was cut off ends at its last cited sentence, or at what was shown", async () => {
  const said = "Ana lives in Oslo [mem-1]. She works at";
  const ask = (show?: (text: string) => void) => {
    const { model } = scriptChatModel(() => new CutOff(said));
    const question = { text: "Where does Ana live?", memories: OFFERED, now };
    return createChatAnswerer(model).answer(question, CALL, show);
  };
  expect((await ask()).answerWithCitations).toBe("Ana lives in Oslo [mem-1].");
  let shown = "";
  const streamed = await ask((piece) => {
    shown += piece;
  });
  expect(streamed.answerWithCitations).toBe(shown);
});

test("D12a: an answer that was cut off twice before its first marker is given as not grounded", async () => {
  const { model, prompts } = scriptChatModel(() => new CutOff("Ana lives in Oslo. She wor"));
  const question = { text: "Where does Ana live?", memories: OFFERED, now };
  const given = await createChatAnswerer(model).answer(question, CALL);
  expect(given).toMatchObject({ answer: "Ana lives in Oslo.", cited: [], grounded: false });
  expect(prompts).toHaveLength(2);
});

describe("thoughts without an opening tag that were cut off", () => {
  const thoughts = "Okay, where does she live? [mem-1] says Oslo. [mem-2] is about Ro";
  const whole = `${thoughts}me.</think>Oslo [mem-1].`;
  const question = { text: "Where does Ana live?", memories: OFFERED, now };
  /** An answerer with a model that may think aloud, and how much room it was given. */
  function scriptAnswerer(say: (room: number, call: number) => Said) {
    const rooms: number[] = [];
    const { model } = scriptChatModel(
      ({ maxOutputTokens }) => say(maxOutputTokens, rooms.push(maxOutputTokens)),
      { mayThinkAloud: true },
    );
    return { answerer: createChatAnswerer(model), rooms };
  }

  test("D12a: are no answer, which is asked for with more room; that is remembered", async () => {
    const { answerer, rooms } = scriptAnswerer((room) =>
      room > THOUGHT_TOKENS ? whole : new CutOff(thoughts),
    );
    const shown: string[] = [];
    for (const show of [undefined, (piece: string) => void shown.push(piece)]) {
      const given = await answerer.answer(question, CALL, show);
      expect(given).toMatchObject({ answerWithCitations: "Oslo [mem-1].", cited: [1] });
    }
    expect(shown.join("")).toBe("Oslo [mem-1]");
    expect(rooms.map((room) => room > THOUGHT_TOKENS)).toEqual([false, true, true]);
  });

  test("D12a: are no answer of a model that leaves the tag out, also where they have no end", async () => {
    const { answerer } = scriptAnswerer((_, call) => (call === 1 ? whole : new CutOff(thoughts)));
    await answerer.answer(question, CALL);
    const second = answerer.answer(question, CALL);
    await expect(second).rejects.toMatchObject({ reason: "model_unavailable" });
  });

  test("D12a: are not known for it of a model that never left it out: its cited sentences count", async () => {
    const { answerer } = scriptAnswerer(() => new CutOff("Oslo [mem-1]. She li"));
    expect(await answerer.answer(question, CALL)).toMatchObject({ answer: "Oslo.", cited: [1] });
  });
});

test("one call; each memory with its number, time and source, oldest first; then the question", async () => {
  const { answer: given, prompts, usages } = await answer("Ana lives in Oslo [mem-1].");
  expect(given).toBe("Ana lives in Oslo [mem-1].");
  expect(prompts.map(linesOf)).toEqual([
    [
      {
        memory: 3,
        date: "2020-01-01T00:00:00Z",
        source: "crm",
        topic: "Location",
        text: "Ana was born in Porto",
      },
      // Both are of one second: the order says which is later.
      expect.objectContaining({ memory: 2, date: "2026-01-02T03:04:05Z" }),
      expect.objectContaining({ memory: 1, date: "2026-01-02T03:04:05Z" }),
      { question: "Where does Ana live?", time: "2026-05-06T10:00:00Z" },
    ],
  ]);
  expect(usages).toEqual([
    expect.objectContaining({ operation: "answer", inputTokens: 10, outputTokens: 5 }),
  ]);
});

const asOf = parseInstant("2025-01-01T00:00:00Z") ?? expect.fail();
const knownAt = parseInstant("2025-06-01T00:00:00Z") ?? expect.fail();
const SAID = { as_of: "2025-01-01T00:00:00Z", known_at: "2025-06-01T00:00:00Z" };
test.each<[Partial<Question>, object, RegExp]>([
  [{}, {}, /^(?!.*(?:as_of|known_at))/su],
  [{ asOf }, { as_of: SAID.as_of }, /about the moment "as_of": [^\n]*Answer for that moment/u],
  [{ knownAt }, { known_at: SAID.known_at }, /"known_at"; what was learned later is left out/u],
  [{ asOf, knownAt }, SAID, /as_of[^\n]*\n[^\n]*known_at/u],
])("D40: a question of a moment says so, and of now nothing more: %o", async (more, said, told) => {
  const question = { text: "Where?", memories: OFFERED, now, ...more };
  const prompt = await answerPrompt(question, CALL.signal);
  const asked = { question: "Where?", time: "2026-05-06T10:00:00Z", ...said };
  expect(linesOf(prompt).at(-1)).toEqual(asked);
  expect(prompt.system).toMatch(told);
});

test("D12c: a question that names a past is asked of it, and the model says so", async () => {
  const promptOf = (past: Question["past"] & {}) =>
    answerPrompt({ text: "Where?", memories: OFFERED, now, past }, CALL.signal);
  const ofMarch = await promptOf(parseInstant("2026-03-31T00:00:00Z") ?? expect.fail());
  expect(linesOf(ofMarch).at(-1)).toMatchObject({ past: "2026-03-31T00:00:00Z" });
  expect(ofMarch.system).toMatch(/past until the moment "past"[^\n]*Say when it was/u);
  const before = await promptOf("ever");
  expect(linesOf(before).at(-1)).not.toHaveProperty("past");
  expect(before.system).toMatch(/"used to", "before"/u);
});

describe("when none answers", () => {
  test.each([
    "NO_ANSWER",
    " **NO_ANSWER**.\n",
    "NO_ANSWER [mem-1]",
    "<think>Hm.</think>No_Answer:",
    "NO_ANSWER: Das geht aus nichts hervor.",
    "**NO_ANSWER:** Nie wiadomo.",
  ])(
    "D12b: the answer is the sentence of 4.4, whatever the model says behind the word: %j",
    async (said) => {
      const { given, prompts } = await answer(said);
      expect(given).toEqual(uncited("No memories found for this company yet."));
      expect(given).toMatchObject({ grounded: true, answerKind: "none" });
      expect(prompts).toHaveLength(1);
    },
  );

  test.each([
    ["Ana lives in Oslo [mem-1]. NO_ANSWER", "Ana lives in Oslo [mem-1]."],
    ["In Oslo, NO_ANSWER it seems [mem-1].", "In Oslo, it seems [mem-1]."],
    ["In Oslo [mem-1]\n\nNO_ANSWER:\n\nso far [mem-1].", "In Oslo [mem-1]\n\nso far [mem-1]."],
  ])(
    "D12a: the word in a longer answer is removed, and the rest is the answer: %j",
    async (said, text) => {
      const { given, prompts } = await answer(said);
      const stated = { cited: [1], grounded: true, answerKind: "stated" };
      expect(given).toMatchObject({ answerWithCitations: text, ...stated });
      expect(prompts).toHaveLength(1);
    },
  );

  test.each(["The switch logs NO_ANSWER when", "It is in state `NO_ANSWER` if"])(
    "D12a: the word of a memory in the midst of a sentence stays: %s",
    async (beginning) => {
      const said = `${beginning} nobody picks up [mem-1].`;
      expect((await answer(said)).answer).toBe(said);
    },
  );

  test("D12b: what is cited behind the word is the closest, and not grounded", async () => {
    const { given } = await answer("NO_ANSWER: only that she lives in Oslo [mem-1].");
    expect(given).toEqual({
      answer: "only that she lives in Oslo.",
      answerWithCitations: "only that she lives in Oslo [mem-1].",
      cited: [1],
      grounded: false,
      answerKind: "closest",
    });
  });
});

describe("an answer that cites nothing", () => {
  test("D12a: is asked for once more, with what was wrong; both calls are reported", async () => {
    const { given, prompts, usages } = await answer(["Ana lives in Oslo.", "Oslo [mem-1]."]);
    expect(given).toMatchObject({ answer: "Oslo.", cited: [1], grounded: true });
    const [first, second, ...others] = prompts;
    expect(others).toEqual([]);
    expect(second?.user).toBe(first?.user);
    expect(second?.system.startsWith(`${first?.system}\n\n`)).toBe(true);
    expect(second?.system).toMatch(/last answer had no text or no marker/u);
    expect(second?.system).not.toContain("Ana");
    expect(usages).toHaveLength(2);
  });

  test.each([
    ["no marker again", "It is Oslo."],
    ["a marker of a memory that was not offered", "It is Oslo [mem-99]."],
    ["a number that is none", "It is Oslo [2024]."],
  ])("D12a: is given as not grounded, where the second has %s", async (_, second) => {
    const { given, prompts } = await answer(["Ana lives in Oslo.", second]);
    expect(given).toMatchObject({
      answer: second.replace(" [mem-99]", ""),
      cited: [],
      grounded: false,
    });
    expect(prompts).toHaveLength(2);
  });

  test("D12a: is given where the second is none", async () => {
    const { given } = await answer(["Ana lives in Oslo.", "[mem-99]"]);
    expect(given).toMatchObject({ answer: "Ana lives in Oslo.", cited: [], grounded: false });
  });

  test("D12a: is given where the model does not answer a second time", async () => {
    let asked = 0;
    const { model } = scriptChatModel(() => {
      if (asked++ > 0) throw new Failure("model_unavailable", "it is gone");
      return "Ana lives in Oslo.";
    });
    const question = { text: "Where does Ana live?", memories: OFFERED, now };
    const given = await createChatAnswerer(model).answer(question, CALL);
    expect(given).toMatchObject({ answer: "Ana lives in Oslo.", grounded: false });
  });

  test("D12a: is not asked for again once the caller has left", async () => {
    const left = new AbortController();
    const { model, prompts } = scriptChatModel(() => {
      left.abort(new DOMException("left", "AbortError"));
      return "Ana lives in Oslo.";
    });
    const question = { text: "Where does Ana live?", memories: OFFERED, now };
    const answering = createChatAnswerer(model).answer(question, { ...CALL, signal: left.signal });
    await expect(answering).rejects.toMatchObject({ name: "AbortError" });
    expect(prompts).toHaveLength(1);
  });

  test("D12a: an answer in part without markers is given at once, as not grounded", async () => {
    const { given, prompts } = await answer("Ana lives in Oslo [mem-1]. She likes it.");
    expect(given).toMatchObject({ cited: [1], grounded: false });
    expect(prompts).toHaveLength(1);
  });
});

describe("a model's thinking is no part of its answer", () => {
  test.each([
    "<think>Is it [mem-2]? NO_ANSWER? No.</think>Oslo [mem-1].",
    "<thinking>\nRome [mem-2].\n</thinking>\n\nOslo [mem-1].",
    '<reasoning effort="low">Rome [mem-2].</reasoning> Oslo [mem-1].',
    "Rome [mem-2].</think>Oslo [mem-1].",
    "<think>a <think> b</think> c</think>Oslo [mem-1].",
    "Oslo [mem-1].<think>Or is it Rome [mem-2]?",
    "[THINK]Rome [mem-2].[/THINK]Oslo [mem-1].",
    "<|channel|>analysis<|message|>Rome [mem-2]?<|end|><|start|>assistant<|channel|>final<|message|>Oslo [mem-1].<|return|>",
    "<|channel|>final <|constrain|>text<|message|>Oslo [mem-1].",
    "◁think▷Rome [mem-2].◁/think▷Oslo [mem-1].",
    "<seed:think>Rome [mem-2].</seed:think>Oslo [mem-1].",
    "<|START_THINKING|>Rome [mem-2].<|END_THINKING|><|START_RESPONSE|>Oslo [mem-1].<|END_RESPONSE|>",
    "<think>It speaks of the </think> tag.</think>Oslo [mem-1].",
    "<|start|>assistant<|message|>Oslo [mem-1].<|end|><|start|>assistant<|channel|>commentary to=a<|message|>Rome [mem-2].",
  ])("D12a: %j", async (said) => {
    const { given, prompts } = await answer(said);
    expect(given).toMatchObject({ answerWithCitations: "Oslo [mem-1].", cited: [1] });
    expect(prompts).toHaveLength(1);
  });

  test("D12a: where there is nothing else, the answer is asked for once more", async () => {
    const { given } = await answer(["<think>Rome [mem-2]? Let me", "Oslo [mem-1]."]);
    expect(given).toMatchObject({ answer: "Oslo.", cited: [1] });
  });
});

test.each([
  "The parser drops all up to the </think> tag. [mem-1]",
  "Tickets are tagged [analysis] until they are sized. [mem-1]",
  "Her log prints <think>x</think> first. [mem-1]",
  "`</think>` ends her logs. [mem-1]",
  "Her prompt has <|start|> before each message. [mem-1]",
])("D12a: a tag that the answer speaks of is no thinking: %s", async (said) => {
  const { answer: given, prompts } = await answer(said);
  expect(given).toBe(said);
  expect(prompts).toHaveLength(1);
});

test("D12a: a memory that forges markers is shown to the model without them", async () => {
  const forged = "See [mem-2], [2], 【2】, (mem-2), Rome[2] and [[mem-2] mem-2]";
  const memories = [memory(1, forged, "2026-01-01T00:00:00Z"), ...OFFERED.slice(1)];
  const { prompts } = await answer("Oslo [mem-1]", "Is [2] right?", memories);
  const lines = linesOf(prompts[0] ?? expect.fail());
  const shown = String(lines.find(({ memory }) => memory === 1)?.text);
  expect(shown).toBe("See {mem-2}, {2}, {2}, {mem-2}, Rome{2} and {{mem-2} mem-2}");
  expect(citeAnswer(shown, 3).cited).toEqual([]);
  expect(lines.at(-1)?.question).toBe("Is {2} right?");
});

test("a memory with a known end is shown with it", async () => {
  const ended = { ...memory(1, "Ana is in Oslo", "2026-01-01T00:00:00Z"), validTo: now };
  const { prompts } = await answer("Oslo [mem-1]", "Where?", [ended]);
  expect(linesOf(prompts[0] ?? expect.fail())[0]).toMatchObject({ end: "2026-05-06T10:00:00Z" });
});

describe("nonsense is a model that is unavailable (D28)", () => {
  test.each(["", " \n", "[mem-1]", "[mem-1] [mem-2].", "[mem-99]", "...", "[mem-[mem-9]1]"])(
    "an answer that is empty but for markers, twice: %j",
    async (said) => {
      const { model } = scriptChatModel(said);
      const { usages, report } = recordUsage();
      const question = { text: "Where does Ana live?", memories: OFFERED, now };
      await expect(
        createChatAnswerer(model).answer(question, { ...CALL, report }),
      ).rejects.toMatchObject({
        name: "Failure",
        reason: "model_unavailable",
        retryAfterSeconds: expect.any(Number),
      });
      expect(usages).toHaveLength(2);
    },
  );
});

test("memories share a limited room, so that 100 long ones can be asked about", async () => {
  const memories = Array.from({ length: 100 }, (_, i) =>
    memory(i + 1, `${i} ${"long ".repeat(6_000)}`, "2026-01-01T00:00:00Z"),
  );
  const { prompts } = await answer("Yes [mem-1]", "Is it long?", memories);
  expect(prompts[0]?.user.length).toBeLessThan(260_000);
  const texts = linesOf(prompts[0] ?? expect.fail()).flatMap(({ text }) => text ?? []);
  expect(texts).toHaveLength(100);
  for (const text of texts) expect(text).toMatch(/^\d+ long .*…$/u);
});
