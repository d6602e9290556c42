import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type ProcessStatus, statusOf, TICK_MS } from "../../../support/process-use.ts";

/** How much of the processors went to others than the bench, as shares of all there are. */
export interface MachineUse {
  /** Programs that the bench did not start. */
  readonly others: number;
  /** What the host gave to other machines, as far as it says so. */
  readonly stolen: number;
}

/** What a process did between the last look at it and its end counts as others'. */
const LOOK_MS = 500;

/** Watches who uses the machine beside this process, what it started, and Postgres. Linux only. */
export function watchMachine(): { stop(): MachineUse } {
  const since = performance.now();
  const before = readTotals();
  let own = 0;
  let known = ownMs();
  const look = () => {
    const now = ownMs();
    for (const [pid, ms] of now) own += ms - (known.get(pid) ?? 0);
    known = now;
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      const { busy, stolen } = readTotals();
      const all = (performance.now() - since) * availableParallelism();
      return {
        others: Math.max(0, busy - before.busy - own) / all,
        stolen: (stolen - before.stolen) / all,
      };
    },
  };
}

/** Milliseconds of processors since the machine started. */
function readTotals(): { readonly busy: number; readonly stolen: number } {
  const [, ...ticks] = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").split(/\s+/);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, stolen = 0] = ticks.map(
    (each) => Number(each) * TICK_MS,
  );
  return { busy: user + nice + system + irq + softIrq, stolen };
}

/** Milliseconds of processors, by process. Servers have no parent that could be told. */
function ownMs(): ReadonlyMap<number, number> {
  const all = processes();
  const isOwn = (pid: number): boolean => {
    if (pid === process.pid) return true;
    const found = all.get(pid);
    return found !== undefined && (found.name === "postgres" || isOwn(found.parent));
  };
  return new Map([...all].filter(([pid]) => isOwn(pid)).map(([pid, { cpuMs }]) => [pid, cpuMs]));
}

function processes(): ReadonlyMap<number, ProcessStatus> {
  const found = new Map<number, ProcessStatus>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      found.set(Number(pid), statusOf(Number(pid)));
    } catch {
      // It has ended since it was listed.
    }
  }
  return found;
}
