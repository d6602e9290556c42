/** Which memories a classifier is shown, and which it may end (D20, D23). */
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { candidateBar } from "../../../src/domain/auto-supersession.ts";
import type { TestAccount } from "../../support/service.ts";
import { audit, expectOk, pluck, remember, timeline, unique, write } from "../calls.ts";
import { useSpec } from "../spec.ts";
import { isSuperseded, scriptedFacts, writeFact } from "./scripted-facts.ts";

const spec = useSpec();

const { fact, classifies } = scriptedFacts(spec);

/** Writes facts by one conversation, in this order, with automatic supersession on. */
async function writeAll(account: TestAccount, decisions: readonly string[]) {
  const opening = unique("Many");
  spec.script.extractions.set(opening, () => decisions.map((decision) => ({ decision })));
  const messages = [{ role: "user", content: opening }];
  const answer = await write(account, { messages, auto_supersede: true });
  expectOk(answer);
  return answer.body as { memory_ids: string[] };
}

test("D23: a memory about the same attribute of the user, who was called by name there", async () => {
  const account = await spec.service.createAccount();
  await writeAll(account, ["The user's name is Bob", "Bob lives in Rome", "Eve lives in Rome"]);
  const content = "The user moved to Oslo";
  const shown = classifies(content, { supersededIndex: 0 });
  const { auto_supersede } = await writeFact(account, content);
  expect(shown[0]?.slice(0, 2)).toEqual([content, "The user lives in Rome"]);
  expect(shown.flat()).not.toContain("Bob lives in Rome");
  expect(auto_supersede.supersession).not.toBeNull();
  const { memories } = (await account.rest("GET", "/agent/memories")).body;
  const current = memories.map(({ decision }: { decision: string }) => decision);
  expect(current).toEqual([content, "Eve lives in Rome", "The user's name is Bob"]);
});

test("D23 same attribute: of writes at the same moment each sees those before it", async () => {
  const account = await spec.service.createAccount();
  const cities = ["Athens", "Berlin", "Cairo", "Dublin", "Essen", "Florence"];
  const facts = cities.map((city) => [`The user lives in ${city}`, `The user works at ${city} AG`]);
  for (const content of facts.flat()) {
    const [opening = ""] = / (?:lives|works)/.exec(content) ?? [];
    spec.script.classifications.set(content, ({ candidates }) => {
      const index = candidates.findIndex(({ decision }) => decision.includes(opening));
      return { supersededIndex: index < 0 ? null : index };
    });
  }
  // In both orders, so that writes could wait for each other.
  await Promise.all(facts.map((both, i) => writeAll(account, i % 2 ? both : both.toReversed())));
  const { memories } = (await account.rest("GET", "/agent/memories")).body;
  expect(memories).toHaveLength(2);
  for (const { id } of memories) {
    expect((await timeline(account, id)).chain_length).toBe(cities.length);
  }
});

