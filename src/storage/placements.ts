import type { Schema } from "./schema.ts";

/**
 * Where a distributed database (Citus) has the rows of a table:
 *
 * - `distributed`: by `company_id`, all of an account's in the same place;
 * - `reference`: on every node, written on all of them at once;
 * - `coordinator`: there alone.
 */
export type Placement = "distributed" | "reference" | "coordinator";

/**
 * Every table, each behind those that it refers to.
 *
 * What tells whose a key or a session is, before its account is known, no worker is needed
 * for: one that is down takes its own accounts with it and nobody else. Keys and accounts
 * stand on every node, because tables that are distributed refer to them, and are seldom
 * written, because that needs all of them. When keys and sessions were used is noted all the
 * time: that is the coordinator's, as is what is counted of all accounts at once.
 */
const PLACEMENT_OF: { readonly [table in keyof Schema]: Placement } = {
  embedding_spaces: "reference",
  accounts: "reference",
  api_keys: "reference",
  api_key_uses: "coordinator",
  sessions: "coordinator",
  logout_tokens: "coordinator",
  daily_usage: "coordinator",
  daily_tokens: "coordinator",
  write_usage: "distributed",
  api_key_settings: "distributed",
  memories: "distributed",
  memory_vectors: "distributed",
  audit_events: "distributed",
  rejected_facts: "distributed",
  idempotency_keys: "distributed",
};

export const PLACEMENTS: readonly {
  readonly table: keyof Schema;
  readonly placement: Placement;
}[] = Object.entries(PLACEMENT_OF).map(([table, placement]) => ({
  table: table as keyof Schema,
  placement,
}));
