import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

export type DatabaseLocation =
  | { readonly engine: "pglite"; readonly dataDir: string }
  | { readonly engine: "postgres"; readonly url: string; readonly maxConnections: number };

/** An open, migrated database. */
export interface Database {
  readonly db: Kysely<Schema>;
  readonly engine: "pglite" | "postgres";
  /** For the operator, e.g. `PGlite (PostgreSQL 18.6, pgvector 0.8.7) in ./data`. No password. */
  readonly description: string;
  /** Resolves when the database answers within a second; rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export async function openDatabase(_location: DatabaseLocation): Promise<Database> {
  throw new Error("not written");
}
