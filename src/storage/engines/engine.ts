import type pg from "pg";

/**
 * For each connection: a statement is planned once, and not for its values, since planning takes as
 * long as running. So a small tenant's memories must not be found by reading a large one's: indexes
 * are used. On a distributed database the values choose the server.
 */
export const PLAN_SETTING = `
  select set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('enable_seqscan', 'off', false)
  where not exists (select from pg_catalog.pg_extension where extname = 'citus')`;

export interface Engine {
  readonly name: "pglite" | "postgres";
  readonly pool: pg.Pool;
  readonly maxConnections: number;
  /** Whether to end a connection ends the statement that runs on it, and nothing else. */
  readonly endsStatements: boolean;
  /**
   * Runs statements, one after the other, on a connection of their own, for as long as they
   * take; null: there is one connection, which others wait for. Rejects where the engine is
   * closed meanwhile.
   */
  readonly runLong: ((statements: readonly string[]) => Promise<void>) | null;
  /** Where the data is, for the operator; without a password. */
  readonly place: string;
  /** Closes every connection that is not in use, and then what holds the place. */
  close(): Promise<void>;
}
