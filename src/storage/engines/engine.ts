import type pg from "pg";

/** A place that opens connections to one database. */
export interface Engine {
  readonly name: "pglite" | "postgres";
  readonly pool: pg.Pool;
  readonly maxConnections: number;
  /** Whether to end a connection ends the statement that runs on it, and nothing else. */
  readonly endsStatements: boolean;
  /** Where the data is, for the operator; without a password. */
  readonly place: string;
  /** Closes every connection that is not in use, and then what holds the place. */
  close(): Promise<void>;
}
