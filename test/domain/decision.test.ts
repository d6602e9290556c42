import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decidedEnds, outcomeOf } from "../../src/domain/decision.ts";
import { toMemoryId } from "../../src/domain/ids.ts";
import type { Memory } from "../../src/domain/memory.ts";

const [OLD, NEW, OTHER] = [randomUUID(), randomUUID(), randomUUID()].map(toMemoryId) as [
  Memory["id"],
  Memory["id"],
  Memory["id"],
];
const JUDGED = { confidence: 0.9, reason: "it moved" };

describe("the ends that an event tells of", () => {
  test("of a memory that was superseded or taken back", () => {
    const ended = { at: 1n, memoryId: OLD, ...JUDGED, isApplied: true };
    expect(
      decidedEnds(OLD, { event: "superseded", at: 1n, detail: { superseded_by: NEW, ...JUDGED } }),
    ).toEqual([{ ...ended, replacementId: NEW }]);
    expect(
      decidedEnds(OLD, { event: "retracted", at: 1n, detail: { superseded_by: null, ...JUDGED } }),
    ).toEqual([{ ...ended, replacementId: null }]);
  });

  test("of a new memory whose classification was only watched", () => {
    const supersessions = [OLD, OTHER].map((memory_id) => ({ memory_id, ...JUDGED }));
    const event = {
      event: "classified",
      at: 1n,
      detail: { applied: false, supersessions },
    } as const;
    expect(decidedEnds(NEW, event)).toEqual(
      [OLD, OTHER].map((memoryId) => ({
        at: 1n,
        memoryId,
        replacementId: NEW,
        ...JUDGED,
        isApplied: false,
      })),
    );
  });

  test.each([
    ["one that was applied", { applied: true, supersessions: [{ memory_id: OLD, ...JUDGED }] }],
    ["one that found nothing", { applied: false, supersessions: [] }],
    ["an older one, without a list", { applied: false }],
    ["one that names no memory", { applied: false, supersessions: ["x", { memory_id: 7 }] }],
  ])("none, of %s", (_, detail) => {
    expect(decidedEnds(NEW, { event: "classified", at: 1n, detail })).toEqual([]);
  });
});

test.each([
  ["applied", true, 2n, NEW],
  ["restored", true, null, null],
  ["settled", true, 2n, OTHER],
  ["watched", false, null, null],
  ["accepted", false, 2n, NEW],
  ["settled", false, 2n, null],
] as const)("it is %s", (outcome, isApplied, supersededAt, supersededBy) => {
  const end = { at: 1n, memoryId: OLD, replacementId: NEW, ...JUDGED, isApplied };
  expect(outcomeOf(end, { supersededAt, supersededBy } as Memory)).toBe(outcome);
});
