/** Conversations that are read in parts, and answers that were cut off (D27b). */
import { describe, expect, test } from "vitest";
import { MAX_MESSAGES } from "../../../src/domain/limits.ts";
import type { ChatMessage } from "../../../src/domain/memory-write.ts";
import {
  MAX_PART_TOKENS,
  MAX_PARTS_AT_ONCE,
  partsOf,
  tokensOf,
} from "../../../src/providers/chat/conversation-parts.ts";
import { MAX_ANSWER_TOKENS } from "../../../src/providers/chat/extraction-prompt.ts";
import { createChatExtractor } from "../../../src/providers/chat/extractor.ts";
import type { ChatModel, ChatPrompt } from "../../../src/providers/chat-model.ts";
import { allStated, asksWhatIsStated } from "../../support/checked-facts.ts";
import { measureHeap } from "../../support/heap.ts";
import { CALL } from "../../support/model-call.ts";
import { CutOff, linesOf, recordUsage, type Said, scriptChatModel } from "./scripted-chat-model.ts";

interface Line {
  readonly message?: number;
  readonly role: string;
  readonly text: string;
}

/** "I own bike 7." in message 7, with an answer of the assistant in between. */
function bikes(count: number): ChatMessage[] {
  return Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? { role: "user", content: `I own bike ${i}. It is one of many that I have in the garage.` }
      : { role: "assistant", content: "Noted." },
  );
}

function messagesIn(prompt: ChatPrompt): Line[] {
  return linesOf(prompt).filter((line) => "role" in line) as unknown as Line[];
}

function bike(message: number, number: number | string = message) {
  return { message, quote: `I own bike ${number}`, fact: `The user owns bike ${number}` };
}

/** A fact for each numbered message of a user. */
function factsIn(prompt: ChatPrompt) {
  return messagesIn(prompt).flatMap(({ message, role }) =>
    message !== undefined && role === "user" ? bike(message) : [],
  );
}

/** A model that finds stated what it is asked about; `prompts`: those of the extraction. */
function extractingModel(answer: (prompt: ChatPrompt) => Said) {
  const prompts: ChatPrompt[] = [];
  const { model } = scriptChatModel((prompt) => {
    if (asksWhatIsStated(prompt.schema)) return allStated(prompt.user);
    prompts.push(prompt);
    return answer(prompt);
  });
  return { model, prompts };
}

/** The model, and how many of its calls ran at the same time. */
function countingCalls(model: ChatModel) {
  let [running, most] = [0, 0];
  const complete: ChatModel["complete"] = async (prompt, call) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return model.complete(prompt, call);
  };
  return { model: { ...model, complete }, most: () => most };
}

async function extract(
  messages: readonly ChatMessage[],
  answer: (prompt: ChatPrompt) => Said = (prompt) => ({ facts: factsIn(prompt) }),
) {
  const { model, prompts } = extractingModel(answer);
  const { usages, report } = recordUsage();
  const conversation = { messages, at: 0n, categories: [] };
  const found = await createChatExtractor(model).extract(conversation, { ...CALL, report });
  return { ...found, prompts, usages: usages.filter(({ operation }) => operation === "extract") };
}

