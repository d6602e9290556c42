import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatMessage } from "../../../src/domain/conversation.ts";
import { EARLIEST_INSTANT, LATEST_INSTANT, parseInstant } from "../../../src/domain/instant.ts";
import { createGroundingCheck } from "../../../src/providers/chat/grounding/grounding.ts";
import { CONVERSATIONS } from "../../quality/conversations.ts";

// A Wednesday.
const at = parseInstant("2026-05-06T10:00:00Z") ?? 0n;

function user(content: string): ChatMessage {
  return { role: "user", content };
}
function assistant(content: string): ChatMessage {
  return { role: "assistant", content };
}

/** What of a fact the last of some messages does not bear out; all of it is quoted. */
function ungrounded(fact: string, ...messages: (string | ChatMessage)[]) {
  const all = messages.map((message) => (typeof message === "string" ? user(message) : message));
  return createGroundingCheck({ messages: all, at })(
    fact,
    all.length - 1,
    all.at(-1)?.content ?? "",
  );
}

describe("a fact is grounded", () => {
  test.each([
    // Names, however they are written
    ["Priya is allergic to shellfish", "Hey! I'm Priya. I'm allergic to shellfish."],
    ["The user's son Kofi loves dinosaurs", "my son kofi loves dinosaurs"],
    ["Zoe's favourite language is Rust", "I'm Zoë and my favourite language is rust"],
    ["The user's Siemens colleagues are from Germany", "my colleagues at Siemens's lab are German"],
    ["Deliveries go to dock 4", "Every delivery goes to dock 4."],
    // Numbers, however they are written
    ["The user has 2 cats", "I have two cats"],
    ["The user has two cats", "I have 2 cats"],
    ["The user earns 45,000 euros", "I earn 45k euros"],
    ["The rent is $1,250.50", "my rent is 1250.50 dollars"],
    ["The user's phone number is +34600123456", "call +34 600 123 456"],
    ["The user is twenty-five", "I'm 25"],
    ["The flight leaves at 7:40", "my flight leaves at 07:40"],
    ["The user takes 20mg of lisinopril", "I take 20 mg of lisinopril"],
    ["The user has twins, two girls", "I have a pair of twins, girls"],
    // Dates: as written, and worked out from the time of the conversation
    ["The launch is on 2026-06-30", "The launch is on June 30"],
    ["The launch is on 2026-06-30", "The launch is on 30/06/2026"],
    ["The launch is on June 30, 2026", "The launch is on the 30th of June"],
    ["The launch is in June 2026", "The launch is in June"],
    ["The user adopted a dog on 2026-05-05", "Yesterday we adopted a dog"],
    ["The user adopted a dog on Tuesday, May 5", "Yesterday we adopted a dog"],
    ["The user's sister moved in 2024", "my sister moved two years ago"],
    ["The user moved in 2026-04", "I moved last month"],
    ["The user moved in the week of 2026-04-27", "I moved last week"],
    ["The user flies on 2026-05-08", "I fly on Friday"],
    ["The user flies on 2026-05-15", "I fly next Friday"],
    ["The user's exam is on 2026-05-14", "My exam is on the 14th"],
    ["The user has learned Japanese since 2023", "I've learned Japanese for three years"],
    // In other languages
    ["Der Nutzer zog 2026-05-05 nach Köln", "Ich bin gestern nach Köln gezogen"],
    ["Die Nutzerin hat eine Katze aus Berlin", "Ich habe Katzen aus Berlin"],
    ["La usuaria vive en Sevilla desde 2024", "Vivo en Sevilla desde hace 2 años"],
    ["L'utilisateur part le 7 mai 2026", "Je pars demain"],
    ["用户于2026年5月7日去东京", "我明天去东京"],
    ["ผู้ใช้อาศัยอยู่ที่กรุงเทพ", "ฉันอาศัยอยู่ที่กรุงเทพ"],
  ])("%s < %s", (fact, message) => {
    expect(ungrounded(fact, message)).toBeNull();
  });

  test("when its subject is the speaker, whose name is given anywhere in the conversation", () => {
    const far = Array.from({ length: 20 }, (_, i) => user(`${i} more or less`));
    expect(ungrounded("Omar teaches physics", "My name is Omar.", ...far, "I teach physics")).toBe(
      null,
    );
    expect(ungrounded("Omar teaches physics", "Sam here, hi", ...far, "I teach physics")).toBe(
      "names",
    );
  });

  test("when a pronoun stands for what the messages around name, but not for what is far away", () => {
    const far = Array.from({ length: 20 }, (_, i) => user(`${i} more or less`));
    const said = "she moved to Leeds";
    expect(ungrounded("Anna moved to Leeds", "I have a sister, Anna", "right", said)).toBeNull();
    expect(ungrounded("Anna moved to Leeds", "I met Anna", ...far, said)).toBe("names");
  });

  test("when the user answers what the assistant asked", () => {
    const question = assistant("Nice! Do you still live at 12 Elm Street in Oslo?");
    expect(ungrounded("The user lives at 12 Elm Street in Oslo", question, "Yes")).toBeNull();
    expect(
      ungrounded(
        "The user lives in Oslo",
        question,
        { role: "tool", content: "{}" },
        "Yes, in a flat",
      ),
    ).toBeNull();
  });

  test("when it speaks of what the assistant just named", () => {
    expect(
      ungrounded("The user loved Sushi Dai", assistant("Sushi Dai is great."), "I loved it there!"),
    ).toBeNull();
  });

  test("for every fact of the labelled conversations", () => {
    const rejected = CONVERSATIONS.flatMap((conversation) => {
      const messages = conversation.messages.map((line) => {
        const [, role = "", content = ""] = /^(\w+): (.*)$/su.exec(line) ?? [];
        return { role: role as ChatMessage["role"], content };
      });
      const check = createGroundingCheck({ messages, at: parseInstant(conversation.at) ?? 0n });
      return conversation.facts.filter(
        (fact) =>
          !messages.some(
            ({ role, content }, i) => role === "user" && check(fact, i, content) === null,
          ),
      );
    });
    expect(rejected).toEqual([]);
  });
});

