import type { Executor } from "./schema.ts";

/**
 * Runs `work` in a READ COMMITTED transaction. A deadlock or serialization
 * failure runs it again, at most MAX_TRANSACTION_ATTEMPTS times; so `work` must
 * have no effects but those on `trx`.
 */
export async function transaction<T>(
  _db: Executor,
  _work: (trx: Executor) => Promise<T>,
): Promise<T> {
  throw new Error("not written");
}
