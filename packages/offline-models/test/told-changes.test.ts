import { describe, expect, test } from "vitest";
import { changeOf, readNewFact, tellsOfChange } from "../src/changes.ts";
import { tablesIn } from "./tables.ts";

const table = tablesIn(import.meta.dirname, "told-changes.cases.json");

describe("what changed is read out of how people tell of it", () => {
  test.each(table<[string, string]>("what changed is read out of how people tell of it: … / …"))(
    "%s / %s",
    (older, newer) => {
      expect(changeOf(readNewFact(newer), older)).not.toBeNull();
    },
  );
});

describe("what leaves the older fact true is no change of it", () => {
  test.each(
    table<[string, string, string]>("what leaves the older fact true is no change of it: …: … / …"),
  )("%s: %s / %s", (_, older, newer) => {
    expect(changeOf(readNewFact(newer), older)).toBeNull();
  });
});

test.each([
  ["my favourite author is Le Guin these days", true],
  ["I might move to Verona", false],
  ["he moved to Verona", false],
  ["what a day", false],
])("whether a clause tells of a change of the user's: %s", (clause, tells) => {
  expect(tellsOfChange(clause)).toBe(tells);
});
