import { type Kysely, sql } from "kysely";
import { type Migration, type MigrationResult, Migrator } from "kysely/migration";
import * as tables from "./migrations/0001-tables.ts";
import { TABLES_DIGEST } from "./migrations/0001-tables.ts";
import type { Schema } from "./schema.ts";
import { placeNewTables } from "./shard-placement.ts";
import { reasonOf } from "./storage-failure.ts";

/** Every migration by its name, in the order in which they run. Names never change. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-tables": tables,
};

/**
 * Brings the schema up to date, of a distributed database too. Servers that start at the
 * same time take turns (an advisory lock); a migration runs whole or not at all. Throws when
 * the database has a migration that this version does not know.
 *
 * `db` must set no limit on how long a statement takes.
 */
export async function migrateToLatest(db: Kysely<Schema>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`set idle_in_transaction_session_timeout = 0`.execute(connection);
    // All of them in one transaction, of a distributed database too; elsewhere it says nothing.
    await sql`set citus.multi_shard_modify_mode = 'sequential'`.execute(connection);
    try {
      await refuseOtherTables(connection);
      const migrator = new Migrator({
        db: connection,
        provider: { getMigrations: async () => withPlacing(MIGRATIONS) },
      });
      const { error, results } = await migrator.migrateToLatest();
      if (error !== undefined) throw migrationError(error, results);
    } finally {
      await sql`reset citus.multi_shard_modify_mode`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
      await sql`reset idle_in_transaction_session_timeout`.execute(connection);
    }
  });
}

async function refuseOtherTables(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ readonly digest: string | null }>`
    select obj_description(oid, 'pg_class') as digest
    from pg_class where oid = to_regclass('accounts')`.execute(db);
  const [tables] = rows;
  if (tables === undefined || tables.digest === TABLES_DIGEST) return;
  throw new Error(
    "it was made by a version before this one was released, and has other tables: export with " +
      "that version, and import into an empty database",
  );
}

/** The last one, which is among those that run if any does, also places the tables of all. */
function withPlacing(migrations: Readonly<Record<string, Migration>>): Record<string, Migration> {
  const [name, last] = Object.entries(migrations).at(-1) ?? [];
  if (name === undefined || last === undefined) throw new Error("unreachable: there are some");
  const up = async (db: Kysely<Schema>) => {
    await last.up(db);
    await placeNewTables(db);
  };
  return { ...migrations, [name]: { up } };
}

/** All migrations of a start are one transaction, so that one that fails undoes the others too. */
function migrationError(error: unknown, results: readonly MigrationResult[] = []): unknown {
  const failed = results.find(({ status }) => status === "Error");
  const newer = /previously executed migration (\S+) is missing/.exec(reasonOf(error))?.[1];
  if (newer !== undefined) {
    return new Error(
      `a newer version has changed it (migration ${newer}): start that version, or restore a ` +
        "backup from before",
      { cause: error },
    );
  }
  if (failed === undefined) return error;
  return new Error(
    `migration ${failed.migrationName} failed: ${reasonOf(error)}; nothing was changed: ` +
      "start the version before again, which serves this database, until the cause is removed",
    { cause: error },
  );
}

const MIN_POSTGRES_MAJOR = 15;

export interface ServerVersion {
  readonly postgres: string;
  /** The version of pgvector that is installed or would be. */
  readonly pgvector: string;
}

/** Throws an Error that says what to do where Postgres, its database or pgvector can't be used. */
export async function checkServerVersion(db: Kysely<Schema>): Promise<ServerVersion> {
  const { rows } = await sql<
    Record<"number" | "version" | "encoding", string> & { pgvector: string | null }
  >`
    select current_setting('server_version_num') as number,
           current_setting('server_version') as version,
           current_setting('server_encoding') as encoding,
           (select coalesce(installed_version, default_version)
            from pg_available_extensions where name = 'vector') as pgvector`.execute(db);
  const server = rows[0];
  if (server === undefined) throw new Error("The database did not tell its version.");
  if (Math.floor(Number(server.number) / 10_000) < MIN_POSTGRES_MAJOR) {
    throw new Error(
      `The database is PostgreSQL ${server.version}; version ${MIN_POSTGRES_MAJOR} or later is needed.`,
    );
  }
  if (server.encoding !== "UTF8") {
    throw new Error(
      `The database's encoding is ${server.encoding}, which not every text has: create one with ` +
        "`encoding 'UTF8' template template0`, and restore a dump of this one into it.",
    );
  }
  if (server.pgvector === null) {
    throw new Error(
      "The database server lacks the extension pgvector: install it there (package " +
        "postgresql-<version>-pgvector), then start the service again.",
    );
  }
  return { postgres: server.version.split(" ", 1)[0] ?? server.version, pgvector: server.pgvector };
}
