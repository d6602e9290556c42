import { describe, expect, test } from "vitest";
import { CLASSIFIER_ACTOR } from "../../../src/domain/audit-event.ts";
import {
  findMemories,
  selectDecisionEvents,
  selectLastEnds,
} from "../../../src/storage/decisions.ts";
import { writeMemories } from "../../../src/storage/memory-writes.ts";
import { transaction } from "../../../src/storage/transaction.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { minutes, NOW, newCompanyId, newMemory, writeOf } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("decisions on %s", (engine) => {
  const contract = useStorage(engine);

  /** An account with a memory that has these events of the classifier, a minute apart. */
  async function newDecisions(...events: readonly (readonly [event: string, detail: object])[]) {
    const companyId = newCompanyId();
    const db = contract.db.of(companyId);
    const created = newMemory(companyId);
    const { id } = created.memory;
    const all = [["created", {}, "someone"] as const, ...events].map(
      ([event, detail, actor = CLASSIFIER_ACTOR], index) =>
        ({ memoryId: id, event, at: NOW + minutes(index), actor, detail }) as never,
    );
    await transaction(db, (trx) =>
      writeMemories(trx, writeOf({ created: [created], events: all })),
    );
    const list = (after: Parameters<typeof selectDecisionEvents>[1]["after"], limit = 10) =>
      selectDecisionEvents(db, { after, limit });
    return { db, id, list };
  }

  test("what ended a memory, or would have, is listed newest first, a page at a time", async () => {
    const { list } = await newDecisions(
      ["classified", { applied: false, superseded: null }],
      ["classified", { applied: false, superseded: "x" }],
      ["classified", { applied: true, superseded: "x" }],
      ["superseded", { superseded_by: null }],
      ["trimmed", {}],
      ["retracted", {}],
    );
    const all = await list(null);
    expect(all.map(({ event }) => event)).toEqual(["retracted", "superseded", "classified"]);
    const [first] = await list(null, 1);
    expect(await list(first ?? null)).toEqual(all.slice(1));
  });

  test("of several ends of a memory the last one is told", async () => {
    const one = await newDecisions(["superseded", {}], ["restored", {}], ["retracted", { x: 1 }]);
    const other = await newDecisions(["superseded", {}]);
    const never = await newDecisions(["classified", { applied: false, superseded: "x" }]);
    const ids = [one.id, other.id, never.id];
    expect(await selectLastEnds(one.db, ids)).toMatchObject([
      { memoryId: one.id, event: "retracted", detail: { x: 1 } },
    ]);
    expect(await selectLastEnds(never.db, ids)).toEqual([]);
  });

  test("memories of the account are found, and no other", async () => {
    const [one, other] = [await newDecisions(), await newDecisions()];
    const found = await findMemories(one.db, [one.id, other.id]);
    expect(found.map(({ id }) => id)).toEqual([one.id]);
  });
});
