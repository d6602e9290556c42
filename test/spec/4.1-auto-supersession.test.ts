import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
import { MAX_SUPERSESSION_CANDIDATES, MIN_CANDIDATE_SIMILARITY } from "../../src/domain/limits.ts";
import type { Classification } from "../../src/providers/supersession-classifier.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";
import {
  audit,
  expectOk,
  iso,
  listIds,
  memoryOf,
  pluck,
  remember,
  rememberMany,
  supersede,
  timeline,
  unique,
  write,
} from "./calls.ts";
import { scriptModels, unavailable, vector } from "./scripted-models.ts";

const script = scriptModels();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ models: script.models });
});
afterAll(() => service.close());

/** A text whose vector is this one, whatever it says. */
function fact(text: string, ...direction: number[]): string {
  const content = unique(text);
  script.vectors.set(content, () => vector(...(direction.length === 0 ? [1] : direction)));
  return content;
}

/** Has the classifier say this of a fact, and notes what it was shown. */
function classifies(content: string, said: Partial<Classification> = { supersededIndex: 0 }) {
  const shown: string[][] = [];
  script.classifications.set(content, ({ fact: { decision }, candidates }) => {
    shown.push([decision, ...candidates.map((each) => each.decision)]);
    return said;
  });
  return shown;
}

/** Writes a fact with automatic supersession on, and returns its outcome. */
async function writeFact(account: TestAccount, content: string, more: object = {}) {
  const answer = await write(account, { content, auto_supersede: true, ...more });
  expectOk(answer);
  return answer.body as { memory_id: string; auto_supersede: Record<string, unknown> };
}

async function isSuperseded(account: TestAccount, id: string): Promise<boolean> {
  return (await memoryOf(account, id)).temporal.is_superseded;
}

describe("what turns it on (D23)", () => {
  test.each([
    ["D23: neither the setting nor the request", false, undefined, "disabled"],
    ["D23, 2.6 auto_supersede_default: the setting", true, undefined, null],
    ["D23: the request against the setting", false, true, null],
    ["D23: the request against the setting, the other way", true, false, "disabled"],
    ["D23, D7a: null in the request is the setting", true, null, null],
  ])("%s", async (_, auto_supersede_default, auto_supersede, skipped_reason) => {
    const account = await service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { auto_supersede_default } });
    const old = await remember(account, fact("Old"), { auto_supersede: false });
    const content = fact("Fresh");
    const shown = classifies(content);
    const { body } = await write(account, { content, auto_supersede });
    expect(body.auto_supersede).toMatchObject({ ran: skipped_reason === null, skipped_reason });
    expect(shown).toHaveLength(skipped_reason === null ? 1 : 0);
    expect(await isSuperseded(account, old)).toBe(skipped_reason === null);
  });

  test("5.3, 2.6 per key: the setting of the key that writes", async () => {
    const one = await service.createAccount();
    const other = await service.createKey(one.companyId);
    await one.rest("PATCH", "/agent/settings", { body: { auto_supersede_default: true } });
    const outcomes = [];
    for (const caller of [one, other]) {
      const { body } = await write(caller, { content: unique("Ada") });
      outcomes.push(body.auto_supersede.skipped_reason);
    }
    expect(outcomes).toEqual(["no_candidates", "disabled"]);
  });
});

