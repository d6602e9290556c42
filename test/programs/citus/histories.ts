import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import type { Part } from "./part.ts";

const ARGUMENTS = ["--citus", "--faults", "--fault-every", "2", "--count", "200", "--minutes", "3"];

/** Random concurrent calls, while servers and nodes are killed, held against laws. */
export async function histories(): Promise<Part> {
  const folder = await mkdtemp(join(tmpdir(), "agent-memory-citus-"));
  const report = join(folder, "report.md");
  const command = ["run", "--silent", "histories", "--", ...ARGUMENTS];
  const child = spawn("npm", [...command, "--report", report], {
    cwd: PROJECT_ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "close");
  const section = await readFile(report, "utf8").catch(() => "");
  await rm(folder, { recursive: true });
  return {
    name: "Histories",
    text: [
      `Random concurrent calls of several clients against three servers on one cluster, and what is stored in the end, held against laws; in every second history servers, connections and nodes of the cluster are killed, stopped or cut off. \`npm ${command.slice(0, 1)} ${command.slice(2).join(" ")}\``,
      ...section.split("\n\n").filter((paragraph) => paragraph.startsWith("|")),
    ],
    problems: code === 0 ? [] : [`a law was broken, or it ended with ${code}`],
  };
}
