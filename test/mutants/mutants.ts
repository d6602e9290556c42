import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "../support/mutants.ts";

/** A change of one line that breaks a guarantee, and where the guarantee is tested. */
export interface LineMutant extends Mutant {
  /** `domain`, `gate` (of automatic supersession), `storage` or `edge`. */
  readonly part: string;
  /** Files and folders of tests, one of which must fail. */
  readonly tests: readonly string[];
}

type Entry = Omit<LineMutant, "name"> & { readonly breaks: string };

/** The list in `mutants.json`; the name of each is the guarantee that it breaks. */
export function readLineMutants(): LineMutant[] {
  const text = readFileSync(join(import.meta.dirname, "mutants.json"), "utf8");
  const entries: readonly Entry[] = JSON.parse(text);
  return entries.map(({ breaks, ...mutant }) => ({ ...mutant, name: breaks }));
}
