import { expect, test } from "vitest";
import { changesMemory, type Decision } from "../../src/domain/decision.ts";

test.each([
  ["superseded", "applied", "right", null],
  ["superseded", "applied", "wrong", "restore"],
  ["superseded", "restored", null, "supersede"],
  ["retracted", "restored", "right", "supersede"],
  ["shadow", "watched", "right", "supersede"],
  ["shadow", "watched", "wrong", null],
  ["shadow", "accepted", null, "restore"],
] as const)("what is %s and %s, and then %s: %s", (kind, outcome, verdict, change) => {
  const decision = { kind, outcome, isReversible: true } as Decision;
  expect(changesMemory(decision, verdict)).toBe(change);
  // A verdict that nothing can come of is kept as an opinion.
  expect(changesMemory({ ...decision, isReversible: false }, verdict)).toBeNull();
});