describe("a long conversation", () => {
  test("D27b: is read in parts; facts and their messages are as of the whole", async () => {
    const messages = bikes(MAX_MESSAGES);
    const { facts, rejected, prompts, usages } = await extract(messages);
    expect(prompts.length).toBeGreaterThan(5);
    expect(usages).toHaveLength(prompts.length);
    expect(rejected).toEqual([]);
    expect(facts.map(({ messageIndex, decision }) => [messageIndex, decision])).toEqual(
      messages.flatMap(({ role }, i) => (role === "user" ? [[i, `The user owns bike ${i}`]] : [])),
    );
  });

  test("D27b: each message is in one part, in order, within the bounds of a part", async () => {
    const { prompts } = await extract(bikes(MAX_MESSAGES));
    const numbered = prompts.map((prompt) =>
      messagesIn(prompt).filter(({ message }) => message !== undefined),
    );
    const order = numbered.toSorted((a, b) => (a[0]?.message ?? 0) - (b[0]?.message ?? 0));
    expect(order.flat().map(({ message }) => message)).toEqual(
      Array.from({ length: MAX_MESSAGES }, (_, i) => i),
    );
    for (const lines of numbered) {
      const pieces = lines.map(({ message: messageIndex = 0, role, text }) => {
        return { messageIndex, role: role as "user" | "assistant", text };
      });
      expect(tokensOf(pieces)).toBeLessThanOrEqual(1.2 * MAX_PART_TOKENS);
    }
    for (const { maxOutputTokens } of prompts) expect(maxOutputTokens).toBe(MAX_ANSWER_TOKENS);
  });

  test("D27b: a part has what came right before it, and the opening, where users say who they are", async () => {
    const messages = [...bikes(100)];
    messages[0] = { role: "user", content: "My name is Priya. My brother Sam is a pilot." };
    const { prompts } = await extract(messages, () => ({ facts: [] }));
    expect(prompts.length).toBeGreaterThan(2);
    for (const prompt of prompts) {
      const lines = messagesIn(prompt);
      const context = lines.filter(({ message }) => message === undefined);
      expect(prompt.user).toContain("My name is Priya.");
      const start = lines.find(({ message }) => message !== undefined)?.message ?? 0;
      if (start > 0) expect(context.at(-1)?.text).toBe(messages[start - 1]?.content);
    }
  });

  test("D27b: what is stated of the context is left to the part that it is of", async () => {
    const shown = (prompt: ChatPrompt) =>
      messagesIn(prompt).flatMap(({ text }) => {
        const number = /bike (\d+)/u.exec(text)?.[1];
        return number === undefined
          ? []
          : { ...bike(0, number), fact: `The user owns bike ${number} here`, message: null };
      });
    const { facts, rejected } = await extract(bikes(100), (prompt) => ({ facts: shown(prompt) }));
    expect(facts).toHaveLength(50);
    expect(rejected).toEqual([]);
  });

  test("D27b: a message that is long by itself is read in pieces", async () => {
    const content = Array.from({ length: 300 }, (_, i) => `I own bike ${i}.`).join(" ");
    const { facts, prompts } = await extract([{ role: "user", content }], (prompt) => ({
      facts: messagesIn(prompt).flatMap(({ message, text }) =>
        message === undefined
          ? []
          : [...text.matchAll(/bike (\d+)/gu)].map(([, number = ""]) => bike(0, number)),
      ),
    }));
    expect(prompts.length).toBeGreaterThan(2);
    expect(facts.map(({ decision }) => decision)).toEqual(
      Array.from({ length: 300 }, (_, i) => `The user owns bike ${i}`),
    );
    expect(new Set(facts.map(({ messageIndex }) => messageIndex))).toEqual(new Set([0]));
  });

  test("several parts are read at a time, and no more than the limit", async () => {
    const counted = countingCalls(scriptChatModel({ facts: [] }).model);
    const many = Array.from({ length: MAX_MESSAGES }, (_, i) => ({
      role: "user" as const,
      content: `I own bike ${i}. ${"So it is. ".repeat(80)}`,
    }));
    const conversation = { messages: many, at: 0n, categories: [] };
    await createChatExtractor(counted.model).extract(conversation, CALL);
    expect(counted.most()).toBe(MAX_PARTS_AT_ONCE);
  });

  test("D27b: a part that cannot be read is unread, and the others are as they are", async () => {
    const { facts, rejected } = await extract(bikes(MAX_MESSAGES), (prompt) =>
      messagesIn(prompt).some(({ message }) => message === 200)
        ? "no JSON"
        : { facts: factsIn(prompt) },
    );
    expect(rejected).toContainEqual(
      expect.objectContaining({ messageIndex: 200, reason: "unread" }),
    );
    expect(rejected.length).toBeLessThan(MAX_MESSAGES / 8);
    expect(facts.length + rejected.length).toBe(MAX_MESSAGES / 2);
  });
});

