import { type Kysely, sql } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * Where a distributed database (Citus) has the rows of a table:
 *
 * - `distributed`: by `company_id`, all of an account's in the same place;
 * - `reference`: on every node, written on all of them at once;
 * - `local`: with the coordinator alone.
 */
export type Placement = "distributed" | "reference" | "local";

/**
 * Every table, each behind those that it refers to.
 *
 * The look-up of a key or a session needs no worker, so a worker that is down takes its own
 * accounts with it and no others. Keys and accounts are on every node, because distributed
 * tables refer to them. They are seldom written, because a write needs all nodes. The times
 * of the last use of keys and sessions change often, so the coordinator alone has them. It
 * has the log of calls of all accounts too.
 */
const PLACEMENT_OF: { readonly [table in keyof Schema]: Placement } = {
  embedding_spaces: "reference",
  accounts: "reference",
  api_keys: "reference",
  api_key_uses: "local",
  sessions: "local",
  sign_in_links: "local",
  logout_tokens: "local",
  calls: "local",
  retention_rules: "local",
  write_usage: "distributed",
  api_key_settings: "distributed",
  memories: "distributed",
  memory_vectors: "distributed",
  audit_events: "distributed",
  decision_verdicts: "distributed",
  rejected_facts: "distributed",
  idempotency_keys: "distributed",
};

export const PLACEMENTS = Object.entries(PLACEMENT_OF).map(([table, placement]) => ({
  table: table as keyof Schema,
  placement,
}));

/**
 * `local`: the coordinator's own, which has references; null: an ordinary table. The database must
 * be one of a cluster. Not by `citus_tables`, which asks all nodes how large each table is, and so
 * would wait for tables that the transaction has changed.
 */
export async function findType(db: Kysely<Schema>, table: keyof Schema): Promise<Placement | null> {
  const { rows } = await sql<{ type: Placement }>`
    select case
      when partmethod <> 'n' then 'distributed'
      when repmodel = 't' then 'reference'
      else 'local'
    end as type
    from pg_dist_partition
    where logicalrelid = ${table}::regclass`.execute(db);
  return rows[0]?.type ?? null;
}

/** Of one that is no one's but the coordinator's yet, with what is in it. */
export async function placeTable(
  db: Kysely<Schema>,
  table: keyof Schema,
  placement: Exclude<Placement, "local">,
): Promise<void> {
  if (placement === "reference") {
    await sql`select create_reference_table(${table}::regclass)`.execute(db);
    return;
  }
  // An account's rows of all tables are in one place.
  const first = PLACEMENTS.find((each) => each.placement === "distributed")?.table;
  const colocateWith = table === first ? "none" : first;
  await sql`
    select create_distributed_table(
      ${table}::regclass, 'company_id', colocate_with => ${colocateWith}
    )`.execute(db);
}

/**
 * Puts the tables that migrations brought to a distributed database where they belong, in the
 * transaction of these, so that no server writes to them before. Elsewhere it does nothing.
 * A table that has rows stays: its rows would remain with the coordinator too, until
 * `database distribute` removes them there.
 */
export async function placeNewTables(db: Kysely<Schema>): Promise<void> {
  if (!(await isDistributed(db))) return;
  for (const { table, placement } of PLACEMENTS) {
    if (placement === "local") continue;
    const type = await findType(db, table);
    if (type !== null && type !== "local") continue;
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length === 0) await placeTable(db, table, placement);
  }
}

async function isDistributed(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ hasCitus: boolean }>`
    select to_regclass('pg_dist_partition') is not null as "hasCitus"`.execute(db);
  return rows[0]?.hasCitus === true && (await findType(db, "memories")) === "distributed";
}
