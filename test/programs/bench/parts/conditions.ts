import type { Bench } from "../bench.ts";
import type { Cell, Table } from "../findings.ts";
import { callOf } from "../load/operations.ts";
import type { SqlWork } from "../load/work.ts";
import { tenantScenario } from "../operation-scenario.ts";
import { median } from "../samples.ts";
import type { RunningService } from "../service.ts";
import type { SentStatements } from "../statements.ts";
import { measureByClients, of, type Scenario } from "../turns.ts";

const CLIENTS = { full: [1, 8, 32], short: [1, 2] };
const TURNS = {
  full: { rounds: 5, milliseconds: 300, warmUpMs: 500 },
  short: { rounds: 1, milliseconds: 50, warmUpMs: 20 },
};
const COLD_SEARCHES = { full: 3, short: 1 };

/** A tenant, and a small one beside it that is not looked at. */
export interface ConditionsSetting {
  readonly service: RunningService;
  readonly key: string;
  readonly databaseUrl: string;
  readonly size: number;
  readonly tenantId: string;
  readonly smallTenantId: string;
  readonly sent: SentStatements;
}

/** A search where many search at once, with the `work_mem` that Postgres ships with, and where nothing is in a cache. */
export async function measureConditions(bench: Bench, setting: ConditionsSetting): Promise<Table> {
  const { extent, load } = bench;
  const { tenantId, databaseUrl, sent } = setting;
  const transactions = sent.retrieval.map((each) => [each]);
  const sql = (session: readonly string[]): SqlWork => ({
    kind: "sql",
    databaseUrl,
    session,
    transactions,
  });
  const scenarios: Scenario[] = [
    tenantScenario(setting, { name: "search", operation: "search", tenantId }),
    { name: "retrieval statement", work: sql(sent.session), serving: null },
    {
      name: "retrieval statement, default work_mem",
      work: sql([...sent.session, "reset work_mem"]),
      serving: null,
    },
  ];
  const measured = await measureByClients(load, scenarios, CLIENTS[extent], TURNS[extent]);
  const rows = scenarios.flatMap(({ name }) =>
    [...measured].map(([clients, byName]): Cell[] => {
      const { callsASecond, p50Ms, p95Ms } = of(byName, name);
      return [name, clients, callsASecond, p50Ms, p95Ms];
    }),
  );
  const cold = await measureCold(bench, setting);
  return {
    title: `A tenant of ${setting.size.toLocaleString("en")}, searched by many and from the disk`,
    note: `The connections of the service have a work_mem of at least 16 MB; "default" is the server's. ${cold.note}`,
    columns: ["", "clients", "calls/s", "p50 ms", "p95 ms"],
    rows: [...rows, ...cold.rows],
  };
}

/** The first search of the tenant after a start of the server, when another one was searched. */
async function measureCold(
  { extent, server: { own } }: Bench,
  { service, key, databaseUrl, tenantId, smallTenantId }: ConditionsSetting,
): Promise<{ readonly rows: Cell[][]; readonly note: string }> {
  if (own === null) return { rows: [], note: "" };
  const rest = { buffers: [] as number[], all: [] as number[] };
  let emptied = { filesMiB: 0, stayedMiB: 0 };
  for (let i = 0; i < COLD_SEARCHES[extent]; i++) {
    await own.restart();
    rest.buffers.push(await firstSearchMs());
    emptied = await own.restartCold(databaseUrl);
    rest.all.push(await firstSearchMs());
  }
  const row = (name: string, times: readonly number[]): Cell[] => [
    name,
    1,
    null,
    median(times),
    null,
  ];
  return {
    rows: [
      row("first search, shared buffers empty", rest.buffers),
      row("first search, and the system's cache of the database", rest.all),
    ],
    note:
      `First searches: the median of ${COLD_SEARCHES[extent]}, each after a restart of Postgres and a search of another tenant. ` +
      `The files of the database, ${emptied.filesMiB.toFixed(0)} MiB, were taken out of the system's cache, where ${emptied.stayedMiB.toFixed(0)} MiB of them stayed; what the disk itself and a host below the machine keep, was not emptied.`,
  };

  async function firstSearchMs(): Promise<number> {
    await service.untilReady();
    // Connections are made anew, and catalogues are read.
    while (!(await searchOf(smallTenantId)).ok);
    const since = performance.now();
    const { ok } = await searchOf(tenantId);
    if (!ok) throw new Error("A search of a cold database failed");
    return performance.now() - since;
  }

  async function searchOf(tenant: string): Promise<Response> {
    const { method, path, body } = callOf("search", tenant, 1).rest;
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer;
  }
}