describe("an answer that was cut off", () => {
  /** A model that has room for so many facts in an answer. */
  const withRoomFor =
    (most: number) =>
    (prompt: ChatPrompt): Said => {
      const facts = factsIn(prompt);
      if (facts.length <= most) return { facts };
      const whole = facts.slice(0, most).map((fact) => JSON.stringify(fact));
      return new CutOff(`{"facts": [${whole.join(", ")}, {"message": 9, "quote": "I own {[\\"`);
    };

  test.each([1, 2, 3, 7])(
    "D27b: is used as far as it is whole: %i facts at a time",
    async (most) => {
      const { facts, rejected, prompts } = await extract(bikes(24), withRoomFor(most));
      expect(facts.map(({ decision }) => decision)).toEqual(
        Array.from({ length: 12 }, (_, i) => `The user owns bike ${2 * i}`),
      );
      expect(rejected).toEqual([]);
      expect(prompts.length).toBeGreaterThan(1);
    },
  );

  test("D27b: the rest is asked for from the last message that it covered", async () => {
    const { prompts } = await extract(bikes(10), withRoomFor(3));
    const starts = prompts.map(
      (prompt) => messagesIn(prompt).find(({ message }) => message !== undefined)?.message,
    );
    expect(starts).toEqual([0, 4]);
  });

  test("D27b: the rest is asked for side by side, in as many parts as the first answer shows", async () => {
    const { model, prompts } = extractingModel(withRoomFor(2));
    const counted = countingCalls(model);
    const conversation = { messages: bikes(10), at: 0n, categories: [] };
    const { facts } = await createChatExtractor(counted.model).extract(conversation, CALL);
    expect(facts).toHaveLength(5);
    expect(prompts).toHaveLength(3);
    expect(counted.most()).toBe(2);
  });

  test("D27b: a position that is wrong, or facts out of order, lose none", async () => {
    for (const told of [
      (facts: object[]) => facts.map((fact) => ({ ...fact, message: 23 })),
      (facts: object[]) => facts.toReversed(),
    ]) {
      const { facts, rejected } = await extract(bikes(24), (prompt) => {
        const all = told(factsIn(prompt));
        if (all.length <= 4) return { facts: all };
        return new CutOff(JSON.stringify({ facts: all.slice(0, 4) }).slice(0, -2));
      });
      expect(facts.map(({ messageIndex }) => messageIndex)).toEqual(
        Array.from({ length: 12 }, (_, i) => 2 * i),
      );
      expect(rejected).toEqual([]);
    }
  });

  test("D27b: of one message the rest is asked for from the last sentence that it covered", async () => {
    const sentence = (i: number) => `I own bike ${i}, which stands in the garage of my parents.`;
    const content = Array.from({ length: 6 }, (_, i) => sentence(i)).join(" ");
    const { facts, prompts } = await extract([{ role: "user", content }], (prompt) => {
      const [own] = messagesIn(prompt).filter(({ message }) => message !== undefined);
      const all = [...(own?.text ?? "").matchAll(/bike (\d+)/gu)].map(([, i = ""]) => bike(0, i));
      if (all.length <= 4) return { facts: all };
      return new CutOff(JSON.stringify({ facts: all.slice(0, 4) }).slice(0, -2));
    });
    expect(facts).toHaveLength(6);
    const shown = prompts.map((prompt) =>
      messagesIn(prompt).findLast((line) => line.message === 0),
    );
    expect(shown.map((line) => line?.text)).toEqual([content, [3, 4, 5].map(sentence).join(" ")]);
  });

  test.each(["", "{", '{"facts"', '{"facts": [', '{"facts": [{"message": 0, "quo'])(
    "D27b: before anything was said, of a message that is short, leaves it unread: %s",
    async (text) => {
      const { facts, rejected } = await extract(bikes(1), () => new CutOff(text));
      expect(facts).toEqual([]);
      expect(rejected).toMatchObject([{ fact: null, messageIndex: 0, reason: "unread" }]);
    },
  );

  test.each([", ", ', {"message": 9, "quote": "I own [a] {', ', {"message": 9, "quote": {}'])(
    "D27b: is recognised where the server tells of no end: %s",
    async (end) => {
      const { facts, rejected } = await extract(bikes(10), (prompt) => {
        const all = factsIn(prompt);
        if (all.length <= 3) return { facts: all };
        return JSON.stringify({ facts: all.slice(0, 3) }).slice(0, -2) + end;
      });
      expect({ facts: facts.length, rejected }).toEqual({ facts: 5, rejected: [] });
    },
  );

  test("D27b: within a text with brackets, stores no part of that text", async () => {
    const whole = JSON.stringify(bike(0));
    const { facts } = await extract(
      bikes(1),
      () => new CutOff(`{"facts": [${whole}, ${whole.slice(0, -2)} in the garage [once] a`),
    );
    expect(facts.map(({ decision }) => decision)).toEqual(["The user owns bike 0"]);
  });

  test("D27b: for ever is no endless work", async () => {
    const fact = JSON.stringify(bike(0));
    const { facts, rejected, prompts } = await extract(
      bikes(1),
      () => new CutOff(`{"facts": [${fact}, {`),
    );
    expect(facts).toHaveLength(1);
    expect(prompts).toHaveLength(1);
    // There may have been more to say.
    expect(rejected).toEqual([
      { fact: null, isRetraction: false, messageIndex: 0, reason: "unread" },
    ]);
  });

  test("D27a, D27b: of one message only, loses nothing of the others, and is told", async () => {
    const { facts, rejected } = await extract(bikes(9), (prompt) => {
      const all = factsIn(prompt);
      const isEndless = ({ message }: { message: number }) => message === 4;
      if (!all.some(isEndless)) return { facts: all };
      return new CutOff(JSON.stringify({ facts: all.filter(({ message }) => message < 4) }));
    });
    expect(facts.map(({ messageIndex }) => messageIndex)).toEqual([0, 2, 6, 8]);
    expect(rejected).toEqual([
      { fact: null, isRetraction: false, messageIndex: 4, reason: "unread" },
    ]);
  });
});

