import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import { readSources } from "../../support/source-tree.ts";

/** A folder of the source, its lines of TypeScript, and how many it may have. */
export interface FolderLines {
  /** `src/…` or `packages/…`; `src` is what stands at its top. */
  readonly folder: string;
  readonly lines: number;
  /** undefined: none is written down. */
  readonly budget: number | undefined;
}

/** The most that all folders of `src`, and all packages, have together. */
export const TOTALS: Readonly<Record<string, number>> = { src: 31_000, packages: 18_000 };

const BUDGETS: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(PROJECT_ROOT, "test/line-budgets.json"), "utf8"),
);

/** Counts the lines of each folder, without tests. A folder that is gone has none. */
export function countFolderLines(): FolderLines[] {
  const lines = new Map(Object.keys(BUDGETS).map((folder) => [folder, 0]));
  for (const root of Object.keys(TOTALS)) {
    for (const { path, text } of [...readSources(root), ...readSources(root, ".tsx")]) {
      const [, inside = "", rest] = path.split("/");
      if (rest === "test") continue;
      const folder = rest === undefined ? root : `${root}/${inside}`;
      lines.set(folder, (lines.get(folder) ?? 0) + text.split("\n").length - 1);
    }
  }
  return [...lines]
    .map(([folder, count]) => ({ folder, lines: count, budget: BUDGETS[folder] }))
    .toSorted((one, other) => one.folder.localeCompare(other.folder));
}
