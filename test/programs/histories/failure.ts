import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeCall } from "./call.ts";
import { type History, operationsOf } from "./history.ts";
import type { Engine } from "./report.ts";
import type { Violation } from "./verdicts.ts";

const MAX_SHOWN_VIOLATIONS = 5;
const MAX_SHOWN_CALLS = 12;

/** What broke, in which history, and how to play it again. */
export function describeFailure(
  engine: Engine,
  { seed, faults }: History,
  violations: readonly Violation[],
): string {
  const withFaults = faults.length > 0 ? " --faults --fault-every 1" : "";
  return [
    `SEED ${seed} on ${engine}: ${violations.length} violations`,
    ...violations
      .slice(0, MAX_SHOWN_VIOLATIONS)
      .flatMap(({ law, what, calls }) => [
        `  ${law}: ${what}`,
        ...calls.slice(0, MAX_SHOWN_CALLS).map((call) => `      ${describeCall(call)}`),
      ]),
    ...faults.map(
      ({ kind, afterMs, durationMs }) => `  ${kind} at ${afterMs} for ${durationMs} ms`,
    ),
    `  Again:   npm run histories -- --engine ${engine} --seed ${seed} --count 1${withFaults}`,
  ].join("\n");
}

/** What is left of a history that still fails, in a file, and how to play it. */
export async function describeSmaller(engine: Engine, smallest: History): Promise<string> {
  const file = join(tmpdir(), `history-${engine}-${smallest.seed}.json`);
  await writeFile(file, JSON.stringify(smallest, null, 1));
  const { clients, faults } = smallest;
  const used = clients.filter(({ length }) => length > 0);
  return [
    `SEED ${smallest.seed} on ${engine} fails with ${operationsOf(smallest)} operations of ${used.length} clients and ${faults.length} faults`,
    ...used.map((operations) => `      ${operations.map(({ kind }) => kind).join(", ")}`),
    ...faults.map(({ kind, afterMs }) => `      ${kind} at ${afterMs} ms`),
    `  Again:   npm run histories -- --engine ${engine} --replay ${file} --count 20`,
  ].join("\n");
}
