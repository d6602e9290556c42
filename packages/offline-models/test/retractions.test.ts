import { describe, expect, test } from "vitest";
import { createLocalExtractor } from "../src/extractor.ts";
import type { ChatMessage } from "../src/models.ts";
import { CALL } from "./fixture.ts";
import { tablesIn } from "./tables.ts";

const table = tablesIn(import.meta.dirname, "retractions.cases.json");

const extractor = createLocalExtractor();

function extract(messages: readonly ChatMessage[]) {
  return extractor.extract({ messages, at: 0n }, CALL);
}

async function retractionsIn(...said: string[]): Promise<string[]> {
  const found = await extract(said.map((content) => ({ role: "user", content })));
  return found.retractions.map(({ text }) => text);
}

describe("what a user takes back (D25a), by the kind of wording", () => {
  test.each(
    table<[string, string, string]>("what a user takes back (D25a), by the kind of wording: …: …"),
  )("%s: %s", async (_, said, text) => {
    expect(await retractionsIn(said)).toEqual([text]);
  });

  test.each(table<string>("what a user takes back (D25a), by the kind of wording: but not: …"))(
    "but not: %s",
    async (said) => {
      expect(await retractionsIn(said)).toEqual([]);
    },
  );

  test("what is taken back is no fact, and what no longer holds is one too", async () => {
    const { facts } = await extract([{ role: "user", content: "Forget that I live in Lisbon." }]);
    expect(facts).toEqual([]);
    const { facts: kept } = await extract([{ role: "user", content: "I no longer eat eggs." }]);
    expect(kept.map(({ decision }) => decision)).toEqual(["The user no longer eats eggs"]);
  });
});

test.each([
  ["I live in Bonn. Forget that I live in Bonn.", []],
  ["I live in Bonn. Sorry, that was wrong.", []],
  ["I live in Bonn. I own a kayak. Forget that I live in Bonn.", ["The user owns a kayak"]],
  ["Forget that I live in Bonn. I live in Bonn.", ["The user lives in Bonn"]],
])("D25a: what a message states and then takes back is no fact: %s", async (content, facts) => {
  const found = await extract([{ role: "user", content }]);
  expect(found.facts.map(({ decision }) => decision)).toEqual(facts);
  expect(found.retractions).toMatchObject([{ text: "The user lives in Bonn" }]);
});

test("D25a: what an earlier message stated is a fact, and the retraction ends it", async () => {
  const contents = ["I live in Bonn.", "I live in Bonn. Forget that I live in Bonn."];
  const found = await extract(contents.map((content) => ({ role: "user", content })));
  expect(found.facts).toMatchObject([{ decision: "The user lives in Bonn", messageIndex: 0 }]);
  expect(found.retractions).toMatchObject([{ text: "The user lives in Bonn", messageIndex: 1 }]);
});

describe("that was wrong (D25a)", () => {
  test("means what the same message denies", async () => {
    expect(await retractionsIn("Wait, I was wrong. Monday isn't market day.")).toEqual([
      "Monday is market day",
    ]);
  });

  test("means what the user said before, whatever the assistant said to it in short", async () => {
    const { retractions } = await extract([
      { role: "user", content: "I live in Lisbon." },
      { role: "assistant", content: "Noted!" },
      { role: "user", content: "Sorry, that was wrong." },
    ]);
    expect(retractions).toMatchObject([{ text: "The user lives in Lisbon", messageIndex: 2 }]);
  });

  test("means what the assistant said of the user", async () => {
    const { retractions } = await extract([
      { role: "assistant", content: "Of course. You work at Acme, so try the canteen." },
      { role: "user", content: "That's not true." },
    ]);
    expect(retractions).toMatchObject([{ text: expect.stringContaining("works at Acme") }]);
  });

  test("means nothing of the user's where the assistant explained something", async () => {
    const explained =
      "The capital of Australia is Sydney, which is also its largest city and lies on the coast.";
    const { retractions } = await extract([
      { role: "user", content: "I live in Lisbon." },
      { role: "assistant", content: explained },
      { role: "user", content: "That's wrong." },
    ]);
    expect(retractions).toEqual([]);
  });
});
