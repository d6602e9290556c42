/** What becomes of doubtful facts: the second call, and what it does not answer (D27a). */
import { describe, expect, test } from "vitest";
import { createChatExtractor } from "../../../src/providers/chat/extractor.ts";
import {
  type Judged,
  MAX_CHARACTERS_A_CALL,
  MAX_CLAIMS_A_CALL,
  verify,
} from "../../../src/providers/chat/verification.ts";
import type { ChatModel, ChatPrompt } from "../../../src/providers/chat-model.ts";
import type { Doubt } from "../../../src/providers/model-call.ts";
import { CALL } from "../../support/model-call.ts";
import { CutOff, linesOf, recordUsage, type Said, scriptChatModel } from "./scripted-chat-model.ts";

interface Asked {
  readonly number: number;
  readonly words: string;
  readonly fact?: string;
  readonly taken_back?: string;
}

function asked(prompt: ChatPrompt): Asked[] {
  return linesOf(prompt) as unknown as Asked[];
}

/** So many facts, "The user owns bike 7" in message 7, each in such doubt; null: in none. */
function bikes(
  count: number,
  doubt: Partial<{ isGrave: boolean; passage: string }> | null,
): Judged {
  const facts = Array.from({ length: count }, (_, i) => ({
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
    doubted: doubt && {
      reason: "negation" as Doubt,
      isGrave: true,
      passage: `I nearly own bike ${i}`,
      before: null,
      ...doubt,
    },
  }));
  return { facts, retractions: [] };
}

/** Which facts are kept of those in doubt, by their numbers, and how often the model is asked. */
async function kept(judged: Judged, answer: Said | ((prompt: ChatPrompt) => Said)) {
  const { model, prompts } = scriptChatModel(answer);
  const { usages, report } = recordUsage();
  const { facts, refused } = await verify(model, judged, { ...CALL, report });
  expect(facts.length + refused.length).toBe(judged.facts.length);
  return { prompts, usages, refused, numbers: facts.map(({ messageIndex }) => messageIndex) };
}

function evenOnes(prompt: ChatPrompt) {
  const isEven = ({ fact = "" }: Asked) => Number(/\d+$/u.exec(fact)?.[0]) % 2 === 0;
  const of = (even: boolean) =>
    asked(prompt).flatMap((each) => (isEven(each) === even ? each.number : []));
  return { stated: of(true), not_stated: of(false) };
}

describe("the second call", () => {
  test("is not made where nothing is in doubt", async () => {
    const { numbers, prompts } = await kept(bikes(3, null), "not asked");
    expect({ numbers, prompts }).toEqual({ numbers: [0, 1, 2], prompts: [] });
  });

  test("is one for as many as one has room for, and decides on each", async () => {
    const { numbers, prompts, usages, refused } = await kept(
      bikes(MAX_CLAIMS_A_CALL, {}),
      evenOnes,
    );
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
      const { numbers, prompts } = await kept(bikes(count, {}), evenOnes);
      const facts = prompts.flatMap((prompt) => asked(prompt).map(({ fact }) => fact));
      expect(facts).toHaveLength(count);
      expect(new Set(facts).size).toBe(count);
      expect(prompts).toHaveLength(Math.ceil(count / MAX_CLAIMS_A_CALL));
      expect(numbers).toEqual(Array.from({ length: Math.ceil(count / 2) }, (_, i) => 2 * i));
    },
  );

  test("has a bound in characters too", async () => {
    const { prompts, numbers } = await kept(bikes(80, { passage: "so ".repeat(1_000) }), evenOnes);
    expect(numbers).toHaveLength(40);
    expect(prompts.length).toBeGreaterThan(2);
    for (const { user } of prompts) expect(user.length).toBeLessThanOrEqual(MAX_CHARACTERS_A_CALL);
  });

  test("takes few tokens of an answer for each", async () => {
    const { prompts } = await kept(bikes(40, {}), evenOnes);
    const { prompts: ofOne } = await kept(bikes(1, {}), evenOnes);
    const more = (prompts[0]?.maxOutputTokens ?? 0) - (ofOne[0]?.maxOutputTokens ?? 0);
    expect(more).toBeLessThanOrEqual(6 * 39);
  });

  test("is told what is taken back apart from what is stated", async () => {
    const { model, prompts } = scriptChatModel({ stated: [1], not_stated: [2] });
    const doubted = { reason: "negation" as Doubt, isGrave: true, passage: "hm", before: null };
    const retractions = ["The user skis", "The user sails"].map((text) => ({
      retraction: { text, topic: "Sport", category: null, messageIndex: 0 },
      doubted,
    }));
    const verified = await verify(model, { facts: [], retractions }, CALL);
    expect(asked(prompts[0] as ChatPrompt).map((each) => each.taken_back)).toEqual([
      "The user skis",
      "The user sails",
    ]);
    expect(verified.retractions.map(({ text }) => text)).toEqual(["The user skis"]);
    expect(verified.refused.map(({ fact }) => fact)).toEqual(["The user sails"]);
  });
});

