/** What memories are ranked by, with the offline models (D12, D6a). */
import { beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { ask, pluck, remember, unique } from "../calls.ts";
import { vector } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

const FACTS = [
  "The user lives in Valencia",
  "The user drives a Volvo",
  "The ticket PROJ-4711 is about the login page",
  "The budget for the launch is $45,000",
  "Maren leads the on-call rota",
];

let account: TestAccount;
beforeAll(async () => {
  account = await spec.service.createAccount();
  for (const fact of FACTS) await remember(account, fact);
});

test.each([
  ["In which city does the user live?", "The user lives in Valencia"],
  ["How big is the budget for the launch?", "The budget for the launch is $45,000"],
])("D12 relevance: what answers %j is above 0.5, and best first", async (question, fact) => {
  const { memories } = await ask(account, question);
  expect(memories[0]).toMatchObject({ decision: fact });
  const relevances = pluck("relevance", memories) as number[];
  expect(relevances[0]).toBeGreaterThan(0.5);
  expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
  for (const relevance of relevances) expect(relevance).toBeLessThanOrEqual(1);
});

test.each(["Which medicine helps against hay fever?", "Quo vadis?", "who are you?"])(
  "D12 relevance: nothing has to do with %j, and the best of it is below 0.2",
  async (question) => {
    const { memories } = await ask(account, question);
    expect(memories).toHaveLength(FACTS.length);
    for (const relevance of pluck("relevance", memories)) {
      expect(relevance).toBeGreaterThanOrEqual(0);
      expect(relevance).toBeLessThan(0.2);
    }
  },
);

test.each([
  [
    "What car does Ines drive?",
    [
      "Ines has two sons.",
      "Ines drives a Volvo.",
      "Ines speaks Basque.",
      "Ines is allergic to nuts.",
      "Ines plays the oboe.",
      "Ines was born in May.",
    ],
  ],
])(
  "D12 relevance: %j, and what only stands beside the answer is below 0.2",
  async (question, told) => {
    const caller = await spec.service.createAccount();
    for (const fact of told) await remember(caller, fact, { session_id: "one" });
    const { memories } = await ask(caller, question);
    const [best, ...others] = pluck("relevance", memories) as number[];
    expect(best).toBeGreaterThan(0.5);
    expect(others).toHaveLength(told.length - 1);
    for (const relevance of others) expect(relevance).toBeLessThan(0.2);
  },
);

test("D12 relevance: it is the same however many memories are asked for", async () => {
  const question = "In which city does the user live?";
  const all = pluck("relevance", (await ask(account, question)).memories);
  for (const limit of [1, 2, 5]) {
    const few = pluck("relevance", (await ask(account, question, { limit })).memories);
    expect(few).toEqual(all.slice(0, limit));
  }
});

test("D12 relevance: what has another attribute of whom is asked about is below 0.5, whatever words it shares", async () => {
  const caller = await spec.service.createAccount();
  const told = [
    "Brigitte repairs clocks in Chur.",
    "The clock shop has four apprentices.",
    "Anselm delivers the clocks.",
    "Brigitte rents the shop from a cousin.",
    "The shop opens at nine.",
    "Anselm collects stamps.",
  ];
  for (const fact of told) await remember(caller, fact);
  for (const [question, answer] of [
    ["How many apprentices does the clock shop have?", told[1]],
    ["Where does Brigitte repair clocks?", told[0]],
    ["When does Anselm deliver the clocks?", null],
    ["How old is Brigitte?", null],
  ] as const) {
    const [best] = (await ask(caller, question)).memories;
    if (answer !== null) expect(best.decision).toBe(answer);
    expect(best.relevance >= 0.5, question).toBe(answer !== null);
  }
});

test("D12 relevance: what is somebody else's, or is for something else, is below 0.5", async () => {
  const caller = await spec.service.createAccount();
  const told = [
    "The user pays 870 euros a month for the flat",
    "The user's sister Clara lives in Braga",
    "Dana's dog is called Biscuit",
    "The user turned 42",
  ];
  for (const fact of told) await remember(caller, fact);
  for (const [question, answer] of [
    ["What do I pay for the flat?", told[0]],
    ["What do I pay for the garage?", null],
    ["Where does my sister live?", told[1]],
    ["Where do I live?", null],
    ["Do I have a dog?", null],
    ["How old am I?", told[3]],
  ] as const) {
    const [best] = (await ask(caller, question)).memories;
    if (answer !== null) expect(best.decision).toBe(answer);
    expect(best.relevance >= 0.5, question).toBe(answer !== null);
  }
});

test("D6a session_id: what stands beside the answer in its conversation comes next", async () => {
  const caller = await spec.service.createAccount();
  const question = unique("Which one fits?");
  const [fits, beside, elsewhere] = [unique("fits"), unique("beside"), unique("elsewhere")];
  spec.script.vectors.set(question, () => vector(1));
  for (const text of [elsewhere, beside]) spec.script.vectors.set(text, () => vector(0.6, 0.8));
  spec.script.vectors.set(fits, () => vector(1));
  await remember(caller, fits, { session_id: "one" });
  await remember(caller, beside, { session_id: "one" });
  await remember(caller, elsewhere, { session_id: "two" });
  const { memories } = await ask(caller, question);
  expect(pluck("decision", memories)).toEqual([fits, beside, elsewhere]);
});
