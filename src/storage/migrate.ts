import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Schema } from "./schema.ts";

/**
 * Brings the schema up to date. Servers that start at the same time take turns
 * (an advisory lock); a migration runs whole or not at all. Throws when the
 * database has a migration that this version does not know.
 *
 * `db` must set no limit on how long a statement takes.
 */
export async function migrateToLatest(db: Kysely<Schema>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`set idle_in_transaction_session_timeout = 0`.execute(connection);
    try {
      const migrator = new Migrator({
        db: connection,
        provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
      });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
    } finally {
      await sql`reset statement_timeout`.execute(connection);
      await sql`reset idle_in_transaction_session_timeout`.execute(connection);
    }
  });
}
