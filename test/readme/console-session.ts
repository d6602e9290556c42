import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "../support/project-root.ts";

const run = promisify(execFile);

/** A command of a page, and what the page says that it prints. */
export interface Step {
  /** As it is typed, of one line or of several. */
  readonly command: string;
  /** `…` stands for any text. Empty: the page does not say. */
  readonly output: string;
}

/** What each command printed, beside what its page says. */
export interface PlayedStep extends Step {
  readonly printed: string;
}

/** Starts the lines of a command; `> ` continues it. */
const PROMPT = "$ ";
const CONTINUATION = "> ";
/** Between the outputs of two commands. */
const SEPARATOR = "\u001e";

/** The steps of a page's `console` blocks, in order; of one section only, if it is named. */
export function stepsOf(page: string, section?: string): Step[] {
  const text = readFileSync(`${PROJECT_ROOT}/${page}`, "utf8");
  const part = section === undefined ? text : text.split(`\n## ${section}\n`)[1]?.split("\n## ")[0];
  const blocks = [...(part ?? "").matchAll(/```console\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, block = ""]) => stepsOfBlock(block));
}

function stepsOfBlock(block: string): Step[] {
  const steps: { command: string; output: string }[] = [];
  for (const line of block.trimEnd().split("\n")) {
    const step = steps.at(-1);
    if (line.startsWith(PROMPT)) steps.push({ command: line.slice(PROMPT.length), output: "" });
    else if (step === undefined) throw new Error(`a block begins without a command: ${line}`);
    else if (line.startsWith(CONTINUATION)) step.command += `\n${line.slice(CONTINUATION.length)}`;
    else step.output += `${line}\n`;
  }
  return steps;
}

/** Runs all commands in one shell, in the project's folder. The first that fails rejects. */
export async function play(
  steps: readonly Step[],
  variables: Readonly<Record<string, string>>,
): Promise<PlayedStep[]> {
  const script = steps.map(({ command }) => `${command}\nprintf '${SEPARATOR}'`).join("\n");
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...variables },
  });
  const printed = stdout.split(SEPARATOR);
  return steps.map((step, index) => ({ ...step, printed: printed[index] ?? "" }));
}

/** What a page says as a pattern: every `…` is any text, all else is exact. */
export function patternOf(output: string): RegExp {
  const parts = output.trim().split("…").map(RegExp.escape);
  return new RegExp(`^${parts.join("[^]*")}$`);
}
