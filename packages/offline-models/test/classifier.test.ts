import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLocalClassifier } from "../src/classifier.ts";
import type { Classification, NamedCandidate } from "../src/models.ts";
import { CALL, MAX_CANDIDATES, MAX_CONTENT_BYTES } from "./fixture.ts";

/** What the service acts on unless an account says otherwise. */
const MIN_CONFIDENCE = 0.85;

const classifier = createLocalClassifier();

function classify(newer: string, ...candidates: string[]): Promise<Classification> {
  const fact = (decision: string, statedAt: bigint) => ({ decision, topic: "General", statedAt });
  return classifier.classify(
    {
      fact: fact(newer, 1n),
      candidates: candidates.map((candidate) => fact(candidate, 0n)),
      isRetraction: false,
    },
    CALL,
  );
}

function isSure({ confidence }: NamedCandidate): boolean {
  return confidence >= MIN_CONFIDENCE;
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
    expect(result.superseded).toMatchObject([{ index: 0 }]);
    expect(result.superseded[0]?.confidence).toBeGreaterThanOrEqual(MIN_CONFIDENCE);
  });
});

describe("an event ends the state that it does not name", () => {
  test.each([
    ["The user works at Siemens", "The user got laid off last week"],
    ["The user works at Siemens", "I got a new job at Bosch"],
    ["The user is looking for a job", "The user found a job at SAP"],
    ["The user's girlfriend is Ana", "Ana and I broke up"],
    ["The user drives a Volvo", "sold the car last week"],
    ["The user has a Netflix subscription", "The user cancelled their Netflix subscription"],
    ["The user is writing a thesis on bees", "The user finished their thesis"],
    ["The user is studying law", "The user graduated in 2026-04"],
    ["The user's wedding is on June 5", "The user's wedding was called off"],
    ["The user's meeting with Acme is on Monday", "The meeting with Acme was postponed"],
    ["The user's project is called Falcon", "The user renamed the project to Eagle"],
    ["The user eats meat", "The user is vegetarian now"],
    ["The user is single", "The user got married to Lee in March"],
    ["The user has a dog named Rex", "The user's dog Rex passed away"],
    ["The user lives alone", "The user moved in with their girlfriend"],
    ["The user goes to the pool every day", "The user stopped going to the pool"],
    ["The user lives in Graz", "Innsbruck is home now"],
    ["The user lives in Graz", "I left Graz for Innsbruck"],
    ["The user works at Siemens", "They let me go last week"],
    ["The user works at Siemens", "The user handed in their notice"],
    ["The user's boyfriend is Jan", "Jan and I called it quits"],
    ["Ines is the user's girlfriend", "Ines is the user's wife now"],
    ["The user lives with Jan", "Jan moved out"],
    ["The user drives a Volvo", "The user swapped the Volvo for a bike"],
    ["The user has a Kindle", "The Kindle was stolen"],
    ["The user smokes", "The user has not had a cigarette in a year"],
    ["The user drinks wine with dinner", "The user is sober now"],
    ["The user is vegan", "The user eats eggs again"],
    ["The user can not swim", "The user can swim now"],
    ["The user does not play tennis", "The user plays tennis again"],
    ["Omar is the head of sales", "Omar stepped down last week"],
    ["Omar is the head of sales", "Lena took over as head of sales from Omar"],
    ["The API runs on Node 20", "We bumped Node to 22 in the API"],
    ["The user's rent is 800 euros", "The rent went up to 950"],
    ["The user's team has five people", "There are seven of us now"],
    ["The code is 4417", "The code is 4471, not 4417"],
    ["The user's band is called Moss", "The band goes by Fern now"],
    ["The team uses Jira", "The user dropped Jira"],
    ["The user works at Siemens", "The user had their last day at Siemens"],
    ["The user does not like olives", "The user likes olives now"],
    ["The user does not have a freezer", "The user got a freezer"],
    ["The user's daughter is five years old", "The user's daughter is six now"],
    ["The user has a canary", "I gave the canary to my cousin"],
    ["The user takes sugar in their coffee", "The user is off sugar since May"],
    ["The user is studying for the theory test", "The user passed the theory test"],
  ])("%s > %s", async (older, newer) => {
    expect((await classify(newer, older)).superseded.filter(isSure)).toHaveLength(1);
  });

  test.each([
    ["The user works at Siemens", "The user's wife got a new job at Bosch"],
    ["The user works at Siemens", "The user might quit their job"],
    ["The user works at Siemens", "The user got a second job at a bar"],
    ["The user is dating Sam", "The user's sister and her boyfriend broke up"],
    ["The user's boyfriend is Emre", "The user broke up with Jonas"],
    ["The user drives a Volvo", "The user sold their bike"],
    ["The user drives a Volvo", "The user's dad sold his car"],
    ["The user has a trip to Japan in May", "The user cancelled the dinner on Friday"],
    ["The user has a meeting with Bob on Tuesday", "The user cancelled the meeting with Ana"],
    ["The user has a cat called Plum", "Rex died"],
    ["The user is single", "The user's brother got married"],
    ["The user's wife works at the airport", "The user got divorced from Ana"],
    ["The user works at Siemens", "The user's brother handed in his notice"],
    ["The user takes the train to work", "The user cycles on weekends now"],
    ["The user smokes", "The user's mother has not had a cigarette in a year"],
    ["The web app runs on Node 20", "We bumped Node to 22 in the API"],
    ["The anatomy exam is on May 11", "The history exam is on May 19"],
    ["The user's birthday is on July 5", "The user's birthday is the 5th"],
    ["The user reads a lot", "The user gave up on the novel"],
    ["The user does not play chess", "The user plays tennis again"],
    ["Omar is the head of sales", "Lena left last week"],
    ["The user does not play chess", "The user plays tennis now"],
    ["The user does not have a freezer", "The user got a fridge"],
    ["The user has a canary", "I gave the keys to my cousin"],
  ])("but not %s > %s", async (older, newer) => {
    expect((await classify(newer, older)).superseded.filter(isSure)).toEqual([]);
  });
});