describe("a fact is rejected", () => {
  test.each([
    ["for a name", "names", "The user works at Acme in Berlin", "I work at Acme"],
    ["for a name that is its subject", "names", "Carla manages the user", "My boss manages me"],
    ["for another form of a name", "names", "The user's sister is Maria", "my sister is Marie"],
    ["for an expanded name", "names", "The user lives in New York City", "I live in NYC"],
    ["for a number", "numbers", "The user has three cats", "I have two cats"],
    ["for a number that was worked out", "numbers", "The user is 38", "I was born in 1988"],
    ["for a number in a date", "numbers", "The user has 5 cats", "Yesterday I saw my cats"],
    ["for a longer number", "numbers", "The rent is 12500", "The rent is 1250"],
    ["for a time", "numbers", "The user wakes up at 6:30", "I wake up at 5:30"],
    ["for a date", "dates", "The user moved on 2026-05-06", "I moved to town"],
    ["for a wrong date", "dates", "The user moved on 2026-05-04", "I moved yesterday"],
    ["for a date too exact", "dates", "The user moved on 2026-04-15", "I moved last month"],
    ["for a year far away", "dates", "The launch is in June 2029", "The launch is in June"],
    ["for a day of the week", "names", "The user flies on Monday", "I fly on Friday"],
    ["for sharing no word", "words", "The user enjoys hiking", "ok thanks, bye"],
  ])("%s", (_, part, fact, message) => {
    expect(ungrounded(fact, message)).toBe(part);
  });

  test("when the assistant repeats what it remembers and the user only reacts", () => {
    const recalled = assistant("As I remember, you live in Oslo and have 2 dogs. Need anything?");
    expect(ungrounded("The user lives in Oslo", recalled, "ok thx")).toBe("words");
    expect(ungrounded("The user has 2 dogs", recalled, "no, my dogs are fine")).toBe("numbers");
  });

  test("when only a system prompt or a tool says so", () => {
    for (const role of ["system", "tool"] as const) {
      const message = { role, content: "The user lives in Oslo." };
      expect(ungrounded("The user lives in Oslo", message, "I live alone")).toBe("names");
    }
  });
});

test("no number and no name that the conversation lacks gets through", () => {
  const word = fc.constantFrom("Anna", "Berlin", "Klarna", "Rex", "Oslo", "Tofu", "Miso", "Quito");
  const number = fc.integer({ min: 13, max: 9_999 }).map(String);
  const token = fc.oneof(word, number);
  fc.assert(
    fc.property(fc.array(token, { minLength: 1 }), fc.array(token), (said, claimed) => {
      const result = ungrounded(`The user knows ${claimed.join(" ")}`, `I know ${said.join(" ")}`);
      const isInvented = claimed.some((item) => !said.includes(item));
      expect(result === null).toBe(!isInvented);
    }),
  );
});

test("a long message in which everything may be a date is checked all the same", () => {
  const long = "may 1 tomorrow 2026 3 days ago next friday ".repeat(700);
  expect(ungrounded("The user has 77 cats", long)).toBe("numbers");
});

test("whatever the texts, there is an answer", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(
        fc.constantFrom(
          ..."99999999999999999999 weeks ago|vor 400 Jahren|31/31|2026-02-31|the 99th|0000-00|...|Mai 31|٣|½".split(
            "|",
          ),
        ),
      )
      .map((pieces) => pieces.join(" ")),
  );
  const moment = fc.bigInt({ min: EARLIEST_INSTANT, max: LATEST_INSTANT });
  fc.assert(
    fc.property(text, text, text, moment, (fact, said, asked, when) => {
      const messages = [assistant(`${asked}?`), user(said)];
      const part = createGroundingCheck({ messages, at: when })(fact, 1, said);
      expect([null, "dates", "numbers", "names", "words"]).toContain(part);
    }),
  );
});
