import { expect, test } from "vitest";
import { zip } from "../../src/domain/zip.ts";

test("values are paired by position", () => {
  expect(zip([1, 2], ["a", "b"])).toEqual([
    [1, "a"],
    [2, "b"],
  ]);
  expect(zip([], [])).toEqual([]);
});

test("what is undefined has its place", () => {
  expect(zip([undefined, 1], [null, undefined])).toEqual([
    [undefined, null],
    [1, undefined],
  ]);
});

test.each([
  [[1, 2], ["a"], "Lists of 2 and 1"],
  [[], ["a"], "Lists of 0 and 1"],
])("lists of other lengths, %j and %j, are an error", (a, b, message) => {
  expect(() => zip(a, b)).toThrow(message);
});
