/** What turns automatic supersession on, and what comes of it (D23, D25). */
import { describe, expect, test } from "vitest";
import { listIds, memoryOf, remember, write } from "../calls.ts";
import { unavailable } from "../scripted-models.ts";
import { useSpec } from "../spec.ts";
import { isSuperseded, scriptedFacts, writeFact } from "./scripted-facts.ts";

const spec = useSpec();

const { fact, classifies } = scriptedFacts(spec);
describe("what turns it on (D23)", () => {
  test.each([
    ["D23: neither the setting nor the request", false, undefined, "disabled"],
    ["D23, 2.6 auto_supersede_default: the setting", true, undefined, null],
    ["D23: the request against the setting", false, true, null],
    ["D23: the request against the setting, the other way", true, false, "disabled"],
    ["D23, D7a: null in the request is the setting", true, null, null],
  ])("%s", async (_, auto_supersede_default, auto_supersede, skipped_reason) => {
    const account = await spec.service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { auto_supersede_default } });
    const old = await remember(account, fact("Old"), { auto_supersede: false });
    const content = fact("Fresh");
    const shown = classifies(content);
    const { body } = await write(account, { content, auto_supersede });
    expect(body.auto_supersede).toMatchObject({ ran: skipped_reason === null, skipped_reason });
    expect(shown).toHaveLength(skipped_reason === null ? 1 : 0);
    expect(await isSuperseded(account, old)).toBe(skipped_reason === null);
  });
});

describe("what comes of it (D23)", () => {
  test("D23, 3.1 current -> superseded by classifier: a supersession: exactly these fields, no reason to skip", async () => {
    const account = await spec.service.createAccount();
    const old = await remember(account, fact("Old"), { valid_from: "2024-01-01T00:00:00Z" });
    const content = fact("Fresh");
    classifies(content, { supersededIndex: 0, confidence: 0.9, reason: "Moved", model: "m-1" });
    const { memory_id, auto_supersede } = await writeFact(account, content, {
      valid_from: "2024-02-01T00:00:00Z",
    });
    const supersession = {
      memory_id: old,
      superseded_by: memory_id,
      valid_to: "2024-02-01T00:00:00.000000Z",
      confidence: 0.9,
      reason: "Moved",
      model: "m-1",
      applied: true,
    };
    expect(auto_supersede).toEqual({
      ran: true,
      skipped_reason: null,
      category: null,
      candidates_examined: 1,
      supersession,
      supersessions: [supersession],
    });
    expect(await memoryOf(account, old)).toMatchObject({
      valid_to: "2024-02-01T00:00:00.000000Z",
      superseded_by: memory_id,
    });
    expect(await listIds(account)).toEqual([memory_id]);
  });

  const NOTHING = { category: null, supersession: null, supersessions: [] };
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
      "D23, D24 named: an excluded category",
      {
        ran: false,
        skipped_reason: "excluded_category",
        candidates_examined: 0,
        ...NOTHING,
        category: "health_medical",
      },
    ],
  ])("%s", async (name, outcome) => {
    const account = await spec.service.createAccount();
    const old = name.endsWith("no candidates") ? null : await remember(account, fact("Old"));
    const content = fact("Fresh");
    const more = name.endsWith("category") ? { topic: "health_medical" } : {};
    classifies(content, { supersededIndex: null });
    if (name.endsWith("bar")) classifies(content, { supersededIndex: 0, confidence: 0.8499 });
    if (name.endsWith("classifier")) spec.script.classifications.set(content, unavailable);
    const { memory_id, auto_supersede } = await writeFact(account, content, more);
    expect(auto_supersede).toEqual(outcome);
    expect(await listIds(account)).toContain(memory_id);
    if (old !== null) expect(await isSuperseded(account, old)).toBe(false);
  });

  test.each([
    ["2.6 min_confidence, D23: as good as the bar is good enough", 0.85, 0.85, true],
    ["4.6 request min_confidence: a lower bar yields more", 0.2, 0.2, true],
  ])("%s", async (_, min_confidence, confidence, happens) => {
    const account = await spec.service.createAccount();
    await account.rest("PATCH", "/agent/settings", { body: { min_confidence } });
    const old = await remember(account, fact("Old"));
    const content = fact("Fresh");
    classifies(content, { supersededIndex: 0, confidence });
    const { auto_supersede } = await writeFact(account, content);
    expect(auto_supersede.skipped_reason).toBe(happens ? null : "below_min_confidence");
    expect(await isSuperseded(account, old)).toBe(happens);
  });
});
