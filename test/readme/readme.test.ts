import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationTable, limitsTable, plansTable } from "./tables.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test.each([
  ["limits", limitsTable()],
  ["configuration", configurationTable()],
  ["plans", plansTable()],
])("D8: the README's table of %s is what the code says", (_, table) => {
  expect(readme).toContain(table);
});
