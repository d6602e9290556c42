import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, type Kysely } from "kysely";
import { giveWay } from "../concurrency/loop-turns.ts";
import type { CompanyId } from "../domain/ids.ts";
import type { AccountDb, AccountTrx, Executor, Schema, Trx } from "./schema.ts";
import { isTransient, storageUnavailable } from "./storage-failure.ts";

/** Enough for two opposite changes to pass each other; more would hide a defect. */
const MAX_TRANSACTION_ATTEMPTS = 5;
/** Times the attempts so far: those that it was in the way of go first. */
const PAUSE_MS = 50;

/** What the work of a transaction returns to have all that it wrote taken back. */
export class RolledBack<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/**
 * Runs `work` in a READ COMMITTED transaction, of the account that the database is of. It commits,
 * unless `work` throws or returns `RolledBack`. A deadlock or serialization failure runs it again,
 * at most MAX_TRANSACTION_ATTEMPTS times; so `work` must have no effects but those on `trx`. It
 * uses `trx` alone: PGlite has one connection, and a statement on `db` would wait for ever. It
 * calls no model: a model takes seconds, in which the locks and the connection are held. What a
 * model decided before is checked again under the locks.
 */
export function transaction<T>(db: AccountDb, work: (trx: AccountTrx) => Promise<T>): Promise<T>;
export function transaction<T>(db: Executor, work: (trx: Trx) => Promise<T>): Promise<T>;
export async function transaction<T>(
  db: Kysely<Schema> & { readonly companyId?: CompanyId | undefined },
  work: (trx: never) => Promise<T>,
): Promise<T> {
  const { companyId } = db;
  for (let attempt = 1; ; attempt++) {
    try {
      return await db
        .transaction()
        .setIsolationLevel("read committed")
        .execute(async (trx) => {
          const result = await work(Object.assign(trx, { companyId }) as never);
          // Kysely rolls back for what is thrown only.
          if (result instanceof RolledBack) throw result;
          return result;
        });
    } catch (error) {
      if (error instanceof RolledBack) return error as T;
      if (!isTransient(error)) throw error;
      if (attempt === MAX_TRANSACTION_ATTEMPTS) throw storageUnavailable(error);
      await sleep(attempt * PAUSE_MS);
    }
  }
}

/**
 * Runs `work`, which reads, on what was committed when its first statement began. While it
 * runs, others wait for its connection, so it must not wait for whoever takes what it reads.
 */
export function snapshot<T>(db: AccountDb, work: (trx: AccountTrx) => Promise<T>): Promise<T> {
  const { companyId } = db;
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((trx) => work(Object.assign(trx, { companyId })));
}

const START = CompiledQuery.raw("start transaction isolation level read committed");
const COMMIT = CompiledQuery.raw("commit");
/** A statement with more is long work by itself. */
const MANY_PARAMETERS = 200;

/**
 * Sends statements as one transaction, none of which needs the answer of the one before: they
 * travel together, with its start and its end. The loop turns before one that has many parameters.
 * One that fails takes back all, and is what this rejects with.
 */
export async function sendTogether(db: AccountDb, statements: readonly CompiledQuery<unknown>[]) {
  await db.getExecutor().provideConnection(async (connection) => {
    const sent: Promise<unknown>[] = [];
    for (const query of [START, ...statements, COMMIT]) {
      if (query.parameters.length > MANY_PARAMETERS) await giveWay();
      const answered = connection.executeQuery(query);
      answered.catch(() => {});
      sent.push(answered);
    }
    // Those behind the one that failed were refused for that.
    const outcomes = await Promise.allSettled(sent);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  });
}