describe("what it does not answer", () => {
  const silent: Said[] = ["banana", "{}", "[]", '{"stated": true}', '{"stated": [7, 8]}'];

  test.each(silent)("is refused where the doubt is grave, else kept: %s", async (said) => {
    expect((await kept(bikes(3, { isGrave: true }), said)).numbers).toEqual([]);
    expect((await kept(bikes(3, { isGrave: false }), said)).numbers).toEqual([0, 1, 2]);
  });

  test("or answers twice, is refused", async () => {
    const { numbers } = await kept(bikes(2, {}), { stated: [1, 2], not_stated: [2] });
    expect(numbers).toEqual([0]);
  });

  test("is asked for again where it was cut off; what was said counts", async () => {
    const { numbers, prompts } = await kept(bikes(30, {}), (prompt) => {
      const { stated, not_stated } = evenOnes(prompt);
      if (stated.length <= 4) return { stated, not_stated };
      // Breaks off within a number, behind the fourth.
      return new CutOff(`{"stated": [${stated.slice(0, 4).join(", ")}, 1`);
    });
    expect(numbers).toEqual(Array.from({ length: 15 }, (_, i) => 2 * i));
    expect(prompts.map((prompt) => asked(prompt).length)).toEqual([30, 26, 22, 18]);
  });

  test("and is cut off before any number, is asked for no more", async () => {
    const { numbers, prompts } = await kept(bikes(2, {}), new CutOff('{"stated": ['));
    expect({ numbers, calls: prompts.length }).toEqual({ numbers: [], calls: 1 });
  });

  test("because one of several calls fails, does not touch the others", async () => {
    const { model } = scriptChatModel(evenOnes);
    const failing: ChatModel = {
      ...model,
      complete: (prompt, call) =>
        prompt.user.includes('"The user owns bike 0"')
          ? Promise.reject(new Error("the model broke"))
          : model.complete(prompt, call),
    };
    const { facts, refused } = await verify(failing, bikes(2 * MAX_CLAIMS_A_CALL, {}), CALL);
    expect(facts).toHaveLength(MAX_CLAIMS_A_CALL / 2);
    expect(refused).toHaveLength(1.5 * MAX_CLAIMS_A_CALL);
  });

  test("in the time that the request has left is done without", async () => {
    const { model } = scriptChatModel({});
    const late: ChatModel = {
      ...model,
      complete: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    };
    const judged = bikes(2, { isGrave: false });
    const { facts } = await verify(late, judged, { ...CALL, remainingMs: () => 20 });
    expect(facts).toHaveLength(2);
  });

  test("because the client left, ends the work", async () => {
    const leaving = new AbortController();
    const { model } = scriptChatModel(() => {
      leaving.abort(new Error("the client left"));
      throw new Error("the call was ended");
    });
    const verification = verify(model, bikes(1, {}), { ...CALL, signal: leaving.signal });
    await expect(verification).rejects.toThrow("the client left");
  });
});

/** What is stored of facts that a model states, where it answers the second call so. */
async function believed(told: readonly (readonly [string, string])[], verdict: Said) {
  const { model, prompts } = scriptChatModel(({ schema }) =>
    "facts" in (schema as { properties: object }).properties
      ? { facts: told.map(([quote, fact], message) => ({ message, quote, fact })) }
      : verdict,
  );
  const messages = told.map(([content]) => ({ role: "user" as const, content }));
  const found = await createChatExtractor(model).extract(
    { messages, at: 0n, categories: [] },
    CALL,
  );
  return { facts: found.facts.map(({ decision }) => decision), calls: prompts.length };
}

test("of a fact that is stated of two messages the one that says it counts", async () => {
  const fact = "The user lives in Graz";
  const told = [["Should I live in Graz?", fact] as const, ["I live in Graz.", fact] as const];
  for (const order of [told, told.toReversed()]) {
    expect(await believed(order, "not asked")).toEqual({ facts: [fact], calls: 1 });
  }
});

test.each<[string, string]>([
  ["I'm not allergic to latex.", "The user is allergic to latex"],
  ["My wife thinks I snore", "The user snores"],
  ["I'd love a boat", "The user has a boat"],
  ["their rent is 700", "The user's rent is 700"],
])("nothing of the kind is believed when nobody answers: %s", async (said, fact) => {
  expect(await believed([[said, fact]], "banana")).toEqual({ facts: [], calls: 2 });
});

test.each<[string, string]>([["I passed my test!", "The user has a licence to drive"]])(
  "what only has other words is: %s",
  async (said, fact) => {
    expect(await believed([[said, fact]], "banana")).toEqual({ facts: [fact], calls: 2 });
  },
);
