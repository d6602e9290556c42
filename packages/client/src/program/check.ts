import { writeFile } from "node:fs/promises";
import type { QueryMemoriesResponse } from "@agent-memory/gen/agentmemory/v1/memory_service_pb";
import type { AgentMemoryClient } from "../client.ts";
import { AgentMemoryError } from "../errors.ts";
import { PLATFORM } from "../platform.ts";
import { clientIn, type Environment } from "./environment.ts";
import { type GoldenQuestion, readGoldenFile } from "./golden-file.ts";

const QUESTIONS_AT_ONCE = 4;

interface Checked extends GoldenQuestion {
  /** The mistakes of the answer; empty: there are none. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

/**
 * Asks each question of the file, and prints what is wrong with the answers. Returns whether
 * nothing is. Throws a UsageError where the file or the environment cannot be understood.
 */
export async function runCheck(
  env: Environment,
  path: string,
  { junit }: { readonly junit?: string },
): Promise<boolean> {
  const client = clientIn(env);
  const questions = await readGoldenFile(path);
  const checked: Checked[] = [];
  const waiting = questions.values();
  const ask = async () => {
    for (const question of waiting) checked.push(await checkOne(client, question));
  };
  await Promise.all(Array.from({ length: QUESTIONS_AT_ONCE }, ask));
  client.close();
  checked.sort((a, b) => a.line - b.line);
  const failed = checked.filter(({ problems }) => problems.length > 0);
  for (const { line, question, problems } of failed) {
    console.log(`line ${line}: ${question}`);
    for (const problem of problems) console.log(`  ${problem}`);
  }
  console.log(`${checked.length - failed.length} passed, ${failed.length} failed`);
  if (junit !== undefined) await writeFile(junit, reportOf(path, checked));
  return failed.length === 0;
}

async function checkOne(client: AgentMemoryClient, golden: GoldenQuestion): Promise<Checked> {
  const { question, tenant_id: tenantId, as_of: asOf } = golden;
  const begun = PLATFORM.monotonicMs();
  const problems = await client.memories.queryMemories({ question, asOf, tenantId }).then(
    (answer) => problemsOf(golden, answer),
    (error: unknown) => {
      if (!(error instanceof AgentMemoryError)) throw error;
      return [`it was not answered: ${error.message}`];
    },
  );
  return { ...golden, problems, seconds: (PLATFORM.monotonicMs() - begun) / 1_000 };
}

function problemsOf(golden: GoldenQuestion, { answer, citations }: QueryMemoriesResponse) {
  const mentions = (text: string) => folded(answer).includes(folded(text));
  const cites = (evidence: string) =>
    citations.some(
      ({ memoryId, decision }) =>
        memoryId === evidence.toLowerCase() || folded(decision).includes(folded(evidence)),
    );
  const missing = golden.must_mention
    .filter((choices) => !choices.some(mentions))
    .map((choices) => choices.map((text) => JSON.stringify(text)).join(" or "))
    .map((choices) => `does not mention ${choices}`);
  const wrong = golden.must_not_mention
    .filter(mentions)
    .map((text) => `must not mention ${JSON.stringify(text)}`);
  const uncited = golden.evidence
    .filter((text) => !cites(text))
    .map((text) => `does not cite ${JSON.stringify(text)}`);
  const problems = [...missing, ...wrong, ...uncited];
  return problems.length === 0 ? [] : [...problems, `answered: ${answer}`];
}

/** As people compare texts: without case, accents and runs of spaces. */
function folded(text: string): string {
  const letters = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return letters.replaceAll(/\s+/gu, " ").toLowerCase();
}

function reportOf(path: string, checked: readonly Checked[]): string {
  const failures = checked.filter(({ problems }) => problems.length > 0).length;
  const cases = checked.map(({ line, question, problems, seconds }) => {
    const name = `classname=${attribute(path)} name=${attribute(`line ${line}: ${question}`)}`;
    const failure =
      problems.length === 0 ? "" : `<failure message=${attribute(problems.join("\n"))}/>`;
    return `  <testcase ${name} time="${seconds.toFixed(3)}">${failure}</testcase>\n`;
  });
  const counts = `tests="${checked.length}" failures="${failures}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="agent-memory" ${counts}>\n${cases.join("")}</testsuite>\n`;
}

/** A text as an attribute of XML, without what XML cannot hold. */
function attribute(text: string): string {
  const escaped = text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .toWellFormed()
    .replaceAll(/[&<>"\n]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `"${escaped}"`;
}
