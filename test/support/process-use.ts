import { readdirSync, readFileSync } from "node:fs";

/** Of `/proc/stat` and `/proc/PID/stat`, on every Linux that Node runs on. */
export const TICK_MS = 10;
const NANOSECONDS_A_MS = 1_000_000;
const KIB_A_MIB = 1_024;
const LOOK_MS = 50;

/** What a process used since it was first looked at. */
export interface ProcessUse {
  /** Of the threads that it had at the end. */
  readonly cpuMs: number;
  /** The most at any look. */
  readonly residentMiB: number;
}

/** Looks at a process from time to time. Linux only. */
export function watchProcess(pid: number): { stop(): ProcessUse } {
  const cpuBefore = cpuMsByThread(pid);
  let most = residentMiBOf(pid);
  const timer = setInterval(() => {
    most = Math.max(most, residentMiBOf(pid));
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      let cpuMs = 0;
      for (const [thread, ms] of cpuMsByThread(pid)) cpuMs += ms - (cpuBefore.get(thread) ?? 0);
      return { cpuMs, residentMiB: Math.max(most, residentMiBOf(pid)) };
    },
  };
}

export function residentMiBOf(pid: number): number {
  return memoryMiBOf(pid, "VmRSS");
}

/** What it has in memory now, or had at most. */
export function memoryMiBOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / KIB_A_MIB;
}

/** A process as the system lists it. */
export interface ProcessStatus {
  readonly name: string;
  readonly parent: number;
  /** Since it started, with the threads that have ended. */
  readonly cpuMs: number;
}

export function statusOf(pid: number): ProcessStatus {
  const [, name = "", rest = ""] =
    /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  // Behind the name, the 12th and 13th are times of the program and of the system.
  const fields = rest.split(" ").map(Number);
  const ticks = (fields[11] ?? Number.NaN) + (fields[12] ?? Number.NaN);
  return { name, parent: fields[1] ?? 0, cpuMs: ticks * TICK_MS };
}

/** Of the threads that there are, to the nanosecond: a short round is some ticks only. */
function cpuMsByThread(pid: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(
        " ",
      );
      found.set(thread, Number(nanoseconds) / NANOSECONDS_A_MS);
    } catch {
      // It has ended since it was listed.
    }
  }
  return found;
}
