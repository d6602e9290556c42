import type { Played, Round } from "./work.ts";

/** Something that can be done over and over, by several at a time. */
export interface Calls {
  /** `index` counts the calls of all clients, over all rounds. Rejects where it is refused. */
  call(index: number, client: number): Promise<void>;
  close(): void | Promise<void>;
}

const nextIndex = new WeakMap<Calls, number>();

/** Each client calls again as soon as it was answered. */
export async function play(calls: Calls, round: Round): Promise<Played> {
  const latenciesMs: number[] = [];
  let failures = 0;
  let failure: string | null = null;
  let left = round.calls;
  let index = nextIndex.get(calls) ?? 0;
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const end = start + round.milliseconds;
  const work = async (client: number) => {
    // Each calls once at least, however slow the machine is.
    for (let isFirst = true; left > 0 && (isFirst || performance.now() < end); isFirst = false) {
      left -= 1;
      const since = performance.now();
      try {
        await calls.call(index++, client);
        latenciesMs.push(performance.now() - since);
      } catch (error) {
        failures += 1;
        failure ??= String(error);
      }
    }
  };
  await Promise.all(Array.from({ length: round.clients }, (_, client) => work(client)));
  nextIndex.set(calls, index);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { latenciesMs, seconds, callerCpuMs: (user + system) / 1_000, failures, failure };
}
