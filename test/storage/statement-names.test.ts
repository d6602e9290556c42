import { expect, test } from "vitest";
import { StatementNames } from "../../src/storage/connection-pool.ts";

test("a statement keeps its name, and no more have one than a connection may prepare", () => {
  const names = new StatementNames();
  const first = names.nameOf("statement 0", 1);
  for (let i = 1; i < 200; i++) expect(names.nameOf(`statement ${i}`, 1)).toBeDefined();
  expect(names.nameOf("one too many", 1)).toBeUndefined();
  expect(names.nameOf("statement 0", 1)).toBe(first);
});
