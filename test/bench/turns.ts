import type { Extent, Sample } from "./findings.ts";
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

export const TURNS: Readonly<Record<Extent, Turns>> = {
  full: { rounds: 3, milliseconds: 350, warmUpMs: 200 },
  short: { rounds: 1, milliseconds: 80, warmUpMs: 20 },
};

/** By the names of the scenarios. */
export type Measured = ReadonlyMap<string, Measurement>;

/**
 * Measures each scenario with so many clients, one round of each after the other, so that
 * what else the machine does hurts all of them. By name.
 */
export async function measureInTurns(
  load: Load,
  scenarios: readonly Scenario[],
  clients: number,
  { rounds, milliseconds, warmUpMs }: Turns,
): Promise<Measured> {
  const opened: (Omit<Scenario, "work"> & { work: OpenWork; samples: Sample[] })[] = [];
  for (const scenario of scenarios) {
    const work = await (scenario.load ?? load).open(scenario.work);
    opened.push({ ...scenario, work, samples: [] });
  }
  const run = (each: (typeof opened)[number], ms: number) =>
    each.work
      .run(
        { clients, milliseconds: ms, calls: each.calls ?? Number.MAX_SAFE_INTEGER },
        each.serving,
      )
      .catch((error: unknown) => {
        throw new Error(`${each.name}, ${clients} clients: ${error}`);
      });
  if (warmUpMs > 0) for (const each of opened) await run(each, warmUpMs);
  for (let round = 0; round < rounds; round++) {
    for (const each of opened) each.samples.push(await run(each, milliseconds));
  }
  for (const { work } of opened) await work.close();
  return new Map(opened.map(({ name, samples }) => [name, summarize(samples)]));
}

/** Of a measurement that is there. */
export function of(measured: Measured, name: string): Measurement {
  const found = measured.get(name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found;
}
