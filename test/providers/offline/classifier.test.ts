import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Classification } from "../../../src/domain/auto-supersession.ts";
import { MAX_CONTENT_BYTES, MAX_SUPERSESSION_CANDIDATES } from "../../../src/domain/limits.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/settings.ts";
import { createLocalClassifier } from "../../../src/providers/offline/classifier.ts";

const classifier = createLocalClassifier();
const never = new AbortController().signal;

function classify(newer: string, ...candidates: string[]): Promise<Classification> {
  const fact = (decision: string, validFrom: bigint) => ({ decision, topic: "General", validFrom });
  return classifier.classify(
    {
      fact: fact(newer, 1n),
      candidates: candidates.map((candidate) => fact(candidate, 0n)),
      model: DEFAULT_SETTINGS.classifierModel,
    },
    never,
  );
}

describe("another value of the same attribute replaces the older fact at the default bar", () => {
  test.each([
    ["Alice lives in Berlin", "Alice moved to Munich"],
    ["Alice lives in Berlin", "Alice lives in Munich now"],
    ["Alice lives in Berlin", "Alice no longer lives in Berlin"],
    ["Alice works at Siemens", "Alice works at Bosch"],
    ["Alice works at Siemens", "Alice left Siemens and joined Bosch"],
    ["Alice works at Siemens", "Alice quit her job at Siemens"],
    ["Alice's employer is Siemens", "Alice works at Bosch"],
    ["The user's favorite color is blue", "User's favourite colour is green"],
    ["The user prefers dark mode", "The user prefers light mode"],
    ["The deployment target is AWS", "The deployment target is GCP"],
    ["The meeting is on Thursday", "Meeting moved to Friday"],
    ["Alice is the VP of Engineering", "Alice is now the CTO"],
    ["Maria is the CEO of Acme", "John is the CEO of Acme"],
    ["The price of the widget is $10", "The price of the widget is $12"],
    ["We use Postgres", "We switched from Postgres to MySQL"],
    ["The team has 5 members", "The team has 7 members"],
    ["Favorite color: blue", "Favorite color: green"],
    ["The deadline is May 5", "Update: the deadline is now June 1"],
    ["Alice smokes", "Alice quit smoking"],
    ["Alice likes coffee", "Alice no longer likes coffee"],
    ["Alice's phone number is 555-1234", "Alice changed her phone number to 555-9999"],
    ["The API version is v1", "The API version is v2"],
    ["The ticket is open", "The ticket is closed"],
    ["I live in Paris", "I've moved to London"],
    ["Hanna is the treasurer of the club", "Piet is the new treasurer of the club"],
    ["The spare key is with Ravi", "The spare key is with the caretaker"],
    ["The user's billing address is 5 Mill Lane", "The user's billing address is 9 Elm Row"],
    ["The server is written in Go", "The server was rewritten in Elixir"],
    ["The contract runs until June", "The contract was extended until December"],
    ["The ticket costs 12 euros", "The ticket price rose to 15 euros"],
    ["The user studies law", "The user dropped out of law school"],
    ["The user uses Instagram every day", "The user deleted Instagram"],
    ["Tom teaches the class", "Ana teaches the class instead of Tom"],
    ["The user drives an Opel", "The user bought a Dacia to replace the Opel"],
    ["The user has never been to Chile", "The user visited Chile in January"],
    ["The user wants to buy a boat", "The user bought a boat"],
  ])("%s > %s", async (older, newer) => {
    const result = await classify(newer, older);
    expect(result.supersededIndex).toBe(0);
    expect(result.confidence).toBeGreaterThanOrEqual(DEFAULT_SETTINGS.minConfidence);
  });
});

