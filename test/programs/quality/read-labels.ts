import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the labelled texts: a folder for each part, a file of JSON lines for each kind. */
export const LABELS = join(import.meta.dirname, "labels");

/** The labelled cases of one kind, a line each; none where the part has no such file. */
export function readLabels<Labelled>(part: string, kind: string): readonly Labelled[] {
  const path = join(LABELS, part, `${kind}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line): Labelled => JSON.parse(line));
}