describe("D23 repeats: what is said again in other words ends what it repeats", () => {
  test.each([
    ["Alice lives in Berlin", "Alice now lives in Berlin"],
    ["The user works at Bosch", "The user is working at Bosch"],
  ])("%s > %s", async (older, newer) => {
    expect((await classify(newer, older)).superseded.filter(isSure)).toHaveLength(1);
  });

  test.each([
    ["Alice lives in Berlin with Bo", "Alice lives in Berlin"],
    ["Alice does not live in Berlin", "Alice might live in Berlin"],
    ["Alice visited Berlin", "Alice visits Berlin"],
  ])("but not with less, or otherwise: %s > %s", async (older, newer) => {
    expect((await classify(newer, older)).superseded.filter(isSure)).toEqual([]);
  });
});

describe("what can hold beside the older fact does not replace it", () => {
  test.each([
    ["Alice likes tea", "Alice likes coffee"],
    ["Alice has a dog", "Alice has a cat"],
    ["Alice visited Paris", "Alice visited Rome"],
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
    const { superseded } = await classify(newer, older);
    expect(superseded.filter(isSure)).toEqual([]);
  });
});

test("of several candidates those that say the same of the same are named", async () => {
  const result = await classify(
    "Alice moved to Munich",
    "Alice works in Munich",
    "Bob lives in Berlin",
    "Alice lives in Berlin",
    "Alice likes Berlin",
    "Alice lives in Rome",
  );
  expect(result.superseded.map(({ index }) => index)).toEqual([2, 4]);
});

test("its own name is given, whatever model the settings name, with a reason of one sentence", async () => {
  const result = await classify("Alice moved to Munich", "Alice lives in Berlin");
  expect(result.model).toBe("attribute-change-4");
  expect(result.reason).toMatch(/^[^\n]+\.$/u);
  expect(result.superseded[0]?.reason).toMatch(/^[^\n]+\.$/u);
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
        for (const { index } of result.superseded) expect(candidates[index]).toBeDefined();
        for (const { confidence, reason } of [result, ...result.superseded]) {
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(reason).not.toBe("");
        }
        expect(await classify(fact, ...candidates)).toEqual(result);
      },
    ),
  );
});

test("the longest fact and candidates are compared", async () => {
  const long = "Alice lives in Berlin and ".repeat(MAX_CONTENT_BYTES / 26);
  const candidates = Array.from({ length: MAX_CANDIDATES }, () => long.replaceAll("Alice", "Bob"));
  expect((await classify(long, ...candidates)).superseded).toEqual([]);
});
