import { expect, test } from "vitest";
import { UpstreamError } from "../../src/providers/upstream/upstream-error.ts";
import { unitVectors } from "../../src/providers/vectors.ts";

test("vectors are brought to unit length", () => {
  expect(unitVectors([[3, 4]], { count: 1, dimensions: 2 })).toEqual([[0.6, 0.8]]);
});

test.each([
  ["too few", [[1, 0]]],
  [
    "too many",
    [
      [1, 0],
      [1, 0],
      [1, 0],
    ],
  ],
  ["too short", [[1], [1, 0]]],
  [
    "too long",
    [
      [1, 0, 0],
      [1, 0],
    ],
  ],
  [
    "without a direction",
    [
      [0, 0],
      [1, 0],
    ],
  ],
  [
    "infinite",
    [
      [Number.POSITIVE_INFINITY, 0],
      [1, 0],
    ],
  ],
  [
    "not numbers",
    [
      [null, 0],
      [1, 0],
    ],
  ],
  [
    "no numbers",
    [
      ["1", "0"],
      [1, 0],
    ],
  ],
  ["no lists", ["AACAPw==", [1, 0]]],
  ["missing", [undefined, [1, 0]]],
])("vectors that are %s are of no use", (_, vectors) => {
  expect(() => unitVectors(vectors, { count: 2, dimensions: 2 })).toThrow(UpstreamError);
});
