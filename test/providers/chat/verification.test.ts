/** The further call about what a model stated, and what it leaves out (D27a, D28). */
import { describe, expect, test } from "vitest";
import type { JudgedClaim } from "../../../src/providers/chat/belief.ts";
import {
  MAX_CHARACTERS_A_CALL,
  MAX_CLAIMS_A_CALL,
  verify,
} from "../../../src/providers/chat/verification.ts";
import type { ChatPrompt } from "../../../src/providers/chat-model.ts";
import { CALL } from "../../support/model-call.ts";
import {
  CutOff,
  linesOf,
  Refused,
  recordUsage,
  type Said,
  scriptChatModel,
} from "./scripted-chat-model.ts";

interface Asked {
  readonly number: number;
  readonly fact: string;
}

const CONVERSATION = { messages: [{ role: "user", content: "Hi, I ride." }], at: 0n } as const;

function asked(prompt: ChatPrompt): Asked[] {
  return (linesOf(prompt) as unknown as Asked[]).filter(({ number }) => number !== undefined);
}

/** So many facts, "The user owns bike 7" in message 7. */
function bikes(count: number, words = "I own"): JudgedClaim[] {
  return Array.from({ length: count }, (_, i) => ({
    isRetraction: false,
    fact: {
      decision: `The user owns bike ${i}`,
      summary: `The user owns bike ${i}`,
      topic: "General",
      importanceScore: 5,
      messageIndex: i,
      validFrom: null,
      validTo: null,
      category: null,
    },
    question: {
      passage: {
        messageIndex: i,
        words: `${words} bike ${i}`,
        by: null,
        before: "",
      },
      quote: "",
      elsewhere: [],
      unwritten: [],
      reason: "words" as const,
    },
  }));
}

/** Which facts are kept, by their numbers, and how often the model is asked. */
async function kept(claims: readonly JudgedClaim[], answer: Said | ((prompt: ChatPrompt) => Said)) {
  const { model, prompts } = scriptChatModel(answer);
  const { usages, report } = recordUsage();
  const call = { ...CALL, report };
  const { facts, refused } = await verify(model, claims, CONVERSATION, call);
  expect(facts.length + refused.length).toBe(claims.length);
  return { prompts, usages, refused, numbers: facts.map(({ messageIndex }) => messageIndex) };
}

function evenOnes(prompt: ChatPrompt) {
  const isEven = ({ fact }: Asked) => Number(/\d+$/u.exec(fact)?.[0]) % 2 === 0;
  const of = (even: boolean) =>
    asked(prompt).flatMap((each) => (isEven(each) === even ? each.number : []));
  return { stated: of(true), denied: of(false) };
}

