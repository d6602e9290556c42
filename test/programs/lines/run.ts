/** Prints the lines of TypeScript of each folder beside its budget: `npm run lines`. */
import { countFolderLines, TOTALS } from "./folder-lines.ts";

const rows = countFolderLines();
const row = (name: string, lines: number, most: number | undefined) =>
  console.log(
    `${name.padEnd(24)}${String(lines).padStart(8)}${String(most ?? "none").padStart(8)}`,
  );

console.log(`${"".padEnd(24)}${"lines".padStart(8)}${"budget".padStart(8)}`);
for (const { folder, lines, budget } of rows) row(folder, lines, budget);
for (const [root, most] of Object.entries(TOTALS)) {
  const inside = rows.filter(({ folder }) => folder.split("/")[0] === root);
  row(
    `all of ${root}`,
    inside.reduce((sum, { lines }) => sum + lines, 0),
    most,
  );
}
