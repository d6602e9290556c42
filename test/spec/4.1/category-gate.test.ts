/** What is never sent to a classifier (D24), and what the local one does (D26). */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { remember, unique, write } from "../calls.ts";
import { useSpec } from "../spec.ts";
import { scriptedFacts, writeFact } from "./scripted-facts.ts";

const spec = useSpec();

const { fact, classifies } = scriptedFacts(spec);
describe("the category gate (D24)", () => {
  /** Whether a fact with this text and topic, or such a candidate, gets to the classifier. */
  async function reaches(account: TestAccount, text: string, topic: string) {
    const excluded = fact(text);
    await remember(account, excluded, { topic });
    const neutral = fact("Neutral");
    const shown = classifies(neutral, { supersededIndex: null });
    await writeFact(account, neutral);
    const ofCategory = fact(text);
    shown.push(...classifies(ofCategory, { supersededIndex: null }));
    const shownToo = classifies(ofCategory, { supersededIndex: null });
    const { auto_supersede } = await writeFact(account, ofCategory, { topic });
    return {
      asCandidate: shown.flat().includes(excluded),
      asFact: shownToo.length > 0,
      skippedReason: auto_supersede.skipped_reason,
    };
  }
  const KEPT_AWAY = { asCandidate: false, asFact: false, skippedReason: "excluded_category" };

  test.each([
    ["D24: by topic", "Ada likes green", "health_medical"],
    [
      "D24, 2.6 excluded_categories: by word, health_medical",
      "Ada is allergic to peanuts",
      "General",
    ],
    ["D24 languages: German", "Adas Scheidung läuft noch", "Allgemein"],
    ["D24 languages: Japanese", "エイダは昨日退院した", "一般"],
  ])("%s: sent to no classifier, as fact or as candidate", async (_, text, topic) => {
    expect(await reaches(await spec.service.createAccount(), text, topic)).toEqual(KEPT_AWAY);
  });

  test.each([["D24: a figure of speech", "The budget has a healthy margin", "Finance"]])(
    "%s does",
    async (_, text, topic) => {
      expect(await reaches(await spec.service.createAccount(), text, topic)).toMatchObject({
        asCandidate: true,
        asFact: true,
        skippedReason: "not_superseding",
      });
    },
  );

  test("4.6 request excluded_categories, D24: an empty list lets everything pass", async () => {
    const account = await spec.service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { excluded_categories: [] } });
    expect(await reaches(account, "Ada is allergic to peanuts", "health_medical")).toMatchObject({
      asCandidate: true,
      asFact: true,
    });
  });

  test("4.6 request excluded_categories, D24: another name matches the topic, and replaces the list", async () => {
    const account = await spec.service.createAccount();
    await account.rest("PATCH", "/agent/settings", {
      body: { excluded_categories: ["Secret plans"] },
    });
    expect(await reaches(account, "Ada likes green", "secret_plans")).toEqual(KEPT_AWAY);
    expect(await reaches(account, "Ada is allergic to nuts", "health_medical")).toMatchObject({
      asFact: true,
    });
  });
});

test("D24 extracted category: keeps the fact away, and the memory once it is stored", async () => {
  const account = await spec.service.createAccount();
  await account.rest("PATCH", "/agent/settings", {
    body: { excluded_categories: ["Secret plans"] },
  });
  const opening = unique("A conversation");
  const decision = fact("Ada meets Bob at noon");
  spec.script.extractions.set(opening, () => [{ decision, category: "secret_plans" }]);
  const shown = classifies(decision);
  const stated = await write(account, {
    messages: [{ role: "user", content: opening }],
    auto_supersede: true,
  });
  expect(stated.body.auto_supersede).toMatchObject([{ skipped_reason: "excluded_category" }]);
  const next = fact("Ada meets Bob at one");
  shown.push(...classifies(next));
  const { auto_supersede } = await writeFact(account, next);
  expect(auto_supersede.skipped_reason).toBe("no_candidates");
  expect(shown).toEqual([]);
});

describe("the local classifier", () => {
  test("D26, 1.4: a fresh machine replaces an outdated fact by itself", async () => {
    const account = await spec.service.createAccount();
    const old = await remember(account, "Ada lives in Rome");
    const { memory_id, auto_supersede } = await writeFact(account, "Ada lives in Paris");
    expect(auto_supersede).toMatchObject({
      ran: true,
      skipped_reason: null,
      supersession: { memory_id: old, superseded_by: memory_id, applied: true },
    });
    const unrelated = await writeFact(account, `The code word is ${randomUUID()}`);
    expect(unrelated.auto_supersede.supersession).toBeNull();
  });
});
