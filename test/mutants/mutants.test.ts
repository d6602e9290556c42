import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "../support/project-root.ts";
import { readSources } from "../support/source-tree.ts";
import { readLineMutants } from "./mutants.ts";

const mutants = readLineMutants();
const sources = ["src", "packages"].flatMap((folder) => readSources(folder));

test("the list is of at least 60 mutants, in all parts", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(60);
  expect(new Set(mutants.map(({ part }) => part))).toEqual(
    new Set(["domain", "gate", "storage", "edge"]),
  );
});

test.each(mutants)("the mutant applies: $name", ({ file, from, to, tests }) => {
  const path = join(PROJECT_ROOT, file);
  const occurrences = existsSync(path) ? readFileSync(path, "utf8").split(from).length - 1 : 0;
  const elsewhere = sources.flatMap((each) => (each.text.includes(from) ? [each.path] : []));
  expect(
    occurrences,
    `test/mutants/mutants.json: \`${from}\` must occur once in ${file}; it occurs in ${elsewhere.join(", ") || "no file"}`,
  ).toBe(1);
  expect(to).not.toBe(from);
  expect(tests.filter((each) => !existsSync(join(PROJECT_ROOT, each)))).toEqual([]);
});
