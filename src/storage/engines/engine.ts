import type pg from "pg";

/** A place that opens connections to one database. */
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
