import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../storage/database.ts";

interface OpeningOptions extends Pick<DatabaseOptions, "onStart"> {
  readonly log: Log;
}

/** Opens the configured database, and logs its events for the operator. */
export function openConfigured(
  { database }: Config,
  { log, onStart }: OpeningOptions,
): Promise<Database> {
  return openDatabase(database, {
    onStart,
    onExposed: (exposure) =>
      log.warn(exposure, "other users had access to the data folder; `foreign` files keep theirs"),
    onCreate: (dataDir) =>
      log.info({ dataDir }, "creating the embedded database, once; this takes some seconds"),
  });
}
