/**
 * Loaded before the service (`--import`), makes a later version of it: one whose last
 * migration fails half-way, after another one that does not.
 */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { MIGRATIONS } from "../../src/storage/migrate.ts";

const LATER: Readonly<Record<string, Migration>> = {
  "9998-sound": {
    async up(db) {
      await sql`alter table memories add column later text`.execute(db);
    },
  },
  "9999-broken": {
    async up(db) {
      await sql`create table later (id int)`.execute(db);
      await sql`update memories set decision = 'overwritten'`.execute(db);
      await sql`alter table memories add column later_still no_such_type`.execute(db);
    },
  },
};
Object.assign(MIGRATIONS, LATER);