describe("when the time of the request ends", () => {
  /** A model that answers about some messages and never about others. */
  function slowOn(isSlow: (message: number) => boolean) {
    const { model } = extractingModel((prompt) => ({ facts: factsIn(prompt) }));
    const complete: typeof model.complete = (prompt, call) =>
      factsIn(prompt).some(({ message }) => isSlow(message))
        ? new Promise((_, reject) => {
            call.signal.addEventListener("abort", () => reject(call.signal.reason));
          })
        : model.complete(prompt, call);
    return createChatExtractor({ ...model, complete });
  }

  const messages = bikes(MAX_MESSAGES);
  const hurried = { ...CALL, remainingMs: () => 800 };

  test("D27a, D27b: what was read is used, and each message that was not is told", async () => {
    const conversation = { messages, at: 0n, categories: [] };
    const { facts, rejected } = await slowOn((message) => message === 250).extract(
      conversation,
      hurried,
    );
    const read = new Set(facts.map(({ messageIndex }) => messageIndex));
    const unread = rejected.map(({ messageIndex }) => messageIndex);
    expect(unread).toContain(250);
    expect(rejected.every(({ fact, reason }) => fact === null && reason === "unread")).toBe(true);
    expect([...read, ...unread].toSorted((a, b) => Number(a) - Number(b))).toEqual(
      messages.flatMap(({ role }, i) => (role === "user" ? i : [])),
    );
  });

  test("D28: where nothing was read, the model is unavailable", async () => {
    const conversation = { messages: bikes(3), at: 0n, categories: [] };
    const extraction = slowOn(() => true).extract(conversation, { ...CALL, remainingMs: () => 20 });
    await expect(extraction).rejects.toMatchObject({ reason: "model_unavailable" });
  });
});

test("D27b: the parts of the longest conversation together hold little more than its text", async () => {
  const words = (seed: number) => `word${(seed * 7919) % 10_007}`;
  const sentence = (seed: number) => `I own a ${words(seed)} and a ${words(seed + 1)}. `;
  const messages = Array.from({ length: 31 }, (_, message): ChatMessage => {
    const content = Array.from({ length: 900 }, (_, i) => sentence(message * 900 + i)).join("");
    return { role: "user", content: content.slice(0, 31_000) };
  });
  const { made, keptMiB } = await measureHeap(() => partsOf(messages, CALL.signal));
  expect(made.length).toBeGreaterThan(1_000);
  expect(keptMiB).toBeLessThan(20);
});
