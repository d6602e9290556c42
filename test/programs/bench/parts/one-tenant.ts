import pg from "pg";
import { randomFrom } from "../../../storage/contract/random.ts";
import { newTestLocation, type TestLocation } from "../../../support/database.ts";
import type { Bench } from "../bench.ts";
import { fillTenant } from "../filled.ts";
import type { Cell, Findings, Ratio } from "../findings.ts";
import type { SqlWork, Statement, StatementValue } from "../load/work.ts";
import { madeTexts } from "../made-texts.ts";
import { makeNoise, multiply, WITH_NOISE } from "../multiplied.ts";
import { tenantScenario } from "../operation-scenario.ts";
import { compare, slope } from "../samples.ts";
import { type RunningService, startService } from "../service.ts";
import { type SentStatements, sentStatements } from "../statements.ts";
import { type Measured, measureInTurns, ONCE, of, type Scenario, type Turns } from "../turns.ts";

const SIZES = { full: [1_000, 10_000, 100_000], short: [20, 40] };
const BASE = { full: 2_000, short: 20 };
const TURNS: Readonly<Record<Bench["extent"], Turns>> = {
  full: { rounds: 5, milliseconds: 200, warmUpMs: 200 },
  short: ONCE,
};
const QUESTIONS = { full: 20, short: 3 };
const DIMENSIONS = 768;
const ONE_CLIENT = 1;
/** Of the retrieval statement, in times of the plain scan. */
const ASKED = [
  { size: 1_000, asked: 1.9 },
  { size: 10_000, asked: 1.6 },
  { size: 100_000, asked: 1.4 },
];

const LINES = ["search", "write", "list", "retrieval statement", "plain scan"] as const;
type Line = (typeof LINES)[number];

/** One tenant grows on Postgres. */
export async function measureTenants(bench: Bench): Promise<Findings> {
  const { extent, load } = bench;
  const place = await newTestLocation("postgres");
  if (place.location.engine !== "postgres") throw new Error("It grows on Postgres");
  const databaseUrl = place.location.url;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // With idle processors Postgres would share a large scan among some, but not each kind of it.
  const [{ name }] = (await client.query("select current_database() as name")).rows;
  await client.query(`alter database ${name} set max_parallel_workers_per_gather = 0`);
  // Of the default an index of many vectors takes ten times as long to make.
  await client.query(`alter database ${name} set maintenance_work_mem = '1GB'`);
  const service = await startService(place);
  const { key } = await service.newAccount("bench");
  const made = madeTexts([{ tenantId: "base", memories: BASE[extent] }], randomFrom(1));
  const texts = [...made].map(({ text }) => text);
  await fillTenant(service, key, "base", texts);
  await makeNoise(client, DIMENSIONS);
  for (const [i, size] of SIZES[extent].entries()) {
    await multiply(client, {
      from: { companyId: "bench", tenantId: "base" },
      companyOf: "'bench'",
      tenantOf: `'${tenantOf(size)}'`,
      count: size,
      idStart: `0198c0de${i}`,
      vectorOf: WITH_NOISE,
    });
  }
  const asked = await makePlainTable(client);
  await client.query("vacuum analyze");
  await client.end();

  const times = new Map<Line, [number, number][]>(LINES.map((line) => [line, []]));
  const bySize = new Map<number, Measured>();
  const rows: Cell[][] = [];
  for (const size of SIZES[extent]) {
    const sent = await sentStatements(place, key, tenantOf(size), QUESTIONS[extent]);
    const measured = await measureInTurns(
      load,
      scenariosOf({ service, key, databaseUrl, size, sent, asked }),
      ONE_CLIENT,
      TURNS[extent],
    );
    bySize.set(size, measured);
    const share = retrievalShare(measured).measured;
    rows.push([size, ...LINES.map((line) => of(measured, line).p50Ms), share]);
    for (const line of LINES) times.get(line)?.push([size, of(measured, line).p50Ms]);
  }
  const largest = SIZES[extent].at(-1) ?? 0;
  const indexed = await measureIndexed(bench, {
    place,
    service,
    key,
    databaseUrl,
    size: largest,
    asked,
  });
  await service.close();
  await place.remove();
  rows.push(["slope", ...LINES.map((line) => slope(times.get(line) ?? [])), null]);
  return {
    tables: [
      {
        title: "One tenant grows",
        note:
          `p50 in ms, one client, ${DIMENSIONS} dimensions, 10 results a search, pages of 100. The plain scan reads a table of vectors alone, ` +
          "stored in its rows, by an index of accounts and tenants. The slope is that of the logarithms: 0 stays, 1 grows in proportion. No statement is shared by several processes of Postgres.",
        columns: ["memories", ...LINES, "statement / scan"],
        rows,
      },
    ],
    ratios: [...ratiosOf(bySize), indexed],
    plots: [
      {
        kind: "lines",
        name: "growth",
        title: "One tenant grows: p50 of a call, one client, Postgres",
        xLabel: "memories of the tenant",
        yLabel: "ms",
        lines: LINES.map((line) => ({ name: line, points: times.get(line) ?? [] })),
      },
    ],
  };
}

