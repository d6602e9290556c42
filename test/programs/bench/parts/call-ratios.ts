import type { Ratio } from "../findings.ts";
import { nameOf } from "../operation-scenario.ts";
import { compare, type Figures, type Measurement } from "../samples.ts";
import { type Measured, of } from "../turns.ts";
import { FLOOR } from "./floors.ts";
import { SUPERSEDING_WRITE, WRITE_WITHOUT } from "./superseding-writes.ts";

/** Calls that are held against others, or against none, round by round. */
interface Row {
  readonly what: string;
  readonly clients: number;
  readonly service: string;
  /** null: it is held against a figure alone. */
  readonly floor: string | null;
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

const cpuOf = ({ cpuMsACall }: Figures) => cpuMsACall ?? Number.NaN;
const p50 = {
  by: (service: Figures, floor: Figures) => service.p50Ms / floor.p50Ms,
  shown: ({ p50Ms }: Measurement) => ms(p50Ms),
};
const rate = {
  by: (service: Figures, floor: Figures) => service.callsASecond / floor.callsASecond,
  shown: ({ callsASecond }: Measurement) => `${callsASecond.toFixed(0)}/s`,
};
const cpu = {
  by: (service: Figures, floor: Figures) => cpuOf(service) / cpuOf(floor),
  shown: (figures: Measurement) => `${ms(cpuOf(figures))} a call`,
};
const atMost = (asked: number) => ({ bound: "at most", asked }) as const;
const atLeast = (asked: number) => ({ bound: "at least", asked }) as const;

const ROWS: readonly Row[] = [
  {
    what: "Content write to begin, 4 inserts, commit, p50, one client",
    ...{ clients: 1, service: WRITE, floor: FLOOR.write, ...atMost(2.5), ...p50 },
  },
  {
    what: "Content writes a second to those of the same floor, 8 clients",
    ...{ clients: 8, service: WRITE, floor: FLOOR.write, ...atLeast(0.5), ...rate },
  },
  {
    what: "Write with automatic supersession to one without, tenant of 500, p50, one client",
    ...{ clients: 1, service: SUPERSEDING_WRITE, floor: WRITE_WITHOUT, ...atMost(3), ...p50 },
  },
  {
    what: "Search less its SQL at 1,000 memories, p50, one client",
    ...{ clients: 1, service: SEARCH, floor: FLOOR.retrieval, ...atMost(1), unit: "ms", ...p50 },
    by: (service, floor) => service.p50Ms - floor.p50Ms,
  },
  {
    what: "Searches a second to those of node:http with a digest and the same SQL, 8 clients",
    ...{ clients: 8, service: SEARCH, floor: FLOOR.httpWithSql, ...atLeast(0.7), ...rate },
  },
  {
    what: "Context within 1,000 tokens to a search, p50, one client",
    ...{ clients: 1, service: nameOf("context", "rest"), floor: SEARCH, ...atMost(1.3), ...p50 },
  },
  {
    what: "A question, local models, processor time of the service, 8 clients",
    ...{ clients: 8, service: nameOf("ask", "rest"), floor: null, ...atMost(3), unit: "ms" },
    by: cpuOf,
    shown: cpu.shown,
  },
  ...(["write", "search", "list"] as const).map(
    (operation): Row => ({
      what: `gRPC to REST in processor time: ${operation}`,
      ...{ clients: 8, service: nameOf(operation, "grpc"), floor: nameOf(operation, "rest") },
      ...{ ...atMost(1.1), ...cpu },
    }),
  ),
  ...(["search", "list"] as const).map(
    (operation): Row => ({
      what: `REST to Connect's JSON handler in processor time, everything on: ${operation}`,
      ...{ clients: 8, service: nameOf(operation, "rest") },
      ...{ floor: nameOf(operation, "connect-json"), ...atMost(0.7), ...cpu },
    }),
  ),
];

/** What must show of calls that were measured in the same rounds. */
export function callRatios(byClients: ReadonlyMap<number, Measured>): Ratio[] {
  return ROWS.flatMap(({ clients, service, floor, by, shown, ...row }) => {
    const measured = byClients.get(clients);
    if (measured === undefined) return [];
    const own = of(measured, service);
    const other = of(measured, floor ?? service);
    const from = floor === null ? "" : `${shown(own)}, ${shown(other)}`;
    return { ...row, ...compare(own, other, by), from };
  });
}
