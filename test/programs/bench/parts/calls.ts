import type { TestEngine } from "../../../support/database.ts";
import { newTestLocation } from "../../../support/database.ts";
import type { Bench } from "../bench.ts";
import { fillTenant, madeContents } from "../filled.ts";
import type { Findings, Ratio, Table } from "../findings.ts";
import { OPERATIONS, type Operation } from "../load/operations.ts";
import type { ServiceWork } from "../load/work.ts";
import { FILLED_TENANT, operationScenario } from "../operation-scenario.ts";
import { percent } from "../page/console.ts";
import { type RunningService, startService } from "../service.ts";
import { type Measured, measureByClients, ONCE, of, type Scenario, type Turns } from "../turns.ts";
import { callRatios } from "./call-ratios.ts";
import { startFloors } from "./floors.ts";
import { supersedingWrites } from "./superseding-writes.ts";

const CLIENTS = [1, 8];
const MEMORIES = { full: 1_000, short: 20 };
const QUESTIONS = { full: 200, short: 3 };
const TURNS: Readonly<Record<Bench["extent"], Readonly<Record<TestEngine, Turns>>>> = {
  full: {
    postgres: { rounds: 7, milliseconds: 150, warmUpMs: 250 },
    pglite: { rounds: 3, milliseconds: 200, warmUpMs: 400 },
  },
  short: { postgres: ONCE, pglite: ONCE },
};

/** Every kind of call beside its floors, on both engines. */
export async function measureCalls(bench: Bench): Promise<Findings> {
  const postgres = await measureEngine(bench, "postgres");
  const pglite = await measureEngine(bench, "pglite");
  return {
    tables: [tableOf(postgres), tableOf(pglite)],
    ratios: [...postgres.ratios, ...pglite.ratios],
    plots: [],
  };
}

interface MeasuredEngine {
  readonly description: string;
  readonly measured: ReadonlyMap<number, Measured>;
  readonly ratios: readonly Ratio[];
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
  const scenarios = [
    ...(floors?.scenarios ?? []),
    ...serviceScenarios(service, key, engine),
    ...(floors === null ? [] : await supersedingWrites(service, key, bench.extent)),
  ];
  const turns = TURNS[bench.extent][engine];
  const measured = await measureByClients(bench.load, scenarios, CLIENTS, turns);
  const ratios = floors === null ? [] : callRatios(measured);
  await floors?.close();
  await service.close();
  await place.remove();
  return { description: service.description, measured, ratios, memories };
}

/** Over every protocol on Postgres; the engine makes no difference to a protocol. */
function serviceScenarios(service: RunningService, key: string, engine: TestEngine): Scenario[] {
  const scenario = (operation: Operation, protocol: ServiceWork["protocol"]) =>
    operationScenario(service, key, operation, protocol);
  if (engine === "pglite") return OPERATIONS.map((each) => scenario(each, "rest"));
  return [
    ...OPERATIONS.flatMap((each) => [scenario(each, "rest"), scenario(each, "grpc")]),
    ...(["search", "list"] as const).map((each) => scenario(each, "connect-json")),
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
        percent(each.callerShare),
        each.residentMiB,
        each.failures,
      ];
    }),
  );
  return {
    title: `Calls on ${description}`,
    note:
      `A tenant of ${memories} memories is searched, asked and listed (100 a page, 10 a search); two of seven are of a topic of profiles; ` +
      "a batch is of 100 memories. Models are the local ones. Processor time and memory are those " +
      "of the process that serves, with all its threads, and not of Postgres. Calls a second, p50 and processor " +
      'time are those of the middle round; "caller" is how much of a processor the process of the load used.',
    columns: [
      "",
      "clients",
      "calls/s",
      "p50 ms",
      "p95 ms",
      "p99 ms",
      "CPU ms/call",
      "caller",
      "MiB",
      "failed",
    ],
    rows,
  };
}
