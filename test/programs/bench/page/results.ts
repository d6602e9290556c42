import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileOf, type PlayedPart, pageOf, plotsOf, type Results } from "./page.ts";
import { drawn } from "./plot.ts";

const FOLDER = join(import.meta.dirname, "..");
/** What the page is made of, so that one part can be measured again. */
const RESULTS = join(FOLDER, "results.json");
const PAGE = join(FOLDER, "RESULTS.md");

/** Writes the page and its plots: of these parts, and of what is known of others. */
export function writeResults(
  machine: Results["machine"],
  played: readonly PlayedPart[],
  order: readonly string[],
): void {
  const before: Results | null = existsSync(RESULTS)
    ? JSON.parse(readFileSync(RESULTS, "utf8"))
    : null;
  const known = [...played, ...(before?.parts ?? [])];
  const parts = order.flatMap((name) => known.find((part) => part.name === name) ?? []);
  const text = JSON.stringify({ machine, parts }, null, 1);
  // As it will be read again.
  const results: Results = JSON.parse(text);
  writeFileSync(PAGE, pageOf(results));
  writeFileSync(RESULTS, `${text}\n`);
  for (const plot of plotsOf(results)) {
    const file = join(FOLDER, fileOf(plot));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, drawn(plot));
  }
}
