import { deleteExpiredIdempotencyKeys } from "../storage/idempotency-keys.ts";
import type { ServiceContext } from "./context.ts";
import { oldestIdempotencyRecord } from "./idempotency.ts";

const HOUSEKEEPING_INTERVAL_MS = 60 * 60 * 1000;
/** One statement removes this many, so that it holds no lock for long. */
const DELETE_BATCH = 1_000;

/**
 * Removes what has expired, once an hour, until the returned function is called.
 * Nothing depends on it but disk space: expired records count as gone already.
 */
export function startHousekeeping(context: ServiceContext): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = removeExpired(context).catch((err: unknown) =>
      context.log.warn({ err }, "expired idempotency keys could not be removed"),
    );
  }, HOUSEKEEPING_INTERVAL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function removeExpired(context: ServiceContext): Promise<void> {
  const expiresBefore = oldestIdempotencyRecord(context.now());
  let removed: number;
  do {
    removed = await deleteExpiredIdempotencyKeys(context.db, expiresBefore, DELETE_BATCH);
  } while (removed === DELETE_BATCH);
}
