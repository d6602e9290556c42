import { randomBytes } from "node:crypto";
import { v7 as uuidv7, version } from "uuid";
import { expect, test } from "vitest";
import { createIds } from "../src/new-id.ts";

const newId = createIds({ nowMs: Date.now, randomBytes, uuidv7 });

test("each ID is a UUIDv7, and greater than the one before", () => {
  // More than are made of one piece of randomness, and more than one a millisecond.
  const ids = Array.from({ length: 5_000 }, newId);
  expect(ids.every((id) => version(id) === 7)).toBe(true);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test("a clock that is set back makes no lesser ID", () => {
  let nowMs = 1_000_000;
  const ofClock = createIds({ nowMs: () => nowMs, randomBytes, uuidv7 });
  const first = ofClock();
  nowMs -= 1_000;
  expect(ofClock() > first).toBe(true);
});

test("IDs of one moment differ in what is random of them", () => {
  const random = Array.from({ length: 1_000 }, () => newId().slice(-12));
  expect(new Set(random).size).toBe(random.length);
});
