/** Facts whose start or end the conversation states (D17). */
import { expect, test } from "vitest";
import { parseInstant } from "../../../src/domain/instant.ts";
import { createChatExtractor } from "../../../src/providers/chat/extractor.ts";
import { scriptChatModel } from "../../providers/chat/scripted-chat-model.ts";
import { asksWhatIsStated } from "../../support/checked-facts.ts";
import { CALL } from "../../support/model-call.ts";
import { expectOk, list, listIds, memoryOf, pluck, says, write } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

// A Wednesday.
const SAID_AT = "2026-05-06T10:00:00.000000Z";

/** The memory that a conversation of one message gives. */
async function memoryFrom(content: string) {
  const account = await spec.service.createAccount();
  const answer = await write(account, { messages: [says(content)], valid_from: SAID_AT });
  expectOk(answer);
  expect(answer.body.saved_count).toBe(1);
  const [id] = answer.body.memory_ids;
  return { account, id, memory: await memoryOf(account, id) };
}

/** The same, read by a chat model that says when it began and ends. */
async function memoryByModel(
  content: string,
  dates: { readonly from: string | null; readonly until: string | null },
) {
  const stated = { message: 0, quote: content, topic: "Home", importance: 5, ...dates };
  const fact = content.replace(/^I am/u, "The user is").replace(/^I /u, "The user ");
  // It finds the fact stated, and no date of which it is asked.
  const { model } = scriptChatModel(({ schema }) =>
    asksWhatIsStated(schema) ? { stated: [1], not_said: [2, 3] } : { facts: [{ ...stated, fact }] },
  );
  const conversation = {
    messages: [{ role: "user", content }] as const,
    at: parseInstant(SAID_AT) ?? 0n,
    categories: [],
  };
  spec.script.extractions.set(content, async () => {
    return (await createChatExtractor(model).extract(conversation, CALL)).facts;
  });
  try {
    return await memoryFrom(content);
  } finally {
    spec.script.extractions.delete(content);
  }
}

const CASES: readonly [string, string | null, string | null, string, string | null][] = [
  ["I moved to Lisbon in May 2024", "2024-05", null, "2024-05-01", null],
  ["I am based in Rome until Friday", null, "2026-05-08", SAID_AT, "2026-05-08"],
  ["I lived in Rome between 2010 and 2014", "2010", "2014", "2010-01-01", "2014-01-01"],
  ["I lived in Rome from 2010 to 2014", "2010", "2014", "2010-01-01", "2014-01-01"],
  ["I live in Rome with my aunt", null, null, SAID_AT, null],
  ["The mill has stood in Rome since 4 June 1750", "1750-06-04", null, "1750-06-04", null],
  ["My visa is valid until 31 December 9999", null, "9999-12-31", SAID_AT, "9999-12-31"],
  ["I have been at Fiat since 3 May '99", null, null, SAID_AT, null],
];

const startOf = (day: string) => (day.length === 10 ? `${day}T00:00:00.000000Z` : day);

test.each(CASES)(
  "D17 stated dates: with the local models: %s",
  async (content, _from, _until, validFrom, validTo) => {
    const { memory } = await memoryFrom(content);
    expect(memory).toMatchObject({
      valid_from: startOf(validFrom),
      valid_to: validTo === null ? null : startOf(validTo),
    });
  },
);

/** By their words alone: a model's date does not say whether "through 2026" is over in 2026. */
test.each([
  ["I lived in Rome until 2020", "2019-12-31", "2020-01-01"],
  ["I worked at Fiat until March", "2026-02-28", "2026-03-01"],
  ["I was in Rome until Friday", "2026-04-30", "2026-05-01"],
  ["I am on holiday until 1 May 2026", "2026-04-30", "2026-05-01"],
  ["My passport is valid through 2026", SAID_AT, null],
  ["My contract ends in May", SAID_AT, null],
  ["I booked a room until 20 May", SAID_AT, null],
])(
  "D17 stated dates: an end that has passed is the fact's own, it began before: %s",
  async (content, validFrom, validTo) => {
    const { memory } = await memoryFrom(content);
    expect(memory).toMatchObject({
      valid_from: startOf(validFrom),
      valid_to: validTo === null ? null : startOf(validTo),
    });
  },
);

test.each(CASES)(
  "D17 stated dates: with a chat model: %s",
  async (content, from, until, validFrom, validTo) => {
    const { memory } = await memoryByModel(content, { from, until });
    expect(memory).toMatchObject({
      valid_from: startOf(validFrom),
      valid_to: validTo === null ? null : startOf(validTo),
    });
  },
);

test("D17 stated dates: a start that lies ahead of the conversation, or is of a thing, does not count", async () => {
  const ahead = "I joined the choir from June 2026 on";
  const unsaid = [
    "I work at Aldi from June",
    "My rent is 900 as of 20 May",
    "My boiler is from 2011",
    // "Março" is March in Portuguese, and "mei" May in Dutch.
    "I lead the choir since Marco left",
    "I report to Ana since Mei moved away",
  ];
  for (const content of [ahead, ...unsaid])
    expect((await memoryFrom(content)).memory.valid_from, content).toBe(SAID_AT);
  const byModel = await memoryByModel(ahead, { from: "2026-06", until: null });
  expect(byModel.memory.valid_from).toBe(SAID_AT);
});

test("D17 stated dates: a date that the message does not hold does not count", async () => {
  const { memory } = await memoryByModel("I live in Lisbon", { from: "2019", until: "2030" });
  expect(memory).toMatchObject({ valid_from: SAID_AT, valid_to: null });
});

test("D17 stated dates, D21: as_of finds the fact from its stated start to its stated end", async () => {
  const { account, id } = await memoryFrom("I moved to Lisbon in May 2024");
  expect(await listIds(account, { as_of: "2024-04-30T23:59:59Z" })).toEqual([]);
  expect(await listIds(account, { as_of: "2024-05-01T00:00:00Z" })).toEqual([id]);
  const other = await memoryFrom("I am based in Rome until Friday");
  expect(await listIds(other.account, { as_of: "2026-05-07T23:59:59Z" })).toEqual([other.id]);
  expect(await listIds(other.account, { as_of: "2026-05-08T00:00:00Z" })).toEqual([]);
});

test.each([
  ["I moved to Rome in 2020. I moved to Oslo in 2024.", ["The user moved to Oslo in 2024"]],
  [
    "I moved to Oslo in 2024. I moved to Rome in 2020.",
    ["The user moved to Rome in 2020", "The user moved to Oslo in 2024"],
  ],
])(
  "D17, D23: of one conversation an earlier start ends no later one: %s",
  async (content, current) => {
    const account = await spec.service.createAccount();
    const messages = [says(content)];
    expectOk(await write(account, { messages, valid_from: SAID_AT, auto_supersede: true }));
    const { memories } = await list(account);
    expect(pluck("decision", memories)).toEqual(current);
  },
);
