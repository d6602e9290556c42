import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** How much of the processors went to others than the bench, as shares of all there are. */
export interface MachineUse {
  /** Programs that the bench did not start. */
  readonly others: number;
  /** What the host gave to other machines, as far as it says so. */
  readonly stolen: number;
}

/** What a process did between the last look at it and its end counts as others'. */
const LOOK_MS = 500;
const TICKS_A_SECOND = 100;

/** Watches who uses the machine beside this process, what it started, and Postgres. Linux only. */
export function watchMachine(): { stop(): MachineUse } {
  const since = performance.now();
  const before = readTotals();
  let own = 0;
  let known = ownTicks();
  const look = () => {
    const now = ownTicks();
    for (const [pid, ticks] of now) own += ticks - (known.get(pid) ?? 0);
    known = now;
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      const { busy, stolen } = readTotals();
      const all = ((performance.now() - since) / 1_000) * TICKS_A_SECOND * availableParallelism();
      return {
        others: Math.max(0, busy - before.busy - own) / all,
        stolen: (stolen - before.stolen) / all,
      };
    },
  };
}

/** Ticks of processors since the machine started. */
function readTotals(): { readonly busy: number; readonly stolen: number } {
  const [, ...ticks] = (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "").split(/\s+/);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, stolen = 0] = ticks.map(Number);
  return { busy: user + nice + system + irq + softIrq, stolen };
}

interface Process {
  readonly name: string;
  readonly parent: number;
  readonly ticks: number;
}

/** Ticks of processors, by process. Servers have no parent that could be told. */
function ownTicks(): ReadonlyMap<number, number> {
  const all = processes();
  const isOwn = (pid: number): boolean => {
    if (pid === process.pid) return true;
    const found = all.get(pid);
    return found !== undefined && (found.name === "postgres" || isOwn(found.parent));
  };
  return new Map([...all].filter(([pid]) => isOwn(pid)).map(([pid, { ticks }]) => [pid, ticks]));
}

function processes(): ReadonlyMap<number, Process> {
  const found = new Map<number, Process>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const [, name = "", rest = ""] =
        /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const fields = rest.split(" ").map(Number);
      const [parent = 0, ticks] = [fields[1], (fields[11] ?? 0) + (fields[12] ?? 0)];
      found.set(Number(pid), { name, parent, ticks });
    } catch {
      // It has ended since it was listed.
    }
  }
  return found;
}
