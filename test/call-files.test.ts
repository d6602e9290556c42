/**
 * How many files of ours a warm call over REST passes. A budget only shrinks: whoever needs
 * fewer files sets it lower. `npm run call-files` prints the files.
 */
import { beforeAll, expect, test } from "vitest";
import {
  type CallFiles,
  COUNTED_CALLS,
  type CountedCall,
  countCallFiles,
} from "./support/call-files.ts";

const BUDGETS: { readonly [call in CountedCall]: number } = {
  "plan status": 63,
  "list of 10": 73,
  search: 96,
  "content write": 98,
  "messages write with a chat model": 143,
};

let files: CallFiles;
beforeAll(async () => {
  files = await countCallFiles();
});

test.each(COUNTED_CALLS)("a call passes no more files than its budget: %s", (name) => {
  const passed = files.get(name) ?? [];
  expect(passed.length).toBeGreaterThan(0);
  expect(passed.length, passed.join("\n")).toBeLessThanOrEqual(BUDGETS[name]);
});
