import { describe, expect, test } from "vitest";
import { createLocalExtractor } from "../src/extractor.ts";
import type { ChatMessage } from "../src/models.ts";
import { CALL } from "./fixture.ts";

const extractor = createLocalExtractor();

function extract(messages: readonly ChatMessage[]) {
  return extractor.extract({ messages, at: 0n }, CALL);
}

async function retractionsIn(...said: string[]): Promise<string[]> {
  const found = await extract(said.map((content) => ({ role: "user", content })));
  return found.retractions.map(({ text }) => text);
}

describe("what a user takes back (D25a), by the kind of wording", () => {
  test.each([
    ["to forget a statement", "Forget that I live in Lisbon", "The user lives in Lisbon"],
    ["the same, politely", "Could you please forget that I own a kayak?", "The user owns a kayak"],
    ["to forget a thing", "please forget about my old landlord", "The user's old landlord"],
    ["from memory", "Delete my locker code from your memory", "The user's locker code"],
    ["what was said", "Scrap what I told you about the garden party", "The garden party"],
    ["that it was wrong", "What I said about the sauna was not true", "The sauna"],
    ["that it was a joke", "The unicorn thing was a joke", "The unicorn"],
    ["that it was never said", "I never said that I like opera", "The user likes opera"],
    ["to have been wrong", "I was wrong about the piano tuner", "The piano tuner"],
    ["that it no longer holds", "I no longer play the harp", "The user plays the harp"],
    ["the same with a negation", "We don't use Slack anymore", "The user uses Slack"],
    ["that there is no more", "No more sailing lessons for me", "Sailing lessons"],
    ["not to be told again", "Please don't mention my ex Boris again", "The user's ex Boris"],
    ["not to keep it", "Don't store my shoe size", "The user's shoe size"],
    ["what is still thought", "You still think that I own a boat", "The user owns a boat"],
    ["behind something else", "I sold it, so forget about the kayak", "The kayak"],
  ])("%s: %s", async (_, said, text) => {
    expect(await retractionsIn(said)).toEqual([text]);
  });

  test.each([
    "Remember that I live in Lisbon",
    "Don't forget that I live in Lisbon",
    "I'll never forget Lisbon",
    "I always forget my umbrella",
    "Did you forget that I live in Lisbon?",
    "How do I delete an app from my phone?",
    "Forget the diet for today, we have cake",
    "Please delete my last message",
    "No longer than a page, please",
    "Was I wrong about the tram?",
  ])("but not: %s", async (said) => {
    expect(await retractionsIn(said)).toEqual([]);
  });

  test("what is taken back is no fact, and what no longer holds is one too", async () => {
    const { facts } = await extract([{ role: "user", content: "Forget that I live in Lisbon." }]);
    expect(facts).toEqual([]);
    const { facts: kept } = await extract([{ role: "user", content: "I no longer eat eggs." }]);
    expect(kept.map(({ decision }) => decision)).toEqual(["The user no longer eats eggs"]);
  });
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
