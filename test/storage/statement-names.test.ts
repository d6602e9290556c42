import { expect, test } from "vitest";
import { StatementNames } from "../../src/storage/connection-pool.ts";

const PARAMETERS_OF_A_ROW = 40;

test("writes of every number of rows leave room to prepare a search", () => {
  const names = new StatementNames();
  const ofRows = Array.from({ length: 300 }, (_, i) =>
    names.nameOf(`insert ${i + 3} rows`, PARAMETERS_OF_A_ROW * (i + 3)),
  );
  expect(ofRows.filter((name) => name !== undefined)).toHaveLength(80);
  expect(names.nameOf("search", 12)).toBeDefined();
});

test("a statement keeps its name, and no more have one than a connection may prepare", () => {
  const names = new StatementNames();
  const first = names.nameOf("statement 0", 1);
  for (let i = 1; i < 200; i++) expect(names.nameOf(`statement ${i}`, 1)).toBeDefined();
  expect(names.nameOf("one too many", 1)).toBeUndefined();
  expect(names.nameOf("statement 0", 1)).toBe(first);
});
