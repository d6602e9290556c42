import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countFolderLines } from "../lines/folder-lines.ts";
import type { Figure } from "./figure.ts";
import { LABELS, readLabels } from "./read-labels.ts";

/** Who wrote a labelled set, when, and whether a rule, a prompt or a test has seen it. */
export interface WrittenSet {
  /** The part and the kind: "fresh/pairs". */
  readonly set: string;
  readonly by: string;
  readonly on: string;
  readonly seen: string;
}

export const SETS: readonly WrittenSet[] = readFileSync(join(LABELS, "sets.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): WrittenSet => JSON.parse(line));

/** The kinds of labels that a measure reads. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  extraction: ["conversations"],
  "mixed messages": ["mixed"],
  "belief, asked again rightly": ["beliefs"],
  answers: ["questions"],
  supersession: ["pairs"],
  "category gate": ["sensitive"],
  "category gate, everyday": ["gate"],
  relevance: ["relevance"],
  "relevance, a tenant": ["tenants"],
  updates: ["updates"],
  "everyday changes": ["everyday"],
  "the present": ["present"],
  "the present, told": ["told"],
  "the present, in talks": ["talks"],
  multilingual: ["multilingual"],
  retractions: ["retractions"],
};

/** What a measure found in one part. */
export interface PartFigures {
  readonly measure: string;
  readonly part: string;
  readonly figures: readonly Figure[];
}

/** A row for each set: who wrote it, when, who has seen it, and what was measured on it. */
export function setsReport(measured: readonly PartFigures[]): string {
  const rows = SETS.map(({ set, by, on, seen }) => {
    const [part = "", kind = ""] = set.split("/");
    const figures = measured
      .filter(({ measure, part: of }) => of === part && KINDS[measure]?.includes(kind))
      .flatMap(({ figures }) => figures)
      .filter(({ trials }) => trials > 0)
      .map(({ name, hits, trials }) => `${name} ${hits} of ${trials}`);
    const said = figures.length === 0 ? "by tests alone" : figures.join("; ");
    return `| ${set} | ${readLabels(part, kind).length} | ${by} | ${on} | ${seen} | ${said} |`;
  });
  return `## The sets

| set | cases | written by | on | seen by a rule, prompt or test | figures |
|---|---|---|---|---|---|
${rows.join("\n")}

Public corpora are fetched and not kept: [\`RECALL.md\`](RECALL.md), [\`BELIEFS.md\`](BELIEFS.md).`;
}

/** Lines of what an outside review counted on 2026-11-23, and now. */
export function linesReport(): string {
  const folders = countFolderLines();
  const offline = folders.find(({ folder }) => folder === "packages/offline-models")?.lines ?? 0;
  return `## Lines

| room | before | now |
|---|---|---|
| offline models | 7,483 | ${offline.toLocaleString("en")} |
| check of what chat models state, without a model | 5,258 | ${linesOfCheck().toLocaleString("en")} |`;
}

function linesOfCheck(): number {
  const chat = join(import.meta.dirname, "../../../src/providers/chat");
  const files = "grounding/letters grounding/mentions grounding/question belief";
  return files
    .split(" ")
    .map((file) => readFileSync(join(chat, `${file}.ts`), "utf8").split("\n").length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}
