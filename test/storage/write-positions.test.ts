/** What a replica must have replayed before it is read. */
import { expect, test } from "vitest";
import { toCompanyId } from "../../src/domain/ids.ts";
import {
  MAX_REPLICA_STALENESS_MS,
  parseWalPosition,
  WritePositions,
} from "../../src/storage/write-positions.ts";

const [ADA, BOB, EVE] = [toCompanyId("ada"), toCompanyId("bob"), toCompanyId("eve")];

/** Positions at a time that the test moves, with what the primary said half a second ago. */
function sampled(maxAccounts?: number) {
  const clock = { ms: 0 };
  const positions = new WritePositions(() => clock.ms, maxAccounts);
  positions.sample(100n, 0);
  clock.ms = 500;
  positions.sample(200n, 500);
  return { clock, positions };
}

test("what anybody had committed a while ago is asked for, and nothing newer", () => {
  const { positions } = sampled();
  expect(positions.required(ADA, null)).toBe(100n);
  expect(positions.required(ADA, 150n)).toBe(150n);
  expect(positions.required(ADA, 50n)).toBe(100n);
});

test("nothing is read that may be older than a second", () => {
  const { clock, positions } = sampled();
  clock.ms = MAX_REPLICA_STALENESS_MS;
  expect(positions.required(ADA, null)).toBe(100n);
  clock.ms++;
  expect(positions.required(ADA, null)).toBeNull();
  expect(new WritePositions(() => 0).required(ADA, null)).toBeNull();
});

test("who wrote waits for it, and nobody else, until all do", () => {
  const { clock, positions } = sampled();
  clock.ms = 600;
  positions.committed(ADA, 300n);
  positions.committed(ADA, 250n);
  expect(positions.required(ADA, null)).toBe(300n);
  expect(positions.required(BOB, null)).toBe(100n);
  clock.ms = 900;
  positions.sample(400n, 900);
  expect(positions.required(ADA, null)).toBe(300n);
  positions.sample(500n, 1_300);
  clock.ms = 1_300;
  expect(positions.required(ADA, null)).toBe(400n);
});

test("a commit that did not say how far it is: nothing is read until that is covered", () => {
  const { clock, positions } = sampled();
  clock.ms = 600;
  positions.committed(ADA, null);
  positions.committed(ADA, 300n);
  expect(positions.required(ADA, null)).toBeNull();
  expect(positions.required(BOB, null)).toBe(100n);
  clock.ms = 1_100;
  positions.sample(400n, 700);
  positions.sample(500n, 1_100);
  expect(positions.required(ADA, null)).toBe(400n);
});

test("of too many accounts all wait for what the oldest wrote", () => {
  const { positions } = sampled(2);
  positions.committed(ADA, 300n);
  positions.committed(BOB, 310n);
  positions.committed(EVE, 320n);
  expect(positions.required(toCompanyId("new"), null)).toBe(300n);
  const unknown = sampled(1).positions;
  unknown.committed(ADA, null);
  unknown.committed(BOB, 310n);
  expect(unknown.required(ADA, null)).toBeNull();
});

test.each([
  ["0/0", 0n],
  ["0/16B3748", 0x16b3748n],
  ["16/B374D848", 0x16b374d848n],
  ["FFFFFFFF/FFFFFFFF", 2n ** 64n - 1n],
  [null, null],
  ["16", null],
])("%s is the position %s", (text, position) => {
  expect(parseWalPosition(text)).toBe(position);
});
