import type { Ratio } from "../findings.ts";
import type { Load } from "../load/load.ts";
import { nameOf } from "../operation-scenario.ts";
import { compare, type Figures, type Measurement } from "../samples.ts";
import { measureInTurns, of, type Scenario, type Turns } from "../turns.ts";
import { FLOOR } from "./floors.ts";

/** Two kinds of calls that are held against each other, one short round after the other. */
interface Pair {
  readonly what: string;
  readonly clients: number;
  readonly service: string;
  readonly floor: string;
  readonly bound: Ratio["bound"];
  readonly asked: number;
  readonly unit?: Ratio["unit"];
  readonly by: (service: Figures, floor: Figures) => number;
  /** What it is made of. */
  readonly shown: (figures: Measurement) => string;
}

const WRITE = nameOf("write", "rest");
const SEARCH = nameOf("search", "rest");
const ms = (value: number) => `${value.toFixed(2)} ms`;

const cpuRatio = (service: Figures, floor: Figures) =>
  (service.cpuMsACall ?? Number.NaN) / (floor.cpuMsACall ?? Number.NaN);
const shownCpu = ({ cpuMsACall }: Measurement) => `${ms(cpuMsACall ?? Number.NaN)} a call`;

const PAIRS: readonly Pair[] = [
  {
    what: "Content write to begin, 4 inserts, commit, one client",
    clients: 1,
    service: WRITE,
    floor: FLOOR.write,
    bound: "at most",
    asked: 2.5,
    by: (service, floor) => service.p50Ms / floor.p50Ms,
    shown: ({ p50Ms }) => ms(p50Ms),
  },
  {
    what: "Content writes a second to those of the same floor, 8 clients",
    clients: 8,
    service: WRITE,
    floor: FLOOR.write,
    bound: "at least",
    asked: 0.5,
    by: (service, floor) => service.callsASecond / floor.callsASecond,
    shown: ({ callsASecond }) => `${callsASecond.toFixed(0)}/s`,
  },
  {
    what: "Search less its SQL at 1,000 memories, p50, one client",
    clients: 1,
    service: SEARCH,
    floor: FLOOR.retrieval,
    bound: "at most",
    asked: 1,
    unit: "ms",
    by: (service, floor) => service.p50Ms - floor.p50Ms,
    shown: ({ p50Ms }) => ms(p50Ms),
  },
  {
    what: "Context within 1,000 tokens to a search, p50, one client",
    clients: 1,
    service: nameOf("context", "rest"),
    floor: SEARCH,
    bound: "at most",
    asked: 1.3,
    by: (service, floor) => service.p50Ms / floor.p50Ms,
    shown: ({ p50Ms }) => ms(p50Ms),
  },
  {
    what: "Searches a second to those of node:http with a digest and the same SQL, 8 clients",
    clients: 8,
    service: SEARCH,
    floor: FLOOR.httpWithSql,
    bound: "at least",
    asked: 0.7,
    by: (service, floor) => service.callsASecond / floor.callsASecond,
    shown: ({ callsASecond }) => `${callsASecond.toFixed(0)}/s`,
  },
  ...(["write", "search", "list"] as const).map(
    (operation): Pair => ({
      what: `gRPC to REST in processor time: ${operation}`,
      clients: 8,
      service: nameOf(operation, "grpc"),
      floor: nameOf(operation, "rest"),
      bound: "at most",
      asked: 1.1,
      by: cpuRatio,
      shown: shownCpu,
    }),
  ),
  ...(["search", "list"] as const).map(
    (operation): Pair => ({
      what: `REST to Connect's JSON handler in processor time, everything on: ${operation}`,
      clients: 8,
      service: nameOf(operation, "rest"),
      floor: nameOf(operation, "connect-json"),
      bound: "at most",
      asked: 0.7,
      by: cpuRatio,
      shown: shownCpu,
    }),
  ),
];

/** What must show of calls: the middle of many short rounds, in each of which both sides were called. */
export async function measureCallRatios(
  load: Load,
  scenarios: readonly Scenario[],
  turns: Turns,
): Promise<Ratio[]> {
  const named = (name: string) => scenarios.filter((each) => each.name === name);
  const ratios: Ratio[] = [];
  for (const { clients, service, floor, by, shown, ...pair } of PAIRS) {
    const both = [...named(service), ...named(floor)];
    const measured = await measureInTurns(load, both, clients, turns);
    const [a, b] = [of(measured, service), of(measured, floor)];
    ratios.push({ ...pair, ...compare(a, b, by), from: `${shown(a)}, ${shown(b)}` });
  }
  return ratios;
}
