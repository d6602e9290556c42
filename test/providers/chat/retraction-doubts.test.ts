/** What a model calls taken back, and whether the message does take it back (D25a). */
import { describe, expect, test } from "vitest";
import { createChatExtractor } from "../../../src/providers/chat/extractor.ts";
import { readConversation } from "../../../src/providers/chat/grounding/evidence.ts";
import { retractionDoubt } from "../../../src/providers/chat/grounding/retraction-doubt.ts";
import { CALL } from "../../support/model-call.ts";
import { tablesIn } from "../../support/tables.ts";
import { at } from "./doubted.ts";
import { linesOf, type Said, scriptChatModel } from "./scripted-chat-model.ts";

const table = tablesIn(import.meta.dirname, "retraction-doubts.cases.json");

function doubtOf(said: string, taken: string) {
  const messages = [{ role: "user" as const, content: said }];
  const claim = { fact: taken, quote: said, messageIndex: 0 };
  return retractionDoubt(claim, readConversation({ messages, at }));
}

test.each(table<[string, string]>("is in no doubt where it does: …"))(
  "is in no doubt where it does: %s",
  (said, taken) => {
    expect(doubtOf(said, taken)).toMatchObject({ reason: null, isRefused: false });
  },
);

describe("is in doubt", () => {
  test.each(table<[string, string, string]>("is in doubt: …: …"))("%s: %s", (_, reason, said) => {
    expect(doubtOf(said, "The user lives in Porto")).toMatchObject({ reason, isRefused: false });
  });

  test.each(table<[string, string]>("is in doubt: …"))("%s", (said, taken) => {
    expect(doubtOf(said, taken).reason).not.toBeNull();
  });
});

test.each(table<[string, string]>("a reminder is no retraction, and nobody is asked: …"))(
  "a reminder is no retraction, and nobody is asked: %s",
  (said, taken) => {
    expect(doubtOf(said, taken)).toMatchObject({ reason: "negation", isRefused: true });
  },
);

describe("a model is asked about a doubtful one, with the doubtful facts", () => {
  const TAKEN = "The user lives in Porto";
  async function extract(content: string, verdict: Said) {
    const { model, prompts } = scriptChatModel(({ schema }) =>
      "facts" in (schema as { properties: object }).properties
        ? { facts: [{ message: 0, quote: content, fact: TAKEN, kind: "retraction" }] }
        : verdict,
    );
    const conversation = { messages: [{ role: "user" as const, content }], at, categories: [] };
    return { ...(await createChatExtractor(model).extract(conversation, CALL)), prompts };
  }

  test("which keeps it where the model confirms it", async () => {
    const { retractions, prompts, rejected } = await extract("Porto was nice while it lasted", {
      stated: [1],
      not_stated: [],
    });
    expect(retractions).toMatchObject([{ text: TAKEN, messageIndex: 0 }]);
    expect(rejected).toEqual([]);
    expect(prompts.flatMap(linesOf).at(-1)).toMatchObject({ taken_back: TAKEN });
  });

  test.each<[string, Said]>([
    ["denies it", { stated: [], not_stated: [1] }],
    ["says nothing of it", { stated: [], not_stated: [] }],
    ["answers nonsense", "banana"],
  ])("and it ends nothing, and is told, where the model %s", async (_, verdict) => {
    const { retractions, rejected } = await extract("I live in Porto.", verdict);
    expect(retractions).toEqual([]);
    expect(rejected).toEqual([
      { fact: TAKEN, isRetraction: true, messageIndex: 0, reason: "negation" },
    ]);
  });

  test("but not about one that another message takes back", async () => {
    const said = ["I live in Porto.", "Forget that I live in Porto."];
    const facts = said.map((quote, message) => {
      return { message, quote, fact: TAKEN, kind: "retraction" };
    });
    const { model, prompts } = scriptChatModel({ facts });
    const messages = said.map((content) => ({ role: "user" as const, content }));
    const conversation = { messages, at, categories: [] };
    const { retractions } = await createChatExtractor(model).extract(conversation, CALL);
    expect(retractions).toMatchObject([{ text: TAKEN, messageIndex: 1 }]);
    expect(prompts).toHaveLength(1);
  });

  test("but not about a reminder", async () => {
    const { rejected, prompts } = await extract("Remember that I live in Porto.", { stated: [1] });
    expect(rejected).toEqual([
      { fact: TAKEN, isRetraction: true, messageIndex: 0, reason: "negation" },
    ]);
    expect(prompts).toHaveLength(1);
  });
});
