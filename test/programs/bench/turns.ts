import type { Sample } from "./findings.ts";
import type { Load, OpenWork } from "./load/load.ts";
import type { Work } from "./load/work.ts";
import { type Measurement, summarize } from "./samples.ts";

/** Something that is measured beside others. */
export interface Scenario {
  readonly name: string;
  readonly work: Work;
  /** The process that serves, whose time and memory count; null: none does. */
  readonly serving: number | null;
  /** Another process than the others' makes this load. */
  readonly load?: Load;
  /** Calls of a round at most, where each leaves much behind. */
  readonly calls?: number;
}

/** How long it is measured. */
export interface Turns {
  readonly rounds: number;
  readonly milliseconds: number;
  readonly warmUpMs: number;
}

/** Each client calls once: whether it works. */
export const ONCE: Turns = { rounds: 1, milliseconds: 1, warmUpMs: 0 };

/** By the names of the scenarios. */
export type Measured = ReadonlyMap<string, Measurement>;

/** Measures each scenario with so many clients. By name. */
export async function measureInTurns(
  load: Load,
  scenarios: readonly Scenario[],
  clients: number,
  turns: Turns,
): Promise<Measured> {
  const byClients = await measureByClients(load, scenarios, [clients], turns);
  return byClients.get(clients) ?? new Map();
}

/**
 * One round of each scenario after the other, and that over and over, so that what else the
 * machine does hurts all of them. Before, each is called for a while by the most clients,
 * which do not count: connections are made, and code and statements are what they will be.
 */
export async function measureByClients(
  load: Load,
  scenarios: readonly Scenario[],
  clientCounts: readonly number[],
  { rounds, milliseconds, warmUpMs }: Turns,
): Promise<ReadonlyMap<number, Measured>> {
  const opened: (Omit<Scenario, "work"> & { work: OpenWork })[] = [];
  for (const scenario of scenarios) {
    opened.push({ ...scenario, work: await (scenario.load ?? load).open(scenario.work) });
  }
  const run = (each: (typeof opened)[number], clients: number, ms: number) =>
    each.work
      .run(
        { clients, milliseconds: ms, calls: each.calls ?? Number.MAX_SAFE_INTEGER },
        each.serving,
      )
      .catch((error: unknown) => {
        throw new Error(`${each.name}, ${clients} clients: ${error}`);
      });
  if (warmUpMs > 0) for (const each of opened) await run(each, Math.max(...clientCounts), warmUpMs);
  const samples = clientCounts.map((clients) => ({
    clients,
    byName: new Map(opened.map(({ name }) => [name, [] as Sample[]])),
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { clients, byName } of samples) {
      for (const each of opened)
        byName.get(each.name)?.push(await run(each, clients, milliseconds));
    }
  }
  for (const { work } of opened) await work.close();
  return new Map(
    samples.map(({ clients, byName }) => [
      clients,
      new Map([...byName].map(([name, each]) => [name, summarize(each)])),
    ]),
  );
}

/** Of a measurement that is there. */
export function of(measured: Measured, name: string): Measurement {
  const found = measured.get(name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found;
}