describe("what comes of it (D23)", () => {
  test("D23: a supersession: exactly these fields, no reason to skip", async () => {
    const account = await service.createAccount();
    const old = await remember(account, fact("Old"), { valid_from: "2024-01-01T00:00:00Z" });
    const content = fact("Fresh");
    classifies(content, { supersededIndex: 0, confidence: 0.9, reason: "Moved", model: "m-1" });
    const { memory_id, auto_supersede } = await writeFact(account, content, {
      valid_from: "2024-02-01T00:00:00Z",
    });
    expect(auto_supersede).toEqual({
      ran: true,
      skipped_reason: null,
      candidates_examined: 1,
      supersession: {
        memory_id: old,
        superseded_by: memory_id,
        valid_to: "2024-02-01T00:00:00.000000Z",
        confidence: 0.9,
        reason: "Moved",
        model: "m-1",
        applied: true,
      },
    });
    expect(await memoryOf(account, old)).toMatchObject({
      valid_to: "2024-02-01T00:00:00.000000Z",
      superseded_by: memory_id,
    });
    expect(await listIds(account)).toEqual([memory_id]);
  });

  const NOTHING = { supersession: null };
  test.each<[string, object]>([
    [
      "D23: no candidates",
      { ran: false, skipped_reason: "no_candidates", candidates_examined: 0, ...NOTHING },
    ],
    [
      "D23: not superseding",
      { ran: true, skipped_reason: "not_superseding", candidates_examined: 1, ...NOTHING },
    ],
    [
      "D23: below the bar",
      { ran: true, skipped_reason: "below_min_confidence", candidates_examined: 1, ...NOTHING },
    ],
    [
      "D23, D25: no classifier",
      { ran: true, skipped_reason: "classifier_unavailable", candidates_examined: 1, ...NOTHING },
    ],
    [
      "D23, D24: an excluded category",
      { ran: false, skipped_reason: "excluded_category", candidates_examined: 0, ...NOTHING },
    ],
  ])("%s", async (name, outcome) => {
    const account = await service.createAccount();
    const old = name.endsWith("no candidates") ? null : await remember(account, fact("Old"));
    const content = fact("Fresh");
    const more = name.endsWith("category") ? { topic: "health_medical" } : {};
    classifies(content, { supersededIndex: null });
    if (name.endsWith("bar")) classifies(content, { supersededIndex: 0, confidence: 0.8499 });
    if (name.endsWith("classifier")) script.classifications.set(content, unavailable);
    const { memory_id, auto_supersede } = await writeFact(account, content, more);
    expect(auto_supersede).toEqual(outcome);
    expect(await listIds(account)).toContain(memory_id);
    if (old !== null) expect(await isSuperseded(account, old)).toBe(false);
  });

  test.each([
    ["2.6 min_confidence, D23: as good as the bar is good enough", 0.85, 0.85, true],
    ["2.6 min_confidence, D23: below the bar", 0.85, 0.849999, false],
    ["4.6 request min_confidence: a lower bar yields more", 0.2, 0.2, true],
    ["4.6 request min_confidence: 0 lets everything pass", 0, 0, true],
    ["4.6 request min_confidence: 1 lets only certainty pass", 1, 0.999999, false],
    ["4.6 request min_confidence: 1 lets certainty pass", 1, 1, true],
    ["D23: a confidence out of range is none", 0.5, 7, false],
    ["D23: a confidence below 0 is none", 0.5, -1, false],
    ["D23: a confidence that is no number is none", 0.5, Number.NaN, false],
  ])("%s", async (_, min_confidence, confidence, happens) => {
    const account = await service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { min_confidence } });
    const old = await remember(account, fact("Old"));
    const content = fact("Fresh");
    classifies(content, { supersededIndex: 0, confidence });
    const { auto_supersede } = await writeFact(account, content);
    expect(auto_supersede.skipped_reason).toBe(happens ? null : "below_min_confidence");
    expect(await isSuperseded(account, old)).toBe(happens);
  });

  test.each([
    ["D23: a candidate that was not offered", 5],
    ["D23: a position below 0", -1],
    ["D23: a fraction of a position", 0.5],
  ])("%s supersedes nothing", async (_, supersededIndex) => {
    const account = await service.createAccount();
    const old = await remember(account, fact("Old"));
    const content = fact("Fresh");
    classifies(content, { supersededIndex });
    const { auto_supersede } = await writeFact(account, content);
    expect(auto_supersede.skipped_reason).toBe("not_superseding");
    expect(await isSuperseded(account, old)).toBe(false);
  });

  test("D25: a classifier that throws anything never fails the write", async () => {
    const account = await service.createAccount();
    await remember(account, fact("Old"));
    const content = fact("Fresh");
    script.classifications.set(content, () => {
      throw new TypeError("a defect");
    });
    const { auto_supersede } = await writeFact(account, content);
    expect(auto_supersede).toMatchObject({
      skipped_reason: "classifier_unavailable",
      supersession: null,
    });
  });

  test("D23, D32: in the history of both memories", async () => {
    const account = await service.createAccount();
    const old = await remember(account, fact("Old"));
    const content = fact("Fresh");
    classifies(content, { supersededIndex: 0, confidence: 0.9 });
    const { memory_id } = await writeFact(account, content);
    expect((await audit(account, memory_id)).history[1]).toMatchObject({
      event: "classified",
      actor: "classifier",
      detail: { superseded: old, skipped_reason: null, confidence: 0.9 },
    });
    expect((await audit(account, old)).history[1]).toMatchObject({
      event: "superseded",
      actor: "classifier",
      detail: { superseded_by: memory_id, confidence: 0.9 },
    });
  });

  test("D18: the same call by hand, after the classifier, answers the stored result", async () => {
    const account = await service.createAccount();
    const old = await remember(account, fact("Old"));
    const content = fact("Fresh");
    classifies(content);
    const { memory_id } = await writeFact(account, content);
    const answer = await supersede(account, old, { superseded_by: memory_id });
    expect(answer).toMatchObject({ status: 200, body: { superseded_by: memory_id } });
    const other = await remember(account);
    expect((await supersede(account, old, { superseded_by: other })).status).toBe(409);
  });

  test("D23: in shadow mode the decision is told and nothing is superseded", async () => {
    const account = await service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { auto_supersede_mode: "shadow" } });
    const old = await remember(account, fact("Old"));
    const content = fact("Fresh");
    classifies(content);
    const { memory_id, auto_supersede } = await writeFact(account, content);
    expect(auto_supersede).toMatchObject({
      ran: true,
      supersession: { memory_id: old, superseded_by: memory_id, applied: false },
    });
    expect(await isSuperseded(account, old)).toBe(false);
    expect(await listIds(account)).toEqual([memory_id, old]);
  });
});

