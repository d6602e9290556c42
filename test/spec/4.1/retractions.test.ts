/** What users take back in a conversation (D25a, D32). */
import { describe, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import {
  audit,
  expectFailure,
  expectOk,
  iso,
  listIds,
  memoryOf,
  pluck,
  remember,
  restore,
  says,
  supersede,
  unique,
  write,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { isSuperseded, scriptedFacts } from "./scripted-facts.ts";

const spec = useSpec();
const { fact, classifies } = scriptedFacts(spec);

const LONG_AGO = "2024-01-01T00:00:00.000000Z";
const TAKEN_BACK = "2024-03-05T12:00:00.000000Z";

/** A conversation that takes this back, and states these facts. */
function conversation(taken: string, facts: readonly string[] = []) {
  const opening = unique("Forget that");
  spec.script.extractions.set(opening, () => facts.map((decision) => ({ decision })));
  spec.script.retractions.set(opening, [{ text: taken, messageIndex: 0 }]);
  return { messages: [says(opening)], auto_supersede: true, valid_from: TAKEN_BACK };
}

/** A memory that a user took back, and the response that says so. */
async function retracted(account: TestAccount, more: object = {}) {
  const id = await remember(account, fact("Lives in Lisbon"), { valid_from: LONG_AGO, ...more });
  const taken = fact("The user lives in Lisbon");
  classifies(taken, { supersededIndex: 0, confidence: 0.9, reason: "They said so.", model: "m-1" });
  const answer = await write(account, conversation(taken));
  expectOk(answer);
  return { id, taken, response: answer.body };
}

describe("what is taken back (D25a)", () => {
  test("D25a: ends when it was taken back, without a replacement, and the response lists it", async () => {
    const account = await spec.service.createAccount();
    const { id, taken, response } = await retracted(account);
    expect(response).toMatchObject({ status: "extracted", extracted_count: 0, saved_count: 0 });
    expect(response.retractions).toEqual([
      {
        memory_id: id,
        text: taken,
        message_index: 0,
        valid_to: TAKEN_BACK,
        confidence: 0.9,
        reason: "They said so.",
        model: "m-1",
        applied: true,
      },
    ]);
    expect(await memoryOf(account, id)).toMatchObject({
      valid_to: TAKEN_BACK,
      superseded_by: null,
      temporal: { is_current: false, is_superseded: true, is_expired: true },
    });
  });

  test("D25a: is no write, and a fact of the same message holds beside it", async () => {
    const account = await spec.service.createAccount();
    const old = await remember(account, fact("Lives in Lisbon"));
    const [taken, stated] = [fact("Lived in Lisbon"), fact("No longer lives in Lisbon")];
    classifies(taken);
    const shown = classifies(stated, { supersededIndex: null });
    const { body } = await write(account, {
      ...conversation(taken, [stated]),
      valid_from: undefined,
    });
    expect(body).toMatchObject({ saved_count: 1, retractions: [{ memory_id: old }] });
    // What was taken back before is no candidate any more.
    expect(shown).toEqual([]);
    expect(await listIds(account)).toEqual(body.memory_ids);
    const { body: status } = await account.rest("GET", "/plan/status");
    expect(status.writes_used).toBe(2);
  });

  test("D25a: a fact of an earlier message of the same conversation ends, too", async () => {
    const account = await spec.service.createAccount();
    const [stated, taken] = [fact("Lives in Porto"), fact("The user lives in Porto")];
    const opening = unique("I live in Porto");
    spec.script.extractions.set(opening, () => [{ decision: stated }]);
    spec.script.retractions.set(opening, [{ text: taken, messageIndex: 1 }]);
    classifies(taken);
    const messages = [says(opening), says("That was wrong.")];
    const { body } = await write(account, { messages, auto_supersede: true });
    const [id] = body.memory_ids;
    expect(body.retractions).toMatchObject([{ memory_id: id, message_index: 1 }]);
    expect(await isSuperseded(account, id)).toBe(true);
    expect(pluck("event", (await audit(account, id)).history)).toEqual(["created", "retracted"]);
  });

  test.each([
    ["D25a: not where automatic supersession is off", { auto_supersede: false }, {}, "disabled"],
    [
      "D25a, D23: not what was stated later",
      { valid_from: "2023-12-31T00:00:00Z" },
      {},
      "no_candidates",
    ],
    ["D25a, D22: not what is of another tenant", { tenant_id: "acme" }, {}, "no_candidates"],
    [
      "D25a, D24: not what is of an excluded category",
      {},
      { topic: "health_medical" },
      "no_candidates",
    ],
  ])("%s; no classifier is asked, and it is told (D27a)", async (_, change, more, reason) => {
    const account = await spec.service.createAccount();
    const id = await remember(account, fact("Held"), { valid_from: LONG_AGO, ...more });
    const taken = fact("Held no more");
    const shown = classifies(taken);
    const { body } = await write(account, { ...conversation(taken), ...change });
    expect(body.retractions).toEqual([]);
    expect(body.rejected).toEqual([{ fact: taken, message_index: 0, reason }]);
    expect(shown).toEqual([]);
    expect(await isSuperseded(account, id)).toBe(false);
  });

  test("D25a, D27a: not below the bar of confidence, nor where no classifier answers, and it is told", async () => {
    const account = await spec.service.createAccount();
    const id = await remember(account, fact("Held"), { valid_from: LONG_AGO });
    const [doubtful, unanswered] = [fact("Doubtful"), fact("Unanswered")];
    classifies(doubtful, { supersededIndex: 0, confidence: 0.8499 });
    spec.script.classifications.set(unanswered, () => {
      throw new Error("the classifier broke");
    });
    const other = fact("Something else");
    classifies(other, { supersededIndex: null });
    for (const [taken, reason] of [
      [doubtful, "below_min_confidence"],
      [unanswered, "classifier_unavailable"],
      [other, "not_superseding"],
    ] as const) {
      const { status, body } = await write(account, conversation(taken));
      expect({ status, retractions: body.retractions }).toEqual({ status: 200, retractions: [] });
      expect(body.rejected).toEqual([{ fact: taken, message_index: 0, reason }]);
    }
    expect(await isSuperseded(account, id)).toBe(false);
  });

  test("D25a: in shadow mode it is told and stays", async () => {
    const account = await spec.service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { auto_supersede_mode: "shadow" } });
    const { id, response } = await retracted(account);
    expect(response.retractions).toMatchObject([{ memory_id: id, applied: false }]);
    expect(await listIds(account)).toEqual([id]);
    expect(pluck("event", (await audit(account, id)).history)).toEqual(["created"]);
    expectFailure(await restore(account, id), 409, "not_restorable");
  });
});

