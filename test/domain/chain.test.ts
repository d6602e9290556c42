import fc from "fast-check";
import { expect, test } from "vitest";
import { chainOrder, NO_REPLACEMENT, trimWithin } from "../../src/domain/chain.ts";
import type { MemoryId } from "../../src/domain/ids.ts";
import type { Instant } from "../../src/domain/instant.ts";

const order = (...replacements: number[]) => [...chainOrder(Int32Array.from(replacements))];
const NONE = NO_REPLACEMENT;

test("without chains the order stays", () => {
  expect(order()).toEqual([]);
  expect(order(NONE, NONE, NONE)).toEqual([0, 1, 2]);
});

test("chain after chain, from the head to what it replaced, merges step by step", () => {
  // 0 and 3 were replaced by 2, which 5 replaced; 4 by 1.
  expect(order(2, NONE, 5, 2, 1, NONE)).toEqual([1, 4, 5, 2, 0, 3]);
});

test("each memory once, behind its replacement, however the chains are tangled", () => {
  // The replacement of each is one that is nearer to the end in a shuffled list.
  const forest = fc
    .integer({ min: 1, max: 60 })
    .chain((length) =>
      fc.tuple(
        fc.shuffledSubarray([...Array(length).keys()], { minLength: length }),
        fc.array(fc.nat(1_000), { minLength: length, maxLength: length }),
      ),
    );
  fc.assert(
    fc.property(forest, ([places, choices]) => {
      const replacements = new Int32Array(places.length).fill(NONE);
      for (const [index, place] of places.entries()) {
        const choice = (choices[index] ?? 0) % (index + 1);
        if (choice < index) replacements[place] = places[choice] ?? NONE;
      }
      const ordered = [...chainOrder(replacements)];
      expect(ordered.toSorted((a, b) => a - b)).toEqual([...places.keys()]);
      for (const [index, place] of ordered.entries()) {
        const replacement = replacements[place] ?? NONE;
        if (replacement !== NONE) expect(ordered.indexOf(replacement)).toBeLessThan(index);
      }
    }),
  );
});

test("a circle is a defect", () => {
  expect(() => order(NONE, 2, 1)).toThrow("2 memories are in a circle");
});

test("of a chain that one write makes, each version is read a few times, however long it is", () => {
  const length = 500;
  let reads = 0;
  const written = Array.from({ length }, (_, i) => ({
    id: String(i) as MemoryId,
    validTo: i === length - 1 ? null : (BigInt(2 * length) as Instant),
    supersededBy: i === length - 1 ? null : (String(i + 1) as MemoryId),
    get validFrom() {
      reads++;
      return BigInt(i) as Instant;
    },
  }));
  const { versions, laterStarts } = trimWithin(written, { actor: "classifier", at: 0n as Instant });
  expect(versions.get("0" as MemoryId)?.validTo).toBe(2n);
  expect(laterStarts.get("0" as MemoryId)?.validFrom).toBe(1n);
  expect(reads).toBeLessThan(10 * length);
});