describe("what can hold beside the older fact does not replace it", () => {
  test.each([
    ["Alice likes tea", "Alice likes coffee"],
    ["Alice has a dog", "Alice has a cat"],
    ["Alice visited Paris", "Alice visited Rome"],
    ["Alice lives in Berlin", "Alice lives in Berlin."],
    ["Alice lives in Berlin", "Alice now lives in Berlin"],
    ["Alice lives in Berlin", "Bob lives in Munich"],
    ["Alice lives in Berlin", "Alice works in Munich"],
    ["Alice lives in Berlin", "Alice might move to Munich"],
    ["Alice lives in Berlin", "Alice lived in Munich in 2010"],
    ["Alice lives in Berlin", "Alice's sister lives in Munich"],
    ["Alice works at Siemens", "Alice will join Bosch next year"],
    ["Alice's phone number is 555-1234", "Alice's email is a@x.com"],
    ["Alice's favorite color is blue", "Alice's favorite food is pizza"],
    ["Alice has a meeting on Thursday", "Alice has a meeting on Friday"],
    ["The staging database is MySQL", "The production database is PostgreSQL"],
    ["Ticket 12 is open", "Ticket 13 is closed"],
    ["Alice speaks English", "Alice speaks German"],
    ["Alice is a mother", "Alice is a doctor"],
    ["The car is red", "The car is fast"],
    ["The app supports German", "The app now supports French too"],
    ["The key is with Ravi", "The key is in a red box"],
    ["The user lives in Ulm", "The user moved into a bigger flat"],
    ["The user has a key for the cellar", "The user lost the key for the shed"],
    ["The shop sells bread", "The shop stopped selling cakes"],
    ["Tom is the contact at Acme", "Ana is the contact at Initech"],
    ["The user does not eat meat", "The user ate meat in 2010"],
    ["The shop is open on Mondays", "The shop is open on Tuesdays"],
    ["The user needs a visa for India", "The user needs a visa for China"],
    ["The user lives in Ghent with Lotte", "The user lives in Ghent with a cat"],
    ["The user learns Swedish", "The user learns Danish"],
  ])("%s > %s", async (older, newer) => {
    const { supersededIndex, confidence } = await classify(newer, older);
    expect(supersededIndex === 0 && confidence >= DEFAULT_SETTINGS.minConfidence).toBe(false);
  });
});

test("of several candidates the one that says the same of the same is named", async () => {
  const result = await classify(
    "Alice moved to Munich",
    "Alice works in Munich",
    "Bob lives in Berlin",
    "Alice lives in Berlin",
    "Alice likes Berlin",
  );
  expect(result.supersededIndex).toBe(2);
});

test("its own name is given, whatever model the settings name, with a reason of one sentence", async () => {
  const result = await classify("Alice moved to Munich", "Alice lives in Berlin");
  expect(result.model).toBe("attribute-change-3");
  expect(result.reason).toMatch(/^[^\n]+\.$/u);
});

test("any facts: a position offered or none, a confidence from 0 to 1, and the same twice", async () => {
  const words =
    "Alice Alice's lives in is not from to now moved quit no longer Berlin the $10 : and , . more";
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...words.split(" "))).map((chosen) => chosen.join(" ")),
  );
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(text, { minLength: 1, maxLength: 4 }),
      async (fact, candidates) => {
        const result = await classify(fact, ...candidates);
        if (result.supersededIndex !== null) {
          expect(candidates[result.supersededIndex]).toBeDefined();
        }
        expect(result.confidence).toBeGreaterThanOrEqual(0);
        expect(result.confidence).toBeLessThanOrEqual(1);
        expect(result.reason).not.toBe("");
        expect(await classify(fact, ...candidates)).toEqual(result);
      },
    ),
  );
});

test("the longest fact and candidates are compared", async () => {
  const long = "Alice lives in Berlin and ".repeat(MAX_CONTENT_BYTES / 26);
  const candidates = Array.from({ length: MAX_SUPERSESSION_CANDIDATES }, () => long);
  expect((await classify(long, ...candidates)).supersededIndex).toBeNull();
});
