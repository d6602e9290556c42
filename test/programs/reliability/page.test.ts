/** The page that `npm run reliability` writes. */
import { expect, test } from "vitest";
import { isGood, type PlayedPart, pageOf, partsOf, type Setting } from "./page.ts";
import { argumentsOf, PARTS } from "./parts.ts";

const setting: Setting = {
  machine: "2 cores",
  node: "24",
  engines: ["PGlite", "PostgreSQL"],
};
const held: PlayedPart = {
  name: "fuzz",
  command: "npm run fuzz",
  date: "2026-05-04",
  commit: "abc",
  code: 0,
  minutes: 1,
  section: "## Fuzzing\n\nNothing was lost.",
};

test("what held is shown with its section", () => {
  expect(isGood(held)).toBe(true);
  const page = pageOf(setting, [held]);
  expect(page).toContain("| fuzz | `npm run fuzz` | 2026-05-04 | abc | 1.0 | yes |");
  expect(page).toContain("## Fuzzing\n\nNothing was lost.");
});

test.each([
  ["failed", { ...held, code: 1 }, "**no** (it ended with 1)"],
  ["was ended", { ...held, code: null }, "**no** (a signal ended it)"],
  ["said nothing", { ...held, section: null }, "**no** (it wrote no report)"],
])("a part that %s says so", (_how, part, said) => {
  expect(isGood(part)).toBe(false);
  expect(pageOf(setting, [part])).toContain(said);
});

test("a page keeps the parts that were not run again", () => {
  const parts = [held, { ...held, name: "soak", code: null, section: null }];
  expect(partsOf(pageOf(setting, parts))).toEqual(parts);
});

test("a part that takes a limit is told it, as the caller says", () => {
  for (const part of PARTS.filter(({ minutes }) => minutes !== null)) {
    expect(argumentsOf(part, "5", "file").join(" ")).toMatch(/--minutes 5 --report file$/);
  }
});
