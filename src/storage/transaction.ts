import type { Executor, Trx } from "./schema.ts";
import { sqlStateOf, storageUnavailable } from "./storage-failure.ts";

/** Enough for two opposite changes to pass each other; more would hide a defect. */
const MAX_TRANSACTION_ATTEMPTS = 5;

const RETRIED_SQLSTATES: readonly string[] = [
  "40001", // serialization failure
  "40P01", // deadlock detected
];

/**
 * Runs `work` in a READ COMMITTED transaction. A deadlock or serialization
 * failure runs it again, at most MAX_TRANSACTION_ATTEMPTS times; so `work` must
 * have no effects but those on `trx`.
 */
export async function transaction<T>(db: Executor, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().setIsolationLevel("read committed").execute(work);
    } catch (error) {
      if (!RETRIED_SQLSTATES.includes(sqlStateOf(error) ?? "")) throw error;
      if (attempt === MAX_TRANSACTION_ATTEMPTS) throw storageUnavailable(error);
    }
  }
}
