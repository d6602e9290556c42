import type { AccountDb } from "../storage/schema.ts";
import type { Caller } from "./context.ts";

/**
 * What a read shows. Where a replica does not have it, it may just have been written: then
 * the primary is asked, so that nothing is missing on a replica's word.
 */
export async function shown<T>(
  { db, reads }: Caller,
  read: (db: AccountDb) => Promise<T>,
  isThere: (found: T) => boolean,
): Promise<T> {
  const found = await read(reads);
  return reads === db || isThere(found) ? found : read(db);
}