describe("the history of what is taken back (D32)", () => {
  test("D32 retracted: with what was taken back, when it ends, who says so and how sure", async () => {
    const account = await spec.service.createAccount();
    const { id, taken } = await retracted(account);
    const { history } = await audit(account, id);
    expect(pluck("event", history)).toEqual(["created", "retracted"]);
    expect(history[1]).toMatchObject({ actor: "classifier" });
    expect(history[1].detail).toEqual({
      superseded_by: null,
      candidates: [id],
      valid_to: TAKEN_BACK,
      previous_valid_to: null,
      requested: { superseded_by: null, valid_to: TAKEN_BACK },
      confidence: 0.9,
      reason: "They said so.",
      model: "m-1",
      text: taken,
    });
  });

  test("D32 retracted: restore makes the memory hold again, and stands in the history", async () => {
    const account = await spec.service.createAccount();
    const validTo = iso(spec.service.clock.now() + 3_600_000_000n);
    const { id } = await retracted(account, { valid_to: validTo });
    expect(await restore(account, id)).toMatchObject({
      status: 200,
      body: { status: "restored", memory_id: id, replaced_by: null, valid_to: validTo },
    });
    expect(await listIds(account)).toEqual([id]);
    expect(await memoryOf(account, id)).toMatchObject({
      valid_to: validTo,
      superseded_by: null,
      temporal: { is_current: true, is_superseded: false },
    });
    const { history } = await audit(account, id);
    expect(pluck("event", history)).toEqual(["created", "retracted", "restored"]);
    expect(history[2]).toMatchObject({
      actor: account.apiKeyId,
      detail: { superseded_by: null, valid_to: validTo },
    });
    expectFailure(await restore(account, id), 409, "not_restorable");
  });

  test("D32 retracted, D18: the end that it has is the stored result of a supersession with it", async () => {
    const account = await spec.service.createAccount();
    const { id } = await retracted(account);
    const same = await supersede(account, id, { valid_to: TAKEN_BACK });
    expect(same).toMatchObject({
      status: 200,
      body: { superseded_by: null, valid_to: TAKEN_BACK },
    });
    const other = await supersede(account, id, { valid_to: LONG_AGO });
    expectFailure(other, 409, "already_superseded");
    expect(pluck("event", (await audit(account, id)).history)).toEqual(["created", "retracted"]);
  });
});
