import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { openPostgres } from "../../../src/storage/engines/postgres.ts";
import { MIGRATIONS } from "../../../src/storage/migrate.ts";
import type { Schema } from "../../../src/storage/schema.ts";
import { CitusCluster } from "../../support/citus-cluster.ts";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import { PROCESS_VARIABLES } from "../../support/service-process.ts";
import { table } from "./figures.ts";
import type { Part } from "./part.ts";

const ACCOUNTS = 200;
const MEMORIES = 20_000;
const KILLED_AFTER_MS = [1_000, 2_000, 3_000, 4_000];

interface Run {
  readonly code: number | null;
  readonly said: string;
  readonly seconds: number;
}

/**
 * `database distribute` on a database that holds memories: killed in the middle, run again, run
 * once more, and after a table was put back.
 */
export async function distributing(): Promise<Part> {
  const cluster = await CitusCluster.create();
  const { url } = cluster.coordinator;
  const engine = openPostgres(url, 1);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: engine.pool }) });
  const rows: (string | number)[][] = [];
  const problems: string[] = [];
  const tell = ({ code, said, seconds }: Run, what: string) =>
    rows.push([what, seconds.toFixed(1), code ?? "killed", said.replaceAll("|", "\\|")]);
  // Its connection would be one of a service.
  const ask = async <T>(statement: string): Promise<T[]> => {
    await sql`set application_name = 'a test'`.execute(db);
    return (await sql.raw<T>(statement).execute(db)).rows;
  };
  const countOf = async (): Promise<string> => {
    const [found] = await ask<object>(
      `select (select count(*) from accounts) as accounts, (select count(*) from api_keys) as keys,
        (select count(*) from sessions) as sessions, (select count(*) from calls) as calls,
        (select count(*) from memories) as memories,
        (select count(*) from memory_vectors) as vectors,
        (select count(*) from audit_events) as events`,
    );
    return JSON.stringify(found);
  };
  try {
    const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
    await db.connection().execute(async (connection) => {
      await sql`set application_name = 'a test'`.execute(connection);
      const { error } = await new Migrator({ db: connection, provider }).migrateToLatest();
      if (error !== undefined) throw error;
    });
    for (const statement of fillStatements()) await ask(statement);
    const before = await countOf();

    for (const ms of KILLED_AFTER_MS) {
      tell(await distribute(url, ms), `killed after ${ms} ms`);
      await sleep(1_000);
      const tables = await ask("select from citus_tables");
      const [{ left } = { left: 0 }] = await ask<{ left: number }>(
        "select count(*)::int as left from pg_dist_cleanup",
      );
      rows.push([
        "",
        "",
        "",
        `${tables.length} tables are distributed, ${left} shards to clean up`,
      ]);
      if (tables.length > 0) break;
    }
    tell(await distribute(url), "in full");
    const after = await countOf();
    if (after !== before) problems.push(`rows were lost: ${before} before, ${after} after`);
    const [left] = await ask<{ bytes: number }>(
      "select sum(pg_relation_size(table_name))::int as bytes from citus_tables where citus_table_type <> 'local'",
    );
    if (left?.bytes !== 0) problems.push(`${left?.bytes} bytes were left on the coordinator`);
    tell(await distribute(url), "once more");
    await ask("select undistribute_table('idempotency_keys')");
    tell(await distribute(url), "with a table that is new");
    if ((await countOf()) !== before) problems.push("rows were lost afterwards");
    for (const worker of cluster.workers) tell(await distribute(worker.url), "on a worker");
    const [last] = rows.filter(([what]) => what === "in full");
    if (last?.[2] !== 0) problems.push("it did not end well");
  } finally {
    await engine.close();
    await cluster.remove();
  }
  return {
    name: "Distributing a database that is in use",
    text: [
      `${ACCOUNTS} accounts with ${MEMORIES} memories in all, their vectors of 768 numbers and their histories, in a database of the version before the command; the command is killed in the middle, and then let run.`,
      table(["`database distribute`", "Seconds", "Exit code", "Said"], rows),
    ],
    problems,
  };
}

/** As an operator runs it; `killedAfterMs`: its process ends so. */
function distribute(url: string, killedAfterMs?: number): Promise<Run> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["src/cli/main.ts", "database", "distribute"],
      { cwd: PROJECT_ROOT, env: { ...PROCESS_VARIABLES, DATABASE_URL: url } },
      (_, out, err) =>
        resolve({
          code: child.exitCode,
          said: summaryOf(out) || err.trim(),
          seconds: (performance.now() - start) / 1_000,
        }),
    );
    if (killedAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killedAfterMs);
  });
}

/** Which tables were moved. */
function summaryOf(out: string): string {
  const lines = out.trim().split("\n").slice(1);
  const moved = lines.filter((line) => line.includes("moved, with"));
  if (lines.length === 0) return "";
  if (moved.length === 0) return "nothing to do";
  return moved.map((line) => line.replace(/^(\w+) .*moved, with (.+)$/, "$1: $2")).join("; ");
}

function fillStatements(): string[] {
  const account = (number: string) => `'account-' || (${number} % ${ACCOUNTS})`;
  const id = (number: string) => `md5(${number}::text)::uuid`;
  return [
    "insert into embedding_spaces (provider, model, dimensions, is_active, terms_version) values ('test', 'unit', 768, true, 1)",
    `insert into accounts (company_id, org_id, plan_tier, plan_status, period_anchor, created_at)
      select ${account("n")}, '${randomUUID()}', 'pro', 'active', now(), now()
      from generate_series(0, ${ACCOUNTS - 1}) as n`,
    `insert into api_keys (company_id, id, digest, prefix, created_at)
      select ${account("n")}, ${id("n")}, sha256(n::text::bytea), 'svc_', now()
      from generate_series(0, ${ACCOUNTS - 1}) as n`,
    `insert into sessions select company_id, id, digest, now(), now() from api_keys`,
    `insert into calls (company_id, id, at, actor, rpc, tenant_ids, status, calls, total_ms, saved_count,
      model_calls, uncounted_calls, input_tokens, output_tokens)
    select company_id, gen_random_uuid(), now(), 'retention', 'Retention', '{}', 200, 1, 1, 0,
      0, 0, 0, 0 from accounts`,
    `insert into write_usage (company_id, period_start, writes_used, last_admitted)
      select company_id, period_anchor, 1, 1 from accounts`,
    // Each replaces the one before it of its account.
    `insert into memories (company_id, id, tenant_id, decision, topic, importance_score, source,
        created_at, valid_from, valid_to, superseded_by, superseded_at, mode)
      select ${account("n")}, ${id("n")}, '', 'Fact number ' || n, 'General', 5, 'agent', now(),
        now(), case when n + ${ACCOUNTS} < ${MEMORIES} then now() end,
        case when n + ${ACCOUNTS} < ${MEMORIES} then ${id(`(n + ${ACCOUNTS})`)} end,
        case when n + ${ACCOUNTS} < ${MEMORIES} then now() end, 'content'
      from generate_series(0, ${MEMORIES - 1}) as n`,
    `insert into memory_vectors (company_id, memory_id, space_id, tenant_id, source, valid_from,
        valid_to, is_superseded, embedding, terms, length)
      select company_id, id, 1, '', source, valid_from, valid_to, superseded_at is not null,
        array_fill(0.01::real, array[768])::vector, '{}/1000000000', 0
      from memories`,
    `insert into audit_events
      select company_id, id, 1, 'created', now(), 'key', '{}' from memories`,
  ];
}
