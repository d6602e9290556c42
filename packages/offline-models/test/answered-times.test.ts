import { questionTime } from "@agent-memory/text/dates";
import { type Instant, parseInstant } from "@agent-memory/text/instant";
import { expect, test } from "vitest";
import { createLocalAnswerer } from "../src/answerer.ts";
import type { Question } from "../src/models.ts";
import { CALL } from "./fixture.ts";

const answerer = createLocalAnswerer();

const at = (text: string): Instant => parseInstant(`${text}T12:00:00Z`) ?? 0n;
const NOW = at("2026-11-23");

/** Facts with when they held. */
function memoriesOf(...facts: [decision: string, validFrom: string, validTo?: string][]) {
  return facts.map(([decision, from, to], i) => ({
    number: i + 1,
    decision,
    validFrom: at(from),
    validTo: to === undefined ? null : at(to),
    similarity: 0.5,
    relevance: 0,
  }));
}

async function ask(text: string, memories: Question["memories"], asked: Partial<Question> = {}) {
  const { answerWithCitations: answer, answerKind } = await answerer.answer(
    { text, memories, now: NOW, ...asked },
    CALL,
  );
  return `${answerKind}: ${answer}`;
}

const NONE = "none: No memories found for this company yet.";
const HOMES = memoriesOf(
  ["The user lives in Lisbon", "2025-06-01", "2026-04-05"],
  ["The user lives in Porto", "2026-04-05"],
  ["The user bought a blue canoe on 2026-03-09", "2026-08-01"],
);

test.each([
  "Where did I live in March?",
  "Where was I living on Thursday?",
  "Where did I live at Christmas?",
  "Where did I live last spring?",
])("D12c: with as_of, the date in the question is a time and no name: %s", async (question) => {
  const [lisbon] = HOMES;
  const memories = lisbon === undefined ? [] : [lisbon];
  expect(await ask(question, memories, { asOf: at("2026-03-20") })).toBe(
    "stated: The user lives in Lisbon. [mem-1]",
  );
});

const UNTIL_APRIL = "stated: Until 5 April 2026: The user lives in Lisbon. [mem-1]";
test.each<[question: string, past: Question["past"], answer: string]>([
  ["Where did I live in March?", at("2026-03-31"), stated("31 March", "Lisbon")],
  ["Where did I live in June?", at("2026-06-30"), stated("30 June", "Porto")],
  ["Where did I live before?", "ever", UNTIL_APRIL],
  ["Where did I live before Porto?", "ever", UNTIL_APRIL],
  ["Where did I use to live?", "ever", UNTIL_APRIL],
  ["Where did I work in March?", at("2026-03-31"), NONE],
])(
  "D12c: without as_of, %s is asked of the past, and the answer says of which",
  async (question, past = "ever", answer) => {
    expect(await ask(question, HOMES, { past })).toBe(answer);
  },
);

function stated(day: string, city: string): string {
  return `stated: As of ${day} 2026: The user lives in ${city}. [mem-1]`;
}

test.each<[asked: Partial<Question>, said: string]>([
  [{}, ""],
  [{ asOf: at("2026-08-09") }, ""],
  [{ past: at("2026-06-30") }, "As of 30 June 2026: "],
])("D12c: of two values that both hold the older has its day: %o", async (asked, said) => {
  const homes = memoriesOf(
    ["The user lives in Lisbon", "2025-06-01"],
    ["The user lives in Porto", "2026-04-05"],
  );
  const question = asked.past === undefined ? "Where do I live?" : "Where did I live in June?";
  expect(await ask(question, homes, asked)).toBe(
    `stated: ${said}The user lives in Porto. [mem-1] Earlier, since 1 June 2025: The user lives in Lisbon. [mem-2]`,
  );
});

test("D12c: what was told later, with its date, is of that date too", async () => {
  const past = questionTime("What did I buy on 9 March 2026?", NOW)?.moment ?? "ever";
  expect(await ask("What did I buy on 9 March 2026?", HOMES, { past })).toBe(
    "stated: The user bought a blue canoe on 2026-03-09. [mem-1]",
  );
});

test("D12b, D12c: what only holds since is not the closest of a date before", async () => {
  const past = at("2026-03-31");
  const memories = memoriesOf(["The user lives in Porto", "2026-11-01"]);
  expect(await ask("Where did I live in March?", memories, { past })).toBe(NONE);
  const told = memoriesOf(["The user bought a blue canoe", "2026-11-01"]);
  expect(await ask("What did I buy in March?", told, { past })).toMatch("closest: ");
});

