import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MUTANTS as OF_HISTORIES } from "../programs/histories/mutants.ts";
import { MUTANTS as OF_QUALITY } from "../programs/quality/mutants.ts";
import type { Mutant } from "../support/mutants.ts";
import { PROJECT_ROOT } from "../support/project-root.ts";
import { readSources } from "../support/source-tree.ts";
import { readLineMutants } from "./mutants.ts";

const ofLines = readLineMutants();
const sources = ["src", "packages"].flatMap((folder) => readSources(folder));

test("the list is of at least 60 mutants, in all parts, against tests that are there", () => {
  expect(ofLines.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ofLines.map(({ part }) => part))).toEqual(
    new Set(["domain", "gate", "storage", "edge"]),
  );
  const tests = ofLines.flatMap((mutant) => mutant.tests);
  expect(tests.filter((each) => !existsSync(join(PROJECT_ROOT, each)))).toEqual([]);
});

test.each<Mutant>([...ofLines, ...OF_HISTORIES, ...OF_QUALITY])(
  "the mutant applies: $name",
  ({ file, from, to, and }) => {
    const path = join(PROJECT_ROOT, file);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    for (const changed of and === undefined ? [from] : [from, and.from]) {
      const elsewhere = sources.flatMap((each) => (each.text.includes(changed) ? [each.path] : []));
      expect(
        text.split(changed).length - 1,
        `\`${changed}\` must occur once in ${file}; it occurs in ${elsewhere.join(", ") || "no file"}`,
      ).toBe(1);
    }
    expect(to).not.toBe(from);
  },
);
