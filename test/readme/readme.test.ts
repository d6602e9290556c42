import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import {
  configurationTable,
  DOCUMENTED_REASONS,
  errorsTable,
  limitsTable,
  operatorErrorsTable,
  plansTable,
} from "./tables.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test.each([
  ["D8: the README's table of limits", limitsTable()],
  ["D8: the README's table of configuration", configurationTable()],
  ["D30: the README's table of plans", plansTable()],
  ["D13a, D13b, D15: the README's table of errors", errorsTable()],
  ["D15: the README's table of the operator's errors", operatorErrorsTable()],
])("%s is what the code says", (_, table) => {
  expect(readme).toContain(table);
});

test("D13a: the README explains every reason once", () => {
  expect(DOCUMENTED_REASONS.toSorted()).toEqual(Object.keys(FAILURE_STATUS).toSorted());
});
