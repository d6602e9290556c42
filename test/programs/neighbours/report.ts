import { cpus, loadavg } from "node:os";
import type { TestEngine } from "../../support/database.ts";
import type { Answers, NeighbourCase } from "./neighbour-case.ts";
import type { Played } from "./stage.ts";

/** What another account may wait at most, whatever the machine has to do meanwhile. */
export const LONGEST_WAIT_MS = 1_000;
/**
 * An account that waits no longer hardly notices the other one. It is what it may wait beyond its
 * wait for a server that does nothing but answer, on the same cores at the same time: that much
 * is the machine's, on which the attacker computes as well.
 */
const NOTICED_WAIT_MS = 250;

export interface Measured {
  readonly name: string;
  readonly engine: TestEngine;
  /** null: it could not be played to its end. */
  readonly played: Played | null;
  readonly problem: string | null;
}

/** Whether the other account was served, and in time. */
export function isGood({ played }: Measured): boolean {
  if (played === null) return false;
  const { answers, count, longestMs } = played.disturbed;
  return answers[200] === count && longestMs <= LONGEST_WAIT_MS;
}

/** Whether it was served as if it were alone. */
function isUnnoticed(measured: Measured): boolean {
  const { played } = measured;
  if (played === null || !isGood(measured)) return false;
  return played.disturbed.longestMs - played.floor.longestMs <= NOTICED_WAIT_MS;
}

export const TABLE_HEAD = `| Case | Engine | Held | Unnoticed | Answers | p50 ms | p99 ms | Longest ms | Floor ms | Undisturbed ms | Longest stretch ms | Memory MiB | The other one got |
|---|---|---|---|---|---|---|---|---|---|---|---|---|`;

/** One line of the table. */
export function rowOf(measured: Measured): string {
  const { name, engine, played, problem } = measured;
  if (played === null) return `| ${name} | ${engine} | no: ${problem} | | | | | | | | | | |`;
  const { undisturbed, disturbed, floor, attacker, memoryMib, longestStretchMs } = played;
  const memory = memoryMib && [memoryMib.before, memoryMib.peak, memoryMib.after];
  const cells = [
    name,
    engine,
    isGood(measured) ? "yes" : "**no**",
    isUnnoticed(measured) ? "yes" : "no",
    answersText(disturbed.answers),
    whole(disturbed.p50Ms),
    whole(disturbed.p99Ms),
    whole(disturbed.longestMs),
    whole(floor.longestMs),
    whole(undisturbed.longestMs),
    longestStretchMs === null ? "" : whole(longestStretchMs),
    memory === null ? "" : memory.map(whole).join(", "),
    answersText(attacker),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** A section of Markdown. */
export function reportOf(measured: readonly Measured[], cases: readonly NeighbourCase[]): string {
  const played = cases.filter(({ name }) => measured.some((each) => each.name === name));
  const good = measured.filter(isGood).length;
  const unnoticed = measured.filter(isUnnoticed).length;
  return `## Neighbours

One account, or somebody without a key, does one of the things below, while another account asks for its plan's status in a loop. ${good} of ${measured.length} held: each answer of the other account was 200, and none took more than ${LONGEST_WAIT_MS} ms. ${unnoticed} of them went unnoticed: no answer came more than ${NOTICED_WAIT_MS} ms later than the longest wait that the machine alone makes, the floor. Measured on ${cpus().length} cores with a load of ${loadavg()[0]?.toFixed(1)}, service, attacker and prober together; the floor is the longest wait for a bare server of HTTP on the same machine that is asked meanwhile and does nothing but answer, a stretch is what the event loop of the service computed without a turn, memory that of the service before, at its peak and after.

${TABLE_HEAD}
${measured.map(rowOf).join("\n")}

${played.map(({ name, what }) => `- \`${name}\`: ${what}`).join("\n")}
`;
}

function answersText(answers: Answers): string {
  const counts = Object.entries(answers);
  return counts.length === 0
    ? "none"
    : counts.map(([kind, count]) => `${count} × ${kind}`).join(", ");
}

function whole(value: number): string {
  return value.toFixed(0);
}
