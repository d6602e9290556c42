/** One line of a table in Markdown. */
export function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

/** `share` of 0.5 is the median. NaN: there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
