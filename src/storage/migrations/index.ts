import type { Migration } from "kysely/migration";
import * as tables from "./0001-tables.ts";
import * as shadowAndRestore from "./0002-shadow-and-restore.ts";
import * as embeddingSpaces from "./0003-embedding-spaces.ts";
import * as storedOnce from "./0004-stored-once.ts";
import * as erasedResponses from "./0005-erased-responses.ts";

/** Every migration by its name, in the order in which they run. Names never change. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-tables": tables,
  "0002-shadow-and-restore": shadowAndRestore,
  "0003-embedding-spaces": embeddingSpaces,
  "0004-stored-once": storedOnce,
  "0005-erased-responses": erasedResponses,
};
