import { type Cell, isReached, type Ratio, type Table } from "../findings.ts";

/** For people who look on. */
export function printTable({ title, columns, rows }: Table): void {
  const lines = [columns, ...rows.map((row) => row.map(shown))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const line of lines) {
    const cells = line.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    console.log(cells.join("  "));
  }
}

/** Three digits that mean something. */
export function shown(cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "string") return cell;
  if (Number.isInteger(cell)) return cell.toLocaleString("en");
  const size = Math.abs(cell);
  if (size >= 100) return Math.round(cell).toLocaleString("en");
  return cell.toFixed(size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function printRatios(ratios: readonly Ratio[]): void {
  if (ratios.length === 0) return;
  const rows = ratios.map((ratio) => [
    ratio.what,
    `${ratio.bound} ${ratio.asked}`,
    ratio.measured,
    `${isReached(ratio) ?? "not measured"}`,
    ratio.from,
  ]);
  const columns = ["", "asked", "measured", "reached", "of"];
  printTable({ title: "What must show", note: "", columns, rows });
}
