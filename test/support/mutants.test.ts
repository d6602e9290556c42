import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MUTANTS as OF_HISTORIES } from "../programs/histories/mutants.ts";
import { MUTANTS as OF_QUALITY } from "../programs/quality/mutants.ts";
import { PROJECT_ROOT } from "./project-root.ts";

test.each([...OF_HISTORIES, ...OF_QUALITY])(
  "$name: what the mutant changes is there, once",
  ({ file, from, to, and }) => {
    const source = readFileSync(join(PROJECT_ROOT, file), "utf8");
    expect(source.split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
    if (and !== undefined) expect(source.split(and.from)).toHaveLength(2);
  },
);
