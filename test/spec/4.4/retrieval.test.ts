/** Which memories a query retrieves. */
import { expect, test } from "vitest";
import { MINUTE } from "../../../src/domain/instant.ts";
import { DEFAULT_QUERY_LIMIT, MAX_QUERY_LIMIT } from "../../../src/domain/limits.ts";
import {
  ask,
  idsOf,
  iso,
  pluck,
  remember,
  rememberMany,
  supersede,
  unique,
  write,
} from "../calls.ts";
import { vector } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";

const NOTHING_FOUND = "No memories found for this company yet.";

const spec = useSpec();

test("8 limit query limit, 4.4 request limit, 4.4 rule 1: the top `limit` by similarity, 10 by default", async () => {
  const account = await spec.service.createAccount();
  const question = unique("Which?");
  const opening = unique("Many");
  const facts = Array.from({ length: 12 }, (_, i) => unique(`Fact ${i}`));
  spec.script.vectors.set(question, () => vector(1));
  facts.forEach((fact, i) => {
    const cosine = 1 - i / 20;
    spec.script.vectors.set(fact, () => vector(cosine, Math.sqrt(1 - cosine * cosine)));
  });
  const shuffled = [...facts].reverse();
  spec.script.extractions.set(opening, () => shuffled.map((decision) => ({ decision })));
  await write(account, { messages: [{ role: "user", content: opening }] });

  const top = async (limit?: number) =>
    pluck("decision", (await ask(account, question, { limit })).memories);
  expect(DEFAULT_QUERY_LIMIT).toBe(10);
  expect(await top()).toEqual(facts.slice(0, 10));
  expect(await top(1)).toEqual(facts.slice(0, 1));
  expect(await top(11)).toEqual(facts.slice(0, 11));
  expect(await top(MAX_QUERY_LIMIT)).toEqual(facts);
});

test("4.4 rule 2: only current memories are retrieved", async () => {
  const account = await spec.service.createAccount();
  const [replaced = "", ended = "", current = ""] = await rememberMany(account, 3);
  await remember(account, "Fact number 9", {
    valid_from: "2020-01-01T00:00:00Z",
    valid_to: "2020-01-02T00:00:00Z",
  });
  const withEnd = await remember(account, "Fact number 8", {
    valid_to: iso(spec.service.clock.now() + MINUTE),
  });
  await supersede(account, replaced, { superseded_by: current });
  await supersede(account, ended, { valid_to: iso(spec.service.clock.now() + MINUTE) });
  const { memories } = await ask(account, "Which fact?");
  expect(idsOf(memories).toSorted()).toEqual([current, withEnd].toSorted());
});

test("4.4 request tenant_id, 1.5: one tenant only, and never another account", async () => {
  const [account, other] = [await spec.service.createAccount(), await spec.service.createAccount()];
  const ofNone = await remember(account);
  const ofAcme = await remember(account, "Ada lives in Paris", { tenant_id: "acme" });
  await remember(other);
  await remember(other, "Ada lives in Paris", { tenant_id: "acme" });
  const found = async (more: object) => idsOf((await ask(account, "Where?", { ...more })).memories);
  expect(await found({})).toEqual([ofNone]);
  expect(await found({ tenant_id: null })).toEqual([ofNone]);
  expect(await found({ tenant_id: "acme" })).toEqual([ofAcme]);
  expect(await found({ tenant_id: "Acme" })).toEqual([]);
});

test("4.4 rule 3, 4.4 request sources: applied before the search, whatever is more similar", async () => {
  const account = await spec.service.createAccount();
  const question = unique("What?");
  spec.script.vectors.set(question, () => vector(1));
  const far = unique("Far");
  spec.script.vectors.set(far, () => vector(0, 1));
  for (let i = 0; i < 12; i++) {
    const near = unique("Near");
    spec.script.vectors.set(near, () => vector(1));
    await remember(account, near, { source: "crm" });
  }
  const ofAgent = await remember(account, far);
  const ofEmail = await remember(account, far, { source: "email" });
  const found = async (sources: unknown) =>
    idsOf((await ask(account, question, { sources })).memories);
  expect(await found(["agent"])).toEqual([ofAgent]);
  expect((await found(["agent", "email"])).toSorted()).toEqual([ofAgent, ofEmail].toSorted());
  expect(await found(["agent", "agent", "nobody"])).toEqual([ofAgent]);
  expect(await found(["nobody"])).toEqual([]);
  expect(await found(["AGENT"])).toEqual([]);
  expect(await found(["crm"])).toHaveLength(10);
  expect(await found(null)).toHaveLength(10);
});

test.each([
  ["4.4 rule 4: no memories at all", {}],
  ["4.4 rule 4: a filter that excludes everything", { sources: ["nobody"] }],
])("%s", async (name, more) => {
  const account = await spec.service.createAccount();
  if (!name.endsWith("at all")) await remember(account);
  const question = unique("Is anything there?");
  spec.script.answers.set(question, () => "An invented answer");
  const answer = await ask(account, question, more);
  expect(answer).toEqual({
    question,
    answer: NOTHING_FOUND,
    answer_with_citations: NOTHING_FOUND,
    citations: [],
    memories: [],
    memories_searched: 0,
    approximate: false,
    company_id: account.companyId,
    grounded: true,
    answer_kind: "none",
    usage: null,
  });
  expect(spec.script.shown.filter((text) => text === question)).toHaveLength(1);
});
