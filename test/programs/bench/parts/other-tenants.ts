import pg from "pg";
import { newTestLocation, type TestLocation } from "../../../support/database.ts";
import type { Bench } from "../bench.ts";
import { fillTenant, madeContents } from "../filled.ts";
import type { Cell, Findings, Ratio } from "../findings.ts";
import type { Operation } from "../load/operations.ts";
import { multiply } from "../multiplied.ts";
import { tenantScenario } from "../operation-scenario.ts";
import { compare } from "../samples.ts";
import { type RunningService, startService } from "../service.ts";
import { type Measured, measureInTurns, ONCE, of, type Scenario, type Turns } from "../turns.ts";

/** Rows of others, in each of two databases. */
const OTHERS = { full: [3_000, 300_000], short: [100, 1_000] };
const MEMORIES = { full: 1_000, short: 50 };
const TURNS: Readonly<Record<Bench["extent"], Turns>> = {
  full: { rounds: 7, milliseconds: 200, warmUpMs: 300 },
  short: ONCE,
};
const ACCOUNTS = 20;
const TENANTS = 1_000;
const ONE_CLIENT = 1;
const OPERATIONS = ["search", "list", "write"] as const;
/** Nobody searches them, so they may be short. */
const SHORT_VECTOR = "'[1,2,3,4,5,6,7,8]'::vector";

interface Place {
  readonly others: number;
  readonly place: TestLocation;
  readonly service: RunningService;
  readonly key: string;
}

/** The same tenant beside few others and beside a hundred times as many, in turns. */
export async function measureNeighbours({ extent, load }: Bench): Promise<Findings> {
  const places: Place[] = [];
  for (const others of OTHERS[extent]) places.push(await filledPlace(others, MEMORIES[extent]));
  const scenarios = places.flatMap((place) =>
    OPERATIONS.map((operation) => scenarioOf(place, operation)),
  );
  const [few = 0, many = 0] = OTHERS[extent];
  const measured = await measureInTurns(load, scenarios, ONE_CLIENT, TURNS[extent]);
  for (const { service, place } of places) {
    await service.close();
    await place.remove();
  }
  const ratio = (operation: Operation): Ratio => ({
    what: `Other tenants' data × 100: ${operation}`,
    bound: "at most",
    asked: 1.1,
    ...growthOf(measured, few, many, operation),
    from: [many, few]
      .map((others) => `${p50(measured, others, operation).toFixed(2)} ms`)
      .join(", "),
  });
  return {
    tables: [
      {
        title: "Other tenants grow",
        note: `p50 in ms of a tenant of ${MEMORIES[extent].toLocaleString("en")} memories, one client, beside so many rows of ${TENANTS} tenants of ${ACCOUNTS} other accounts. Its own rows came before those of the others.`,
        columns: ["", few.toLocaleString("en"), many.toLocaleString("en"), "times"],
        rows: rowsOf(measured, few, many),
      },
    ],
    ratios: [ratio("search"), ratio("write")],
    plots: [],
  };
}

function rowsOf(measured: Measured, few: number, many: number): Cell[][] {
  return OPERATIONS.map((operation) => [
    operation,
    p50(measured, few, operation),
    p50(measured, many, operation),
    growthOf(measured, few, many, operation).measured,
  ]);
}

function p50(measured: Measured, others: number, operation: Operation): number {
  return of(measured, nameOf(others, operation)).p50Ms;
}

function growthOf(measured: Measured, few: number, many: number, operation: Operation) {
  const beside = (others: number) => of(measured, nameOf(others, operation));
  return compare(beside(many), beside(few), (a, b) => a.p50Ms / b.p50Ms);
}

const TENANT = "asked";
const nameOf = (others: number, operation: Operation) => `${operation} beside ${others}`;

function scenarioOf(place: Place, operation: Operation): Scenario {
  return tenantScenario(place, {
    name: nameOf(place.others, operation),
    operation,
    // What is written is not searched.
    tenantId: operation === "write" ? "written" : TENANT,
  });
}

async function filledPlace(others: number, memories: number): Promise<Place> {
  const place = await newTestLocation("postgres");
  if (place.location.engine !== "postgres") throw new Error("It grows on Postgres");
  const service = await startService(place);
  const { key } = await service.newAccount("bench");
  await fillTenant(service, key, TENANT, madeContents(memories));
  for (let i = 0; i < ACCOUNTS; i++) await service.newAccount(`other-${i}`);
  const client = new pg.Client({ connectionString: place.location.url });
  await client.connect();
  await multiply(client, {
    from: { companyId: "bench", tenantId: TENANT },
    companyOf: `'other-' || n % ${ACCOUNTS}`,
    tenantOf: `'tenant-' || n % ${TENANTS}`,
    count: others,
    idStart: "0198c0de0",
    vectorOf: SHORT_VECTOR,
  });
  await client.query("vacuum analyze");
  await client.end();
  return { others, place, service, key };
}