describe("candidates (D23)", () => {
  test("D23: at most 10, the most similar ones first", async () => {
    const account = await service.createAccount();
    const opening = unique("Many");
    const facts = Array.from({ length: MAX_SUPERSESSION_CANDIDATES + 1 }, (_, i) => {
      const cosine = 1 - i / 100;
      return fact(`Old ${i}`, cosine, Math.sqrt(1 - cosine * cosine));
    });
    script.extractions.set(opening, () => facts.toReversed().map((decision) => ({ decision })));
    await write(account, { messages: [{ role: "user", content: opening }] });
    const content = fact("Fresh");
    const shown = classifies(content, { supersededIndex: null });
    const { auto_supersede } = await writeFact(account, content);
    expect(MAX_SUPERSESSION_CANDIDATES).toBe(10);
    expect(auto_supersede.candidates_examined).toBe(10);
    expect(shown).toEqual([[content, ...facts.slice(0, 10)]]);
  });

  test("D23: of a similarity of at least 0.5", async () => {
    expect(MIN_CANDIDATE_SIMILARITY).toBe(0.5);
    const account = await service.createAccount();
    // Both vectors are exact, in single precision too.
    const near = fact("As similar as need be", 0.5, 0.5, 0.5, 0.5);
    const far = fact("A little less", 0.499, Math.sqrt(1 - 0.499 ** 2));
    await remember(account, near);
    await remember(account, far);
    const content = fact("Fresh");
    const shown = classifies(content, { supersededIndex: null });
    await writeFact(account, content);
    expect(shown).toEqual([[content, near]]);
  });

  test("D23: current ones, of the same tenant and account", async () => {
    const [account, stranger] = [await service.createAccount(), await service.createAccount()];
    const candidate = fact("Candidate");
    const tenant = { tenant_id: "acme" };
    await remember(account, candidate, tenant);
    await remember(account, fact("Of the default tenant"));
    await remember(stranger, fact("Of a stranger"), tenant);
    await remember(account, fact("Expired"), {
      ...tenant,
      valid_from: "2020-01-01T00:00:00Z",
      valid_to: "2020-02-01T00:00:00Z",
    });
    const ended = await remember(account, fact("Ended"), tenant);
    await supersede(account, ended, { valid_to: iso(service.clock.now() + MINUTE) });
    const content = fact("Fresh");
    const shown = classifies(content, { supersededIndex: null });
    await writeFact(account, content, tenant);
    expect(shown).toEqual([[content, candidate]]);
  });

  test("D23: a backdated fact ends nothing newer", async () => {
    const account = await service.createAccount();
    const older = fact("Older");
    await remember(account, fact("Newer"), { valid_from: "2024-03-01T00:00:00.000001Z" });
    const olderId = await remember(account, older, { valid_from: "2024-03-01T00:00:00Z" });
    const content = fact("Backdated");
    const shown = classifies(content);
    await writeFact(account, content, { valid_from: "2024-03-01T00:00:00Z" });
    expect(shown).toEqual([[content, older]]);
    expect(await isSuperseded(account, olderId)).toBe(true);
  });

  test("D23: a fact that holds no longer ends nothing", async () => {
    const account = await service.createAccount();
    const old = await remember(account, fact("Old"), { valid_from: "2020-01-01T00:00:00Z" });
    const content = fact("Of the past");
    const shown = classifies(content);
    const { auto_supersede } = await writeFact(account, content, {
      valid_from: "2021-01-01T00:00:00Z",
      valid_to: "2022-01-01T00:00:00Z",
    });
    expect(auto_supersede).toMatchObject({ ran: false, skipped_reason: "no_candidates" });
    expect(shown).toEqual([]);
    expect(await isSuperseded(account, old)).toBe(false);
  });

  test("D23: of one conversation, later facts may end earlier ones; each memory is ended once", async () => {
    const account = await service.createAccount();
    const old = await remember(account, fact("Old"));
    const [first, second] = [fact("First"), fact("Second")];
    classifies(first, { supersededIndex: 0 });
    classifies(second, { supersededIndex: 0 });
    const opening = unique("Two in a row");
    script.extractions.set(opening, () => [{ decision: first }, { decision: second }]);
    const { body } = await write(account, {
      messages: [{ role: "user", content: opening }],
      auto_supersede: true,
    });
    const [firstId, secondId] = body.memory_ids;
    expect(body.auto_supersede).toMatchObject([
      { memory_id: firstId, supersession: { memory_id: old, superseded_by: firstId } },
      { memory_id: secondId, supersession: { memory_id: firstId, superseded_by: secondId } },
    ]);
    expect((await timeline(account, old)).chain_length).toBe(3);
    expect(await listIds(account)).toEqual([secondId]);
  });

  test("D20, D23: of two facts at once that would end the same memory one does", async () => {
    for (let round = 0; round < 5; round++) {
      const account = await service.createAccount();
      const oldFact = fact("Old");
      const old = await remember(account, oldFact);
      const bothClassified = barrier(2);
      const writes = [fact("One"), fact("Other")].map((content) => {
        script.classifications.set(content, async ({ candidates }) => {
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

  test("D20, D23: a candidate that a call ends while the classifier runs stays as the call left it", async () => {
    const account = await service.createAccount();
    const old = await remember(account, fact("Old"));
    const byHand = await remember(account, fact("By hand", 0, 1));
    const content = fact("Fresh");
    script.classifications.set(content, async () => {
      expectOk(await supersede(account, old, { superseded_by: byHand }));
      return { supersededIndex: 0 };
    });
    const { auto_supersede } = await writeFact(account, content);
    expect(auto_supersede.supersession).toBeNull();
    expect(auto_supersede.skipped_reason).not.toBeNull();
    expect((await memoryOf(account, old)).superseded_by).toBe(byHand);
  });
});

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
    ["D24: by topic, legal_status", "Ada likes green", "legal_status"],
    ["D24: by topic in another spelling", "Ada likes green", "Health-Medical"],
    [
      "D24, 2.6 excluded_categories: by word, health_medical",
      "Ada is allergic to peanuts",
      "General",
    ],
    ["D24: by word in capitals", "ADA TAKES INSULIN", "General"],
    ["D24: by word, a diagnosis", "Ada was diagnosed with asthma", "General"],
    [
      "D24, 2.6 excluded_categories: by word, legal_status",
      "Ada applied for a work visa",
      "General",
    ],
    ["D24: by word, a divorce", "Ada and Bob got divorced", "Family"],
  ])("%s: sent to no classifier, as fact or as candidate", async (_, text, topic) => {
    expect(await reaches(await service.createAccount(), text, topic)).toEqual(KEPT_AWAY);
  });

  test.each([
    ["D24: an ordinary fact", "Ada lives in Paris", "Home"],
    ["D24: a figure of speech", "The budget has a healthy margin", "Finance"],
    ["D24: a custom category's name in the text", "Ada talks about finance", "General"],
  ])("%s does", async (_, text, topic) => {
    expect(await reaches(await service.createAccount(), text, topic)).toMatchObject({
      asCandidate: true,
      asFact: true,
      skippedReason: "not_superseding",
    });
  });

  test("4.6 request excluded_categories, D24: an empty list lets everything pass", async () => {
    const account = await service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { excluded_categories: [] } });
    expect(await reaches(account, "Ada is allergic to peanuts", "health_medical")).toMatchObject({
      asCandidate: true,
      asFact: true,
    });
  });

  test("4.6 request excluded_categories, D24: another name matches the topic, and replaces the list", async () => {
    const account = await service.createAccount();
    await account.rest("PATCH", "/agent/settings", {
      body: { excluded_categories: ["Secret plans"] },
    });
    expect(await reaches(account, "Ada likes green", "secret_plans")).toEqual(KEPT_AWAY);
    expect(await reaches(account, "Ada is allergic to nuts", "health_medical")).toMatchObject({
      asFact: true,
    });
  });

  test("D24: facts of conversations are gated too", async () => {
    const account = await service.createAccount();
    await rememberMany(account, 1);
    const opening = unique("A conversation");
    const decision = fact("Ada takes insulin");
    script.extractions.set(opening, () => [{ decision, topic: "Facts" }]);
    const shown = classifies(decision);
    const { body } = await write(account, {
      messages: [{ role: "user", content: opening }],
      auto_supersede: true,
    });
    expect(body.auto_supersede).toMatchObject([{ skipped_reason: "excluded_category" }]);
    expect(shown).toEqual([]);
  });
});

describe("the local classifier", () => {
  test("D26, 1.4: a fresh machine replaces an outdated fact by itself", async () => {
    const account = await service.createAccount();
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
