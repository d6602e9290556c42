/**
 * Loaded before the service (`--import`), makes a later version of it: one whose migrations
 * change tables that are distributed, on every node and on the coordinator, and bring one
 * more of each kind.
 */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { MIGRATIONS } from "../../../src/storage/migrate.ts";
import { PLACEMENTS, type Placement } from "../../../src/storage/shard-placement.ts";

const STATEMENTS: readonly string[] = [
  "alter table memories add column later text",
  "create index memories_by_later on memories (company_id, later)",
  "alter table accounts add column later text",
  "alter table sessions add column later text",
  `create table later_words (word text collate "C" primary key)`,
  `create table later_notes (
    company_id text collate "C" not null,
    memory_id uuid not null,
    primary key (company_id, memory_id),
    foreign key (memory_id, company_id) references memories (id, company_id) on delete cascade
  )`,
  `create table later_days (
    company_id text collate "C" not null references accounts on delete cascade,
    day date not null,
    primary key (company_id, day)
  )`,
];

const LATER_PLACEMENTS: Readonly<Record<string, Placement>> = {
  later_words: "reference",
  later_notes: "distributed",
  later_days: "local",
};

const later: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
Object.assign(MIGRATIONS, { "9999-later": later });
const places = Object.entries(LATER_PLACEMENTS).map(([table, placement]) => ({ table, placement }));
Array.prototype.push.apply(PLACEMENTS, places);
