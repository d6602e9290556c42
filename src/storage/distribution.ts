import { type Kysely, sql, type Transaction } from "kysely";
import { ONE_WITHOUT_LIMIT, ServiceDb } from "./connection-pool.ts";
import type { Engine } from "./engines/engine.ts";
import { openPostgres, SERVICE_NAME } from "./engines/postgres.ts";
import { checkServerVersion, migrateToLatest } from "./migrate.ts";
import type { Schema } from "./schema.ts";
import { findType, PLACEMENTS, type Placement, placeTable } from "./shard-placement.ts";
import { reasonOf, sqlStateOf } from "./storage-failure.ts";

/** How long it waits for a table that something else works on. */
const LOCK_TIMEOUT = "10s";
const LOCK_NOT_AVAILABLE = "55P03";

export interface TableReport {
  readonly table: keyof Schema;
  readonly placement: Placement;
  /** Which of its rows were put where they belong now; null: they were there before. */
  readonly rowsMoved: number | null;
}

/**
 * Distributes the database of a Citus cluster, which it brings up to date before, by its
 * coordinator: each table as `PLACEMENTS` says. Tables that are so already stay as they are.
 * One transaction: stopped before its end it has changed nothing.
 *
 * What was in a table stays in the coordinator's own, which nobody reads any more, until it
 * is emptied, last of all. Stopped before that, the next run does it.
 *
 * Rejects with an Error that tells the operator what to do where the database is none of a
 * cluster, or not its coordinator's, or where a service has it open.
 */
export async function distributeDatabase(url: string): Promise<readonly TableReport[]> {
  const engine = openPostgres(url, 1);
  const db = new ServiceDb(engine.pool, ONE_WITHOUT_LIMIT);
  try {
    await checkCluster(db, engine);
    await checkServerVersion(db);
    await migrateToLatest(db);
    return await db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 0`.execute(connection);
      await sql`set idle_in_transaction_session_timeout = 0`.execute(connection);
      await sql`set client_min_messages = warning`.execute(connection);
      const reports = await connection.transaction().execute((trx) => distribute(trx));
      await emptyLocalTables(connection);
      return reports;
    });
  } catch (error) {
    throw new Error(sentenceOf(error, engine), { cause: error });
  } finally {
    await engine.close();
  }
}

function sentenceOf(error: unknown, { place }: Engine): string {
  const reason =
    sqlStateOf(error) === LOCK_NOT_AVAILABLE
      ? "something else works on its tables: stop every server and what else uses it, and try again"
      : reasonOf(error);
  return `The database ${place} can't be distributed: ${reason}`;
}

/** Throws an Error that says what to do first. */
async function checkCluster(db: ServiceDb, { place }: Engine): Promise<void> {
  const { rows: extensions } = await sql`
    select from pg_extension where extname = 'citus'`.execute(db);
  if (extensions.length === 0) {
    throw new Error(
      "it is not one of a Citus cluster: run `create extension citus` in the databases of this " +
        "name on the coordinator and on every worker, and add the workers (docs/scale.md)",
    );
  }
  type Words = "isCoordinator" | "isRegistered" | "takesShards";
  const { rows } = await sql<Record<Words, boolean> & { readonly connections: number }>`
    select
      (select groupid from pg_dist_local_group) = 0 as "isCoordinator",
      exists (select from pg_dist_node where groupid = 0) as "isRegistered",
      exists (select from pg_dist_node where isactive and shouldhaveshards) as "takesShards",
      (
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = ${SERVICE_NAME}
          and pid <> pg_backend_pid()
      ) as connections`.execute(db);
  const [cluster] = rows;
  if (cluster === undefined) throw new Error("it told nothing of its cluster");
  if (!cluster.isCoordinator) {
    throw new Error("it is a worker's: set DATABASE_URL to the coordinator, for servers too");
  }
  if (!cluster.isRegistered) {
    const [host, port] = place.split("/", 1)[0]?.split(/:(?=\d+$)/) ?? [];
    throw new Error(
      "the cluster does not know where its coordinator is: run there `select " +
        `citus_set_coordinator_host('${host}', ${port})\`, by a name that the workers reach it by`,
    );
  }
  if (!cluster.takesShards) {
    throw new Error(
      "the cluster has no node that takes shards: run on the coordinator `select " +
        "citus_add_node('WORKER', 5432)` for each worker",
    );
  }
  if (cluster.connections > 0) {
    throw new Error(
      "the service has it open, or another run of this command (connections of that name in " +
        `pg_stat_activity: ${cluster.connections}): stop every server, and try again`,
    );
  }
}

async function distribute(trx: Transaction<Schema>): Promise<TableReport[]> {
  // One connection for each worker: else what the transaction did by one, it does not see
  // by another.
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx);
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(trx);
  const reports: TableReport[] = [];
  for (const { table, placement } of PLACEMENTS) {
    const type = await findType(trx, table);
    const isThere = type === placement || (type === null && placement === "local");
    if (!isThere && type !== null && type !== "local") {
      throw new Error(
        `the table ${table} is a ${type} table there, and must be a ${placement} one: run \`select ` +
          `undistribute_table('${table}', cascade_via_foreign_keys => true)\` first`,
      );
    }
    if (!isThere && placement !== "local") await placeTable(trx, table, placement);
    const count = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`;
    const rowsMoved = isThere ? null : ((await count.execute(trx)).rows[0]?.count ?? 0);
    reports.push({ table, placement, rowsMoved });
  }
  return reports;
}

/** What was moved would else stay on the coordinator's disk, also what is erased since. */
async function emptyLocalTables(db: Kysely<Schema>): Promise<void> {
  for (const { table, placement } of PLACEMENTS) {
    if (placement === "local") continue;
    await sql`
      select truncate_local_data_after_distributing_table(${table}::regclass)
      where pg_relation_size(${table}::regclass) > 0`.execute(db);
  }
}