describe("the further call", () => {
  test("is not made where nothing is to be asked about", async () => {
    const verbatim = bikes(3).map((each) => ({ ...each, question: null }));
    const { numbers, prompts } = await kept(verbatim, "not asked");
    expect({ numbers, prompts }).toEqual({ numbers: [0, 1, 2], prompts: [] });
  });

  test("may be answered with numbers as texts", async () => {
    const { numbers, refused } = await kept(bikes(3), { stated: ["1", "3"], denied: ["2"] });
    expect(numbers).toEqual([0, 2]);
    expect(refused).toMatchObject([{ reason: "negation" }]);
  });

  test("is one for as many as one has room for, and decides on each", async () => {
    const { numbers, prompts, usages, refused } = await kept(bikes(MAX_CLAIMS_A_CALL), evenOnes);
    expect(prompts).toHaveLength(1);
    expect(usages.map(({ operation }) => operation)).toEqual(["verify"]);
    expect(numbers).toEqual(Array.from({ length: MAX_CLAIMS_A_CALL / 2 }, (_, i) => 2 * i));
    expect(refused[0]).toEqual({
      fact: "The user owns bike 1",
      isRetraction: false,
      messageIndex: 1,
      reason: "negation",
    });
  });

  test.each([MAX_CLAIMS_A_CALL + 1, 180, 600])(
    "is made side by side for %i: each is asked about once, and in order kept or refused",
    async (count) => {
      const { numbers, prompts } = await kept(bikes(count), evenOnes);
      const facts = prompts.flatMap((prompt) => asked(prompt).map(({ fact }) => fact));
      expect(facts).toHaveLength(count);
      expect(new Set(facts).size).toBe(count);
      expect(prompts).toHaveLength(Math.ceil(count / MAX_CLAIMS_A_CALL));
      expect(numbers).toEqual(Array.from({ length: Math.ceil(count / 2) }, (_, i) => 2 * i));
    },
  );

  test("has a bound in characters too", async () => {
    const { prompts, numbers } = await kept(bikes(80, "so ".repeat(400)), evenOnes);
    expect(numbers).toHaveLength(40);
    expect(prompts.length).toBeGreaterThan(2);
    for (const { user } of prompts) expect(user.length).toBeLessThanOrEqual(MAX_CHARACTERS_A_CALL);
  });

  test("shows the words of several facts once, and the time and how it began", async () => {
    const claims = bikes(1);
    const { model, prompts } = scriptChatModel({ stated: [1, 2] });
    await verify(model, [...claims, ...claims], CONVERSATION, CALL);
    expect(linesOf(prompts[0] as ChatPrompt)).toEqual([
      { time: "Thursday 1970-01-01T00:00Z", opening: "Hi, I ride." },
      { words: "I own bike 0" },
      { number: 1, fact: "The user owns bike 0" },
      { number: 2, fact: "The user owns bike 0" },
    ]);
  });

  test.each([
    ["denied", "negation"],
    ["unreal", "modality"],
    ["someone_else", "subject"],
    ["given_text", "instruction"],
    ["not_said", "words"],
    ["not_stated", "words"],
  ])("says why: %s is the reason %s", async (list, reason) => {
    const { refused } = await kept(bikes(1), { [list]: [1] });
    expect(refused).toMatchObject([{ reason }]);
  });
});

describe("what it does not answer", () => {
  const nothing = ["banana", "{}", "[]", '{"stated": true}', '{"stated": [7, 8]}', new Refused()];
  test.each<Said>(nothing)(
    "at all is a model that is unavailable, after it was asked again: %s",
    async (said) => {
      const { model, prompts } = scriptChatModel(said);
      await expect(verify(model, bikes(3), CONVERSATION, CALL)).rejects.toMatchObject({
        reason: "model_unavailable",
      });
      expect(prompts).toHaveLength(3);
    },
  );

  test("because it refuses is asked for again", async () => {
    const said: Said[] = [new Refused(), { stated: [1, 2, 3] }];
    const { numbers, prompts } = await kept(bikes(3), () => said.shift() ?? "");
    expect({ numbers, calls: prompts.length }).toEqual({ numbers: [0, 1, 2], calls: 2 });
  });

  test("or answers twice, is refused", async () => {
    const { numbers } = await kept(bikes(2), { stated: [1, 2], not_said: [2] });
    expect(numbers).toEqual([0]);
    expect((await kept(bikes(2), { not_said: [2], stated: [1, 2] })).numbers).toEqual([0]);
  });

  test("is asked for again, what was said counts, and the rest is unconfirmed", async () => {
    const { numbers, prompts, refused } = await kept(bikes(3), (prompt) => {
      return { stated: asked(prompt).length === 3 ? [1] : [] };
    });
    expect(numbers).toEqual([0]);
    expect(refused.map(({ reason }) => reason)).toEqual(["unconfirmed", "unconfirmed"]);
    expect(prompts.map((prompt) => asked(prompt).length)).toEqual([3, 2, 2]);
  });

  test("because it was cut off is asked for again; a number that breaks off is none", async () => {
    const { numbers, prompts } = await kept(bikes(20), (prompt) =>
      asked(prompt).length < 20
        ? evenOnes(prompt)
        : new CutOff('{"stated": [1, 3, 5], "denied": [2, 4, 6, 1'),
    );
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, i) => 2 * i));
    expect(prompts.map((prompt) => asked(prompt).length)).toEqual([20, 14]);
  });
});
