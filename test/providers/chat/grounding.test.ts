/** What a model is asked about a fact that it stated, and what of it the conversation has (D27a). */
import { describe, expect, test } from "vitest";
import { parseInstant } from "../../../src/domain/instant.ts";
import type { ChatMessage } from "../../../src/domain/memory-write.ts";
import { type Claim, readConversation } from "../../../src/providers/chat/grounding/question.ts";
import { CALL } from "../../support/model-call.ts";

// A Wednesday.
const at = parseInstant("2026-05-06T10:00:00Z") ?? 0n;

/** Messages are a user's but for those that begin with "a: ". */
function messagesOf(lines: readonly string[]): ChatMessage[] {
  return lines.map((line) =>
    line.startsWith("a: ")
      ? { role: "assistant", content: line.slice("a: ".length) }
      : { role: "user", content: line },
  );
}

/** What is asked about a fact that is quoted from the last message. */
async function questionAbout(
  fact: string,
  lines: readonly string[],
  { quote = lines.at(-1) ?? "", ...change }: Partial<Claim> = {},
) {
  const messages = messagesOf(lines);
  const claim = { fact, quote, messageIndex: messages.length - 1, isRetraction: false, ...change };
  return (await readConversation({ messages, at }, CALL.signal)).questionAbout(claim);
}

describe("the passage", () => {
  test("is the quoted message, with what was said right before", async () => {
    const asked = await questionAbout("The user lives in Oslo", ["a: Where do you live?", "Oslo"]);
    expect(asked?.passage).toEqual({
      messageIndex: 1,
      words: "Oslo",
      by: null,
      before: "assistant: Where do you live?",
    });
  });

  test.each([
    ["in the message that was named", "I ski", 0, 0],
    ["in another one", "I sail", 0, 2],
    ["in other case, blanks and punctuation", "i   SAIL!", 0, 2],
    ["with words left out", "I … every … Sunday", 0, 2],
    ["in other words: of the message that was named", "I go skiing", 0, 0],
  ])("a quote %s", async (_, quote, messageIndex, found) => {
    const lines = ["I ski.", "a: Nice!", "I sail, almost every second Sunday."];
    const asked = await questionAbout("A fact", lines, { quote, messageIndex });
    expect(asked?.passage.messageIndex).toBe(found);
    expect(asked?.reason).toBe(quote === "I go skiing" ? "quote" : "words");
  });

  test.each([
    ["an assistant's", 1],
    ["no message", 7],
    ["none that was named", null],
  ])("there is none where the words are %s", async (_, messageIndex) => {
    const lines = ["I ski.", "a: You sail."];
    expect(await questionAbout("The user sails", lines, { quote: "You sail", messageIndex })).toBe(
      null,
    );
  });

  test("of a long message is what stands around the quote", async () => {
    const [before, after] = ["Ich war da. ", "Er kam nicht. "].map((text) => text.repeat(3_000));
    const content = `${before}Straße 12 ist meine Ádresse. ${after}`;
    const asked = await questionAbout("A fact", [content], { quote: "STRASSE 12" });
    const words = asked?.passage.words ?? "";
    expect(words.length).toBeLessThan(700);
    expect(words).toMatch(/Ich war da\. Straße 12 ist meine Ádresse\. Er kam nicht/u);
  });
});

describe("what of a fact has no source", () => {
  test.each<[string, string, string[], string]>([
    ["The user lives in Oslo", "I live in oslo", [], "words"],
    ["The user lives in Oslo", "I live by the sea", ["Oslo"], "names"],
    ["The user paid 1,400 euros", "I paid 1400 euros", [], "words"],
    ["The user paid 14 euros", "I paid 1.4 euros", ["14"], "numbers"],
    ["The user has 40 hens", "I've forty hens", ["40"], "numbers"],
    ["The launch is on 2026-06-30", "The launch is on the 30th of June", [], "words"],
    ["The launch is on 2026-06-30", "The launch is on 30/06/2026", [], "words"],
    ["The launch is on 2026-06-29", "The launch is on June 30", ["2026-06-29"], "dates"],
    ["The user moved on 2026-05-05", "ich bin gestern umgezogen", [], "words"],
    ["The user moved in 2023", "il y a 3 ans j'ai déménagé", [], "words"],
    ["The user moved in 2024", "il y a 3 ans j'ai déménagé", ["2024"], "dates"],
    ["The user flies on 2026-05-08", "I fly on Friday", [], "words"],
    ["The user flies on 2026-05-07", "I fly on Friday", ["2026-05-07"], "dates"],
    ["用户于2026年5月7日去东京", "我明天去东京", [], "words"],
  ])("%s: %s", async (fact, content, unwritten, reason) => {
    expect(await questionAbout(fact, [content])).toMatchObject({ unwritten, reason });
  });

  test("what is said elsewhere is shown, a user's words first", async () => {
    const lines = [
      "a: Ask Bea.",
      "I'm Ada, my aunt Bea has 12 cats.",
      "a: Where to?",
      "She's moving to Kiel.",
    ];
    const fact = "Ada's aunt Bea, who has 12 cats, is moving to Kiel in Bonn";
    const asked = await questionAbout(fact, lines);
    expect(asked?.elsewhere).toEqual([`user: ${lines[1]}`]);
    expect(asked?.unwritten).toEqual(["Bonn"]);
  });
});
