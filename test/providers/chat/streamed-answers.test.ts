/** Answers of chat models that are shown while they come. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/domain/failure.ts";
import { parseInstant } from "../../../src/domain/instant.ts";
import type { Question } from "../../../src/providers/answerer.ts";
import { createAnswerReader } from "../../../src/providers/chat/answer-reader.ts";
import { createChatAnswerer } from "../../../src/providers/chat/answerer.ts";
import type { ChatModel } from "../../../src/providers/chat-model.ts";
import { CALL } from "../../support/model-call.ts";
import { scriptChatModel } from "./scripted-chat-model.ts";

const now = parseInstant("2026-05-06T10:00:00Z") ?? 0n;
const QUESTION: Question = {
  text: "Where does Ana live?",
  memories: ["Ana lives in Oslo", "Ana lives in Rome", "Ana was born in Porto"].map(
    (decision, index) => ({
      number: index + 1,
      decision,
      topic: "Location",
      source: "crm",
      validFrom: now,
      validTo: null,
      similarity: 0.9,
      relevance: 0,
    }),
  ),
  now,
};

/** What was shown piece by piece, and what came of it. */
async function ask(model: ChatModel, answerer = createChatAnswerer(model)) {
  const shown: string[] = [];
  const outcome = await answerer
    .answer(QUESTION, CALL, (text) => void shown.push(text))
    .then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
  return { shown, ...outcome };
}

/** The pieces of an answer, each with what is shown when it has come. */
type Steps = readonly (readonly [piece: string, shown: string])[];

test.each<[string, Steps]>([
  [
    "nothing of the thoughts, however their tags are cut",
    [
      ["<th", ""],
      ["ink>Rome [mem-2]", ""],
      [".</thi", ""],
      ["nk>Oslo [mem-1].", "Oslo [mem-1]."],
      [" So<", " So"],
      ["think>Rome [mem-2]</think> it is.", " it is."],
    ],
  ],
  [
    "nothing of the word for no answer, however it is cut",
    [
      ["Oslo [mem-1]. *", "Oslo [mem-1]."],
      ["*NO_", ""],
      ["ANSWER", ""],
      ["**: so far.", " so far."],
    ],
  ],
  [
    "what looks like that word",
    [
      ["Oslo [mem-1]. no", "Oslo [mem-1]."],
      ["w in", " now in"],
      [" OsloNO_", " Oslo"],
      ["ANSWER, or", " or"],
    ],
  ],
])("4.4 stream text: %s", (_, steps) => {
  const reader = createAnswerReader(3, false);
  const shown = steps.map(([piece]) => reader.push(piece));
  expect(shown).toEqual(steps.map(([, certain]) => certain));
});