const tenantOf = (size: number) => `of ${size}`;

function retrievalShare(measured: Measured) {
  const [statement, scan] = [of(measured, "retrieval statement"), of(measured, "plain scan")];
  return compare(statement, scan, (a, b) => a.p50Ms / b.p50Ms);
}

interface Setting {
  readonly service: RunningService;
  readonly key: string;
  readonly databaseUrl: string;
  readonly size: number;
  readonly sent: SentStatements;
  readonly asked: StatementValue;
}

function scenariosOf(setting: Setting): Scenario[] {
  const { databaseUrl, size, sent, asked } = setting;
  const call = (name: Line, operation: "search" | "write" | "list") =>
    tenantScenario(setting, { name, operation, tenantId: tenantOf(size) });
  const sql = (name: Line, transactions: SqlWork["transactions"]): Scenario => ({
    name,
    work: { kind: "sql", databaseUrl, session: sent.session, transactions },
    serving: null,
  });
  return [
    call("search", "search"),
    sql(
      "retrieval statement",
      sent.retrieval.map((each) => [each]),
    ),
    sql("plain scan", [[plainScan(tenantOf(size), asked)]]),
    call("list", "list"),
    call("write", "write"),
  ];
}

/** The largest tenant, with the approximate index that an operator may give it. */
async function measureIndexed(
  { extent, load }: Bench,
  setting: Omit<Setting, "sent"> & { readonly place: TestLocation },
): Promise<Ratio> {
  const { place, service, key, size } = setting;
  const tenantId = tenantOf(size);
  await service.indexTenant("bench", tenantId);
  const sent = await sentStatements(place, key, tenantId, QUESTIONS[extent]);
  const isSearched = ({ name }: Scenario) => !["list", "write"].includes(name);
  const scenarios = scenariosOf({ ...setting, sent }).filter(isSearched);
  const measured = await measureInTurns(load, scenarios, ONE_CLIENT, TURNS[extent]);
  const p50 = (line: Line) => of(measured, line).p50Ms;
  return {
    what: `Top 10 of ${size.toLocaleString("en")} with an index of the tenant's own, to the plain scan`,
    bound: "at most",
    asked: 0.1,
    ...retrievalShare(measured),
    from: `${p50("retrieval statement").toFixed(1)} ms, ${p50("plain scan").toFixed(1)} ms; by REST ${p50("search").toFixed(1)} ms`,
  };
}

/** Vectors in their rows, and nothing else. One of them. */
async function makePlainTable(client: pg.Client): Promise<StatementValue> {
  await client.query(`
    create table bench_plain (
      company_id text not null, tenant_id text not null, memory_id uuid not null, embedding vector
    ) with (toast_tuple_target = 8160);
    alter table bench_plain alter embedding set storage plain;
    insert into bench_plain select company_id, tenant_id, memory_id, embedding from memory_vectors;
    create index on bench_plain (company_id, tenant_id)`);
  const { rows } = await client.query<{ base64: string }>(
    "select encode(vector_send(embedding), 'base64') as base64 from bench_plain limit 1",
  );
  return { kind: "bytes", base64: rows[0]?.base64 ?? "" };
}

function plainScan(tenantId: string, asked: StatementValue): Statement {
  return {
    text: `
      with asked as materialized (select $2::vector as vector)
      select memory_id, embedding <=> (select vector from asked) as distance from bench_plain
      where company_id = 'bench' and tenant_id = $1
      order by distance limit 10`,
    values: [{ kind: "given", value: tenantId }, asked],
  };
}

function ratiosOf(bySize: ReadonlyMap<number, Measured>): Ratio[] {
  return ASKED.map(({ size, asked }): Ratio => {
    const ratio = {
      what: `Top 10 of ${size.toLocaleString("en")}, exact, by words, vectors and conversations, to the plain scan (${DIMENSIONS} dimensions)`,
      ...({ bound: "at most", asked } as const),
    };
    const measured = bySize.get(size);
    if (measured === undefined) return { ...ratio, measured: null, from: "" };
    const ms = (line: Line) => `${of(measured, line).p50Ms.toFixed(1)} ms`;
    const from = `${ms("retrieval statement")}, ${ms("plain scan")}`;
    return { ...ratio, ...retrievalShare(measured), from };
  });
}
