import { expect, test } from "vitest";
import { cosine, similarityTo } from "../../src/domain/embedding.ts";

const DIMENSIONS = 16;

test.each([1, 3, 4, 5, DIMENSIONS])(
  "the similarity of a vector with %i numbers that are not 0 is the cosine",
  (count) => {
    const numbers = Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(i + 1));
    const vector = Float32Array.from(numbers, (number, i) => (i < count ? number : 0)).toReversed();
    const other = Float32Array.from(numbers, (number) => 1 - number);
    expect(similarityTo(vector)(other)).toBeCloseTo(cosine(vector, other), 6);
  },
);
