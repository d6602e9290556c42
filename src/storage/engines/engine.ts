import type pg from "pg";

/**
 * For each connection: a statement that comes back is planned once, and not for its values.
 * To plan a search takes about as long as to run it. What holds for a tenant of the average
 * size must not have a small one's memories found by reading a large one's, so that tables are
 * read by their indexes. On a distributed database the values say which server a statement goes to.
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
