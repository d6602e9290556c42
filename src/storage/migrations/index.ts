import type { Migration } from "kysely/migration";
import * as tables from "./0001-tables.ts";

/** Every migration by its name, in the order in which they run. Names never change. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-tables": tables,
};
