import type { TestEngine } from "../../support/database.ts";
import { newTestLocation } from "../../support/database.ts";
import type { Bench } from "../bench.ts";
import { fillTenant, madeContents } from "../filled.ts";
import type { Findings, Ratio, Table } from "../findings.ts";
import { OPERATIONS, type Operation } from "../load/operations.ts";
import type { ServiceWork } from "../load/work.ts";
import {
  FILLED_TENANT,
  nameOf,
  OPERATION_NAMES,
  operationScenario,
} from "../operation-scenario.ts";
import type { Measurement } from "../samples.ts";
import { type RunningService, startService } from "../service.ts";
import { measureInTurns, of, type Scenario, TURNS } from "../turns.ts";
import { FLOOR, startFloors } from "./floors.ts";

const CLIENTS = { full: [1, 8, 32], short: [1, 8] };
const MEMORIES = { full: 1_000, short: 100 };
const QUESTIONS = { full: 200, short: 10 };
const MB_A_MIB = 1.048576;

type ByClients = ReadonlyMap<number, ReadonlyMap<string, Measurement>>;

/** Every kind of call, over REST and gRPC, beside its floors, on both engines. */
export async function measureCalls(bench: Bench): Promise<Findings> {
  const postgres = await measureEngine(bench, "postgres");
  const pglite = await measureEngine(bench, "pglite");
  return {
    tables: [tableOf(postgres), tableOf(pglite)],
    ratios: ratiosOf(postgres.measured),
    plots: [],
  };
}

interface MeasuredEngine {
  readonly description: string;
  readonly measured: ByClients;
  readonly memories: number;
}

async function measureEngine(bench: Bench, engine: TestEngine): Promise<MeasuredEngine> {
  const memories = MEMORIES[bench.extent];
  const place = await newTestLocation(engine);
  const service = await startService(place);
  const { key } = await service.newAccount("bench");
  await fillTenant(service, key, FILLED_TENANT, madeContents(memories));
  const floors =
    place.location.engine === "postgres"
      ? await startFloors({
          databaseUrl: place.location.url,
          companyId: "bench",
          key,
          tenantId: FILLED_TENANT,
          questions: QUESTIONS[bench.extent],
        })
      : null;
  const scenarios = [...(floors?.scenarios ?? []), ...serviceScenarios(service, key, engine)];
  const measured = new Map<number, ReadonlyMap<string, Measurement>>();
  for (const clients of CLIENTS[bench.extent]) {
    measured.set(
      clients,
      await measureInTurns(bench.load, scenarios, clients, TURNS[bench.extent]),
    );
  }
  await floors?.close();
  await service.close();
  await place.remove();
  return { description: service.description, measured, memories };
}

function serviceScenarios(service: RunningService, key: string, engine: TestEngine): Scenario[] {
  const scenario = (operation: Operation, protocol: ServiceWork["protocol"]) =>
    operationScenario(service, key, operation, protocol);
  const beside = engine === "postgres" ? (["search", "list"] as const) : [];
  return [
    ...OPERATIONS.flatMap((each) => [scenario(each, "rest"), scenario(each, "grpc")]),
    ...beside.map((each) => scenario(each, "connect-json")),
  ];
}

function tableOf({ description, measured, memories }: MeasuredEngine): Table {
  const names = [...(measured.get(1)?.keys() ?? [])];
  const rows = names.flatMap((name) =>
    [...measured].map(([clients, byName]) => {
      const each = of(byName, name);
      return [
        name,
        clients,
        each.callsASecond,
        each.p50Ms,
        each.p95Ms,
        each.p99Ms,
        each.cpuMsACall,
        each.residentMiB,
        each.failures,
      ];
    }),
  );
  return {
    title: `Calls on ${description}`,
    note:
      `A tenant of ${memories} memories is searched, asked and listed (100 a page, 10 a search); ` +
      "a batch is of 100 memories. Models are the local ones. Processor time and memory are those " +
      "of the process that serves, with all its threads, and not of Postgres.",
    columns: [
      "",
      "clients",
      "calls/s",
      "p50 ms",
      "p95 ms",
      "p99 ms",
      "CPU ms/call",
      "MiB",
      "failed",
    ],
    rows,
  };
}

function ratiosOf(measured: ByClients): Ratio[] {
  const at = (clients: number, name: string) => of(measured.get(clients) ?? new Map(), name);
  const write = nameOf("write", "rest");
  const search = nameOf("search", "rest");
  const figure = (value: number, unit: string) => `${value.toFixed(2)} ${unit}`;
  const [one, floorOfOne] = [at(1, write), at(1, FLOOR.write)];
  const [eight, floorOfEight] = [at(8, write), at(8, FLOOR.write)];
  const [searched, bySql] = [at(1, search), at(1, FLOOR.retrieval)];
  const [asked, byHttp] = [at(8, search), at(8, FLOOR.httpWithSql)];
  const cpu = (operation: Operation): Ratio => {
    const rest = at(8, nameOf(operation, "rest")).cpuMsACall ?? Number.NaN;
    const json = at(8, nameOf(operation, "connect-json")).cpuMsACall ?? Number.NaN;
    return {
      what: `REST to Connect's JSON handler in processor time, everything on: ${operation}`,
      bound: "at most",
      asked: 0.7,
      measured: rest / json,
      from: `${figure(rest, "ms")}, ${figure(json, "ms")} a call`,
    };
  };
  const most = Math.max(
    ...[...measured.values()].flatMap((byName) =>
      OPERATION_NAMES.map((name) => of(byName, name).residentMiB ?? 0),
    ),
  );
  return [
    {
      what: "Content write to begin, 4 inserts, commit, one client",
      bound: "at most",
      asked: 2.5,
      measured: one.p50Ms / floorOfOne.p50Ms,
      from: `${figure(one.p50Ms, "ms")}, ${figure(floorOfOne.p50Ms, "ms")}`,
    },
    {
      what: "Content writes a second to those of the same floor, 8 clients",
      bound: "at least",
      asked: 0.5,
      measured: eight.callsASecond / floorOfEight.callsASecond,
      from: `${eight.callsASecond.toFixed(0)}/s, ${floorOfEight.callsASecond.toFixed(0)}/s`,
    },
    {
      what: "Search less its SQL at 1,000 memories, p50, one client",
      bound: "at most",
      asked: 1,
      unit: "ms",
      measured: searched.p50Ms - bySql.p50Ms,
      from: `${figure(searched.p50Ms, "ms")}, ${figure(bySql.p50Ms, "ms")}`,
    },
    {
      what: "Searches a second to those of node:http with a digest and the same SQL, 8 clients",
      bound: "at least",
      asked: 0.7,
      measured: asked.callsASecond / byHttp.callsASecond,
      from: `${asked.callsASecond.toFixed(0)}/s, ${byHttp.callsASecond.toFixed(0)}/s`,
    },
    cpu("search"),
    cpu("list"),
    {
      what: "Resident on Postgres under load, the most",
      bound: "at most",
      asked: 250,
      unit: "MB",
      measured: most * MB_A_MIB,
      from: "of all rounds, up to 32 clients with batches of 100",
    },
  ];
}
