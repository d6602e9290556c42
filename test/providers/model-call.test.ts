import { expect, test } from "vitest";
import { MAX_CALL_TOKENS, tokenCount } from "../../src/providers/model-call.ts";

test.each([
  [0, 0],
  [MAX_CALL_TOKENS, MAX_CALL_TOKENS],
  [MAX_CALL_TOKENS + 1, null],
  [Number.MAX_SAFE_INTEGER, null],
  [-1, null],
  [1.5, null],
  ["7", null],
  [undefined, null],
])("a provider that says %j tokens is taken to say %j", (said, taken) => {
  expect(tokenCount(said)).toBe(taken);
});
