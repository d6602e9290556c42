import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatMessage } from "../../../src/domain/conversation.ts";
import { EARLIEST_INSTANT, LATEST_INSTANT, parseInstant } from "../../../src/domain/instant.ts";
import { doubtsAbout } from "../../../src/providers/chat/grounding/doubts.ts";
import { readConversation } from "../../../src/providers/chat/grounding/evidence.ts";
import { PARTS } from "../../programs/quality/parts.ts";
import { tablesIn } from "../../support/tables.ts";
import { at, doubted } from "./doubted.ts";

const table = tablesIn(import.meta.dirname, "doubts.cases.json");

type Case = readonly [fact: string, quote: string | null, ...messages: string[]];

/** Of many languages and turns of phrase; what a model would be asked about is kept too. */
const STATED = table<Case>("stated");

/** With words that deny, by which they affirm; and the other way around. */
const IDIOMS = table<Case>("idioms");

/** The same amount in other words. */
const FIGURES = table<Case>("figures");

const NOT_STATED = table<Case>("not stated");

test.each([...STATED, ...IDIOMS, ...FIGURES].map((stated) => [stated[0], stated] as const))(
  "no grave doubt: %s",
  (_, stated) => {
    expect(doubted(...stated).grave).toEqual([]);
  },
);

test.each(NOT_STATED.map((stated) => [stated[0], stated] as const))(
  "a grave doubt: %s",
  (_, stated) => {
    expect(doubted(...stated).grave).not.toEqual([]);
  },
);

describe("a grave doubt has its reason", () => {
  test.each(table<[string, string, string, string]>("a grave doubt has its reason: …"))(
    "%s",
    (_, doubt, fact, message) => {
      expect(doubted(fact, null, message).grave).toContain(doubt);
    },
  );
});

describe("a mild doubt", () => {
  test("is about a fact in other words", () => {
    const { grave, mild } = doubted("The user has a licence to drive", null, "I passed my test!");
    expect({ grave, mild }).toEqual({ grave: [], mild: ["words"] });
  });

  test("is about a mere yes, and no doubt about a yes with the words of the fact", () => {
    const question = "a: Do you still live in Oslo?";
    expect(doubted("The user lives in Oslo", null, question, "Yes!").mild).toEqual(["answer"]);
    expect(doubted("The user lives in Oslo", null, question, "Yes, I live in Oslo").mild).toEqual(
      [],
    );
  });

  test("is about a plan that depends on something", () => {
    const said = "If I get the job I'd move to Leeds";
    const { grave, mild } = doubted("The user is moving to Leeds", null, said);
    expect({ grave, mild }).toEqual({ grave: [], mild: ["modality"] });
  });

  test("is about a number that only another message gives", () => {
    const { grave, mild } = doubted(
      "The user has 3 cats",
      null,
      "there are 3 of them",
      "I have cats",
    );
    expect({ grave, mild }).toEqual({ grave: [], mild: ["numbers"] });
  });
});

describe("no doubt at all", () => {
  test("about the user's own words in a conversation that is one message", () => {
    const said = "User: I live in Kiel\nAssistant: Noted, I will remember";
    const { grave, mild } = doubted("The user lives in Kiel", "I live in Kiel", said);
    expect({ grave, mild }).toEqual({ grave: [], mild: [] });
  });

  test.each(table<[string, string]>("no doubt at all: about … of …"))(
    "about %j of %j",
    (fact, message) => {
      expect(doubted(fact, null, message)).toMatchObject({ grave: [], mild: [] });
    },
  );

  test.each(
    table<[string, string]>("no doubt at all: D25a: about …, as … states it and asks nothing"),
  )("D25a: about %j, as %j states it and asks nothing", (fact, message) => {
    expect(doubted(fact, null, message)).toMatchObject({ grave: [], mild: [] });
  });

  test("for facts of the labelled conversations, but for a few", () => {
    const facts = PARTS.plain.conversations.flatMap((conversation) => {
      const messages = conversation.messages.map((line) => {
        const [, role = "", content = ""] = /^(\w+): (.*)$/su.exec(line) ?? [];
        return { role: role as ChatMessage["role"], content };
      });
      const read = readConversation({ messages, at: parseInstant(conversation.at) ?? 0n });
      return conversation.facts.map((fact) =>
        messages.some(({ role, content }, messageIndex) => {
          if (role !== "user") return false;
          const { grave, mild } = doubtsAbout({ fact, quote: content, messageIndex }, read);
          return grave.length + mild.length === 0;
        }),
      );
    });
    expect(facts.filter((isSure) => !isSure).length).toBeLessThanOrEqual(0.1 * facts.length);
  });
});

describe("what only others said", () => {
  test("is doubted when the assistant repeats it and the user only reacts", () => {
    const recalled = "a: As I remember, you live in Oslo and have 2 dogs. Need anything?";
    expect(doubted("The user lives in Oslo", null, recalled, "ok thx").grave).toContain("answer");
    expect(doubted("The user has 2 dogs", null, recalled, "my dogs are fine").grave).toContain(
      "numbers",
    );
  });

  test.each(["system", "tool"] as const)(
    "is doubted when it is a message of the role %s",
    (role) => {
      const messages = [
        { role, content: "The user lives in Oslo." },
        { role: "user" as const, content: "I live alone" },
      ];
      const claim = { fact: "The user lives in Oslo", quote: "I live alone", messageIndex: 1 };
      expect(doubtsAbout(claim, readConversation({ messages, at })).grave).toContain("names");
    },
  );
});

test("no number and no name that the conversation lacks is beyond doubt", () => {
  const word = fc.constantFrom("Anna", "Berlin", "Klarna", "Rex", "Oslo", "Tofu", "Miso", "Quito");
  const number = fc.integer({ min: 13, max: 9_999 }).map(String);
  const token = fc.oneof(word, number);
  fc.assert(
    fc.property(fc.array(token, { minLength: 1 }), fc.array(token), (said, claimed) => {
      const { grave, mild } = doubted(
        `The user knows ${claimed.join(", ")}`,
        null,
        `I know ${said.join(", ")}`,
      );
      const isLacking = claimed.some((item) => !said.includes(item));
      // A number that follows from those said, as 26 from two times 13, is a mild doubt.
      if (isLacking) expect([...grave, ...mild]).not.toEqual([]);
    }),
  );
});

test("a long message in which everything may be a date is checked all the same", () => {
  const long = "may 1 tomorrow 2026 3 days ago next friday ".repeat(700);
  expect(doubted("The user has 77 cats", null, long).grave).toContain("numbers");
});

test("whatever the texts, there is an answer", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(
        fc.constantFrom(
          ..."99999999999999999999 weeks ago|vor 400 Jahren|31/31|2026-02-31|the 99th|0000-00|...|Mai 31|٣|½|三億|昨日".split(
            "|",
          ),
        ),
      )
      .map((pieces) => pieces.join(" ")),
  );
  const moment = fc.bigInt({ min: EARLIEST_INSTANT, max: LATEST_INSTANT });
  fc.assert(
    fc.property(text, text, text, moment, (fact, said, asked, when) => {
      const messages: ChatMessage[] = [
        { role: "assistant", content: `${asked}?` },
        { role: "user", content: said },
      ];
      const read = readConversation({ messages, at: when });
      const { grave, mild } = doubtsAbout({ fact, quote: said, messageIndex: 1 }, read);
      expect(new Set([...grave, ...mild]).size).toBe(grave.length + mild.length);
    }),
  );
});