test("D20, D25: a write is stored while the classifier keeps one of the same attribute waiting, and one is current", async () => {
  const account = await spec.service.createAccount();
  await remember(account, "The user lives in Rome");
  const [slow, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  spec.script.classifications.set("The user lives in Oslo", async () => {
    asked.resolve();
    await slow.promise;
    return { supersededIndex: 0 };
  });
  const first = writeFact(account, "The user lives in Oslo");
  await asked.promise;
  for (const city of ["Kyiv", "Bonn"]) {
    classifies(`The user lives in ${city}`);
    await writeFact(account, `The user lives in ${city}`);
  }
  slow.resolve();
  expect((await first).auto_supersede.skipped_reason).toBeNull();
  const { memories } = (await account.rest("GET", "/agent/memories")).body;
  expect(pluck("decision", memories)).toEqual(["The user lives in Oslo"]);
});

test("D23 repeats: of the same words at the same moment one is current", async () => {
  const account = await spec.service.createAccount();
  const content = unique("Milk");
  await Promise.all(Array.from({ length: 6 }, () => writeFact(account, content)));
  const { body } = await account.rest("GET", "/agent/memories");
  expect(body.count).toBe(1);
  expect((await timeline(account, body.memories[0].id)).chain_length).toBe(6);
});

test("D23: of two names that users gave none is taken for the user", async () => {
  const account = await spec.service.createAccount();
  await writeAll(account, ["The user's name is Bob", "Bob lives in Rome"]);
  await writeAll(account, ["The user's name is Eve"]);
  const content = "The user lives in Oslo";
  const shown = classifies(content, { supersededIndex: null });
  await writeFact(account, content);
  expect(shown.flat()).not.toContain("The user lives in Rome");
});

test("D23b identity: what is about another thing is not shown and does not end, each by itself", async () => {
  const account = await spec.service.createAccount();
  const of = (country: string) => `The head of government of ${country} is Jo`;
  const older = ["Kenya", "Peru", "Chad"].map((country) => `${of(country)} Low`);
  const ids = [];
  for (const content of older) ids.push(await remember(account, content));
  const content = `${of("Kenya")} High`;
  const shown = classifies(content, { supersededIndex: [0, 1, 2] });
  const { auto_supersede } = await writeFact(account, content);
  expect(shown).toEqual([[content, older[0]]]);
  expect(auto_supersede).toMatchObject({ candidates_examined: 3, skipped_reason: null });
  expect(await Promise.all(ids.map((id) => isSuperseded(account, id)))).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([["Does the user live in Oslo?"], ["The user wants to move to Oslo"]])(
  "D23b no statement: no classifier is asked what ends by: %s",
  async (content) => {
    const account = await spec.service.createAccount();
    const id = await remember(account, "The user lives in Rome");
    const shown = classifies(content);
    expect((await writeFact(account, content)).auto_supersede).toMatchObject({
      ran: true,
      skipped_reason: "not_superseding",
      candidates_examined: 1,
    });
    expect(shown).toEqual([]);
    expect(await isSuperseded(account, id)).toBe(false);
  },
);

test.each([
  ["The badge printer is on floor 2", "The badge printer is on floor 5", true],
  ["Head of sales: Mia Lund", "Head of sales: Omar Reyes", true],
  ["The plumber comes at 9:00", "The plumber also comes at 15:00", false],
])("D23b one attribute: %s / %s: the later is its value: %s", async (older, content, ends) => {
  const account = await spec.service.createAccount();
  const id = await remember(account, older);
  await writeFact(account, content);
  expect(await isSuperseded(account, id)).toBe(ends);
});

test("D23 bar of the model: as similar as the embedding model's bar, or more", async () => {
  const account = await spec.service.createAccount();
  const bar = candidateBar(spec.script.models.embedder.space);
  const [above, below] = [bar + 0.001, bar - 0.001];
  const near = fact("A crate of pencils", above, Math.sqrt(1 - above ** 2));
  const far = fact("A crate of nails", below, Math.sqrt(1 - below ** 2));
  await remember(account, near);
  await remember(account, far);
  const content = fact("Fresh");
  const shown = classifies(content, { supersededIndex: null });
  await writeFact(account, content);
  expect(shown).toEqual([[content, near]]);
});

test("D23 side by side: facts that share no candidate are classified at once", async () => {
  const account = await spec.service.createAccount();
  const [berlin, tea] = [fact("Lives in Berlin", 1, 0), fact("Drinks tea", -1, 0)];
  const [rome, coffee] = [fact("Lives in Rome", 1, 0), fact("Drinks coffee", -1, 0)];
  const older = [await remember(account, berlin), await remember(account, tea)];
  const bothAsked = Promise.withResolvers<void>();
  let asked = 0;
  for (const content of [rome, coffee]) {
    spec.script.classifications.set(content, async () => {
      asked++;
      if (asked === 2) bothAsked.resolve();
      // One after the other, the first would wait for ever.
      await bothAsked.promise;
      return { supersededIndex: 0 };
    });
  }
  await writeAll(account, [rome, coffee]);
  for (const id of older) expect(await isSuperseded(account, id)).toBe(true);
});

test("D23 side by side: facts that share a candidate one after the other", async () => {
  const account = await spec.service.createAccount();
  const berlin = await remember(account, fact("Lives in Berlin"));
  const [rome, oslo] = [fact("Lives in Rome"), fact("Lives in Oslo")];
  const shown: string[][] = [];
  for (const content of [rome, oslo]) {
    spec.script.classifications.set(content, async ({ candidates }) => {
      shown.push(candidates.map(({ decision }) => decision));
      await setImmediate();
      return { supersededIndex: 0 };
    });
  }
  const { memory_ids } = await writeAll(account, [rome, oslo]);
  // The second fact sees what the first one left: not Berlin, which it ended.
  expect(shown.map((decisions) => decisions.length)).toEqual([1, 1]);
  expect(shown[1]).toEqual([rome]);
  const { timeline: versions } = await timeline(account, berlin);
  expect(pluck("id", versions)).toEqual([berlin, ...memory_ids]);
});

test("D23: a backdated fact ends nothing newer", async () => {
  const account = await spec.service.createAccount();
  const older = fact("Older");
  await remember(account, fact("Newer"), { valid_from: "2024-03-01T00:00:00.000001Z" });
  const olderId = await remember(account, older, { valid_from: "2024-03-01T00:00:00Z" });
  const content = fact("Backdated");
  const shown = classifies(content);
  await writeFact(account, content, { valid_from: "2024-03-01T00:00:00Z" });
  expect(shown).toEqual([[content, older]]);
  expect(await isSuperseded(account, olderId)).toBe(true);
});

test("D20, D23: of two facts at once that would end the same memory one does", async () => {
  for (let round = 0; round < 2; round++) {
    const account = await spec.service.createAccount();
    const oldFact = fact("Old");
    const old = await remember(account, oldFact);
    const bothClassified = barrier(2);
    const writes = [fact("One"), fact("Other")].map((content) => {
      spec.script.classifications.set(content, async ({ candidates }) => {
        await bothClassified();
        return { supersededIndex: candidates.findIndex((each) => each.decision === oldFact) };
      });
      return writeFact(account, content);
    });
    const outcomes = pluck("auto_supersede", await Promise.all(writes));
    const reasons = pluck("skipped_reason", outcomes as Record<string, unknown>[]);
    expect(reasons.filter((reason) => reason === null)).toHaveLength(1);
    expect((await timeline(account, old)).chain_length).toBe(2);
    expect((await audit(account, old)).history).toHaveLength(2);
  }
});

/** Resolves for all once so many have called. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === count) resolve();
    return promise;
  };
}
