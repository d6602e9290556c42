import type { ColumnType, Kysely } from "kysely";
import type { Instant } from "../domain/instant.ts";
// The typed tables; to be completed beside the migrations.
export interface Schema {
  memories: {
    company_id: ColumnType<string, string, never>;
    created_at: ColumnType<Instant, string, never>;
  };
}

/** A database or a transaction on it: repositories work on either. */
export type Executor = Kysely<Schema>;