const JOBS = memoriesOf(
  ["Bob works at Siemens", "2018-01-01", "2025-01-01"],
  ["Bob works at Bosch", "2025-01-01"],
);
test.each([
  ["in the year 2021", "31 December 2021"],
  ["in early 2021", "31 March 2021"],
  ["at the beginning of 2021", "31 March 2021"],
  ["in Q1 2021", "31 March 2021"],
  ["in the first half of 2022", "30 June 2022"],
  ["in mid-2023", "30 June 2023"],
  ["in the third quarter of 2021", "30 September 2021"],
  ["in late 2021", "31 December 2021"],
  ["until the end of 2021", "31 December 2021"],
  ["early in March 2021", "31 March 2021"],
  ["in March of 2021", "31 March 2021"],
  ["in 03/2021", "31 March 2021"],
  ["on 05/03/2021", "5 March 2021"],
  ["on 5.3.2021", "5 March 2021"],
  ["between 2020 and 2022", "31 December 2022"],
  ["from March to May 2021", "31 May 2021"],
  ["in the 2010s", "31 December 2019"],
])("D12c: a date in the past may be named as: %s", async (date, day) => {
  const question = `Where did Bob work ${date}?`;
  const { moment } = questionTime(question, NOW) ?? {};
  expect(await ask(question, JOBS, { past: moment ?? "ever" })).toBe(
    `stated: As of ${day}: Bob works at Siemens. [mem-1]`,
  );
});

test.each(["in room 2021", "at the start", "for 1/2 of the money", "while the 2021 budget grew"])(
  "D12c: no date is named by: %s",
  (words) => {
    expect(questionTime(`Where did Bob work ${words}?`, NOW)).toBeNull();
  },
);

test("D12b: of another weekday nothing is the closest", async () => {
  const memories = memoriesOf(["Evi reads the newspaper aloud", "2026-11-01"]);
  expect(await ask("Which newspaper is delivered on Sundays?", memories)).toBe(NONE);
});

test("D12b: a turn states what its speaker says of whom is asked for, and no more", async () => {
  const question = "What did Mira think of the pottery workshop?";
  const kinds = async (turn: string) =>
    (await ask(question, memoriesOf([turn, "2026-11-01"]))).split(":")[0];
  expect(await kinds("Mira: I think the pottery workshop was great.")).toBe("stated");
  expect(await kinds("Mira: What did you think of the pottery workshop?")).not.toBe("stated");
  expect(await kinds("Mira: You think the pottery workshop was great.")).not.toBe("stated");
  expect(await kinds("Ruben: Mira, I think the pottery workshop was great.")).not.toBe("stated");
  expect(await kinds("Ruben: Mira, you think the pottery workshop was great.")).toBe("stated");
});

test("D12b: what holds now states nothing of what held before", async () => {
  const present = memoriesOf(["The user works at a mill", "2026-04-05"]);
  expect(await ask("Where did I work before?", present, { past: "ever" })).toBe(
    "closest: The closest memory: The user works at a mill. [mem-1]",
  );
  const told = memoriesOf(["The user worked at a mill until 2019", "2026-04-05"]);
  expect(await ask("Where did I work before?", told, { past: "ever" })).toMatch("stated: ");
});

test("whoever asks of the user by name asks of the user", async () => {
  const memories = memoriesOf(
    ["The user's name is Inga Falk", "2026-04-05"],
    ["The user lives in Porto", "2026-04-05"],
  );
  expect(await ask("Where does Inga live?", memories)).toBe(
    "stated: The user lives in Porto. [mem-1]",
  );
});

test("D12c: since when something holds is answered by the day that was stated, not by that of the write", async () => {
  const told = memoriesOf(["Alice works at Bosch", "2026-11-22"]);
  const validFrom = parseInstant("2021-03-01T00:00:00Z") ?? 0n;
  const stated = told.map((each) => ({ ...each, validFrom }));
  const asked = ["Since when does Alice work at Bosch?", "How long has Alice worked at Bosch?"];
  for (const question of asked) {
    expect(await ask(question, stated)).toBe(
      "stated: Since 1 March 2021: Alice works at Bosch. [mem-1]",
    );
    expect(await ask(question, told)).toBe(NONE);
  }
  const inWords = memoriesOf(["Alice has worked at Bosch since 2019", "2026-11-22"]);
  expect(await ask("Since when does Alice work at Bosch?", inWords)).toBe(
    "stated: Alice has worked at Bosch since 2019. [mem-1]",
  );
});