describe("whatever a model says, in whatever pieces", () => {
  const said = fc
    .array(
      fc.oneof(
        {
          arbitrary: fc.constantFrom("Ana", " lives", " in Oslo", ". ", "\n", " ", "é🏔"),
          weight: 3,
        },
        fc.constantFrom("[mem-1]", " [mem-2].", "[mem-9]", "[1]", "Oslo[2].", "【3†s】", "(mem-1)"),
        fc.constantFrom("<think>", "</think>", "[thinking]", "[/analysis]", "<think a=b>"),
        fc.constantFrom(" </think> ", "`<think>`", " <|end|>", "◁/think▷", "<|START_THINKING|>"),
        fc.constantFrom(
          "NO_ANSWER",
          "**NO_ANSWER:**",
          "NO_",
          "ANSWER",
          " no_answer.",
          " NO_ANSWER ",
        ),
        fc.constantFrom("[", "]", "(", ")", "<", ">", "mem-", "think", "*", "`", ":"),
      ),
      { maxLength: 24 },
    )
    .map((parts) => parts.join(""));
  const cuts = fc.array(fc.nat(), { maxLength: 24 });
  /** Cuts between code points, as a chat model hands text on. */
  function cutAt(text: string, at: readonly number[]): string[] {
    const characters = [...text];
    const ends = at.map((cut) => cut % (characters.length + 1)).toSorted((a, b) => a - b);
    return [...ends, characters.length]
      .map((end, index) => characters.slice(ends[index - 1] ?? 0, end).join(""))
      .filter((piece) => piece !== "");
  }

  test("4.4 stream text, D12a: what is shown is the beginning of what is answered to one who waits", async () => {
    await fc.assert(
      fc.asyncProperty(said, said, cuts, fc.boolean(), async (first, second, at, mayThinkAloud) => {
        const scripted = () => {
          let asked = 0;
          const say = () => (asked++ === 0 ? first : second);
          return scriptChatModel(say, { mayThinkAloud, cut: (text) => cutAt(text, at) });
        };
        const whole = await createChatAnswerer(scripted().model)
          .answer(QUESTION, CALL)
          .then(
            (answer) => ({ answer }),
            (error: unknown) => ({ error }),
          );
        const { shown, ...streamed } = await ask(scripted().model);
        const text = shown.join("");
        expect(text.isWellFormed()).toBe(true);
        const isRefused = "error" in streamed && shown.length > 0;
        // What was taken for an answer proves to be thoughts: rather none than a wrong one.
        if (isRefused) expect([first, second].join()).toMatch(/<\/think>|\[\/analysis\]|◁\/think▷/);
        else expect(streamed).toEqual(whole);
        if ("answer" in streamed) {
          const { answerWithCitations } = streamed.answer;
          expect(answerWithCitations.startsWith(text)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("an answer that cites nothing", () => {
  test("4.4 stream errors: is no answer any more once the second one was shown and breaks off", async () => {
    const gone = new Failure("model_unavailable", "it is gone");
    const { model, prompts } = scriptChatModel("Oslo. [mem-1]", {
      cut: function* (text) {
        yield prompts.length === 1 ? "Oslo." : text;
        if (prompts.length === 2) throw gone;
      },
    });
    const uncited: ChatModel = {
      ...model,
      complete: async (...args) => {
        const completion = await model.complete(...args);
        return prompts.length === 1 ? { ...completion, text: "Oslo." } : completion;
      },
    };
    expect(await ask(uncited)).toEqual({ shown: ["Oslo. [mem-1]"], error: gone });
  });
});

describe("thoughts without the tag that begins them", () => {
  const THOUGHT = "It could be Rome [mem-2].</think>Oslo [mem-1].";

  test("D12a: are not shown, also of a model whose answers nobody has seen yet", async () => {
    const { model } = scriptChatModel(THOUGHT, { mayThinkAloud: true });
    const { shown } = await ask(model);
    expect(shown.join("")).toBe("Oslo [mem-1].");
    expect(shown.length).toBeGreaterThan(1);
  });

  test("4.4 stream text: a model that has shown how it thinks is shown as its words come", async () => {
    const { model } = scriptChatModel("Oslo [mem-1]. Yes.", { mayThinkAloud: true });
    const answerer = createChatAnswerer(model);
    expect((await ask(model, answerer)).shown).toEqual([]);
    expect((await ask(model, answerer)).shown).toEqual(["Oslo [mem-1]", ".", " Y", "e", "s", "."]);
  });

  test("D12a: a model that has left the tag out once is not shown before the end of its thoughts", async () => {
    const answers = [THOUGHT, "Oslo [mem-1].", THOUGHT];
    const { model, prompts } = scriptChatModel(() => answers[prompts.length - 1] ?? "");
    const answerer = createChatAnswerer(model);
    const surprised = await ask(model, answerer);
    expect(surprised).toMatchObject({ error: { reason: "model_unavailable" } });
    expect((await ask(model, answerer)).shown).toEqual([]);
    expect((await ask(model, answerer)).shown.join("")).toBe("Oslo [mem-1].");
  });
});

test("an answer that never ends is no answer, also where it was shown", async () => {
  const { model } = scriptChatModel(`Oslo [mem-1]. ${"x".repeat(16 * 1024)}`, {
    cut: (text) => text.match(/.{1,1000}/gsu) ?? [],
  });
  const { shown, ...outcome } = await ask(model);
  expect(outcome).toMatchObject({ error: { reason: "model_unavailable" } });
  expect(shown.join("").length).toBeLessThanOrEqual(16 * 1024);
});
