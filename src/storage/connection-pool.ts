import { createHash } from "node:crypto";
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import { Semaphore, type SemaphoreLimits } from "../concurrency/semaphore.ts";
import { toParameter } from "./column-values.ts";
import { asStorageFailure, breaksConnection, storageUnavailable } from "./storage-failure.ts";

export interface ConnectionLimits extends SemaphoreLimits {
  /**
   * A connection in use that neither answers nor is asked anything for this long
   * is closed, and its transaction rolled back. null: never.
   */
  readonly stallMs: number | null;
}

/**
 * The connections of an engine as Kysely takes them. It adds what `pg` leaves to
 * its user: a fair, bounded queue; a deadline for each statement that frees the
 * connection too; a listener for a connection that dies in use (without one the
 * process ends); no connection goes back to the pool inside a transaction.
 */
export class ConnectionPool implements PostgresPool {
  readonly options = {};
  readonly #pool: pg.Pool;
  readonly #semaphore: Semaphore;
  readonly #stallMs: number | null;
  readonly #names = new StatementNames();

  constructor(pool: pg.Pool, limits: ConnectionLimits) {
    this.#pool = pool;
    this.#semaphore = new Semaphore(
      limits,
      "the service has too many requests to handle; try again",
    );
    this.#stallMs = limits.stallMs;
  }

  async connect(): Promise<PostgresPoolClient> {
    const releasePermit = await this.#semaphore.acquire();
    try {
      const client = await this.#pool.connect();
      const connection = new ConnectionInUse(client, this.#names, this.#stallMs, releasePermit);
      return connection as unknown as PostgresPoolClient;
    } catch (error) {
      releasePermit();
      throw storageUnavailable(error);
    }
  }

  /** Refuses new users and waits for those that have a connection; the engine closes it. */
  end(): Promise<void> {
    return this.#semaphore.close();
  }
}

const TRANSACTION_START = /^(?:begin|start transaction)\b/;

class ConnectionInUse {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;
  readonly #releasePermit: () => void;
  readonly #stallMs: number | null;
  readonly #stalled: NodeJS.Timeout | undefined;
  /** The start of a transaction, for as long as its answer was not waited for. */
  #starting: Promise<unknown> | undefined;
  #broken: Error | undefined;
  #released = false;

  constructor(
    client: pg.PoolClient,
    names: StatementNames,
    stallMs: number | null,
    releasePermit: () => void,
  ) {
    this.#client = client;
    this.#names = names;
    this.#releasePermit = releasePermit;
    this.#stallMs = stallMs;
    client.on("error", this.#onConnectionError);
    if (stallMs !== null) this.#stalled = setTimeout(this.#onStall, stallMs, stallMs);
  }

  async query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.#broken !== undefined) throw storageUnavailable(this.#broken);
    this.#stalled?.refresh();
    const statement = {
      text: sql,
      values: parameters.map(toParameter),
      // Without parameters: transaction control, or a statement of its own kind.
      name: parameters.length === 0 ? undefined : this.#names.nameOf(sql),
      // A connection that is ended waits for statements that were sent; this cuts it off.
      query_timeout: this.#stallMs ?? undefined,
    };
    const running = this.#client.query<R & pg.QueryResultRow>(statement);
    if (TRANSACTION_START.test(sql)) return this.#startTransaction(running);
    try {
      const [{ command, rowCount, rows }] = await Promise.all([running, this.#starting]);
      this.#starting = undefined;
      return {
        command: command as PostgresQueryResult<R>["command"],
        rowCount: rowCount ?? 0,
        rows,
      };
    } catch (error) {
      if (breaksConnection(error)) this.#broken ??= error as Error;
      throw asStorageFailure(this.#broken ?? error);
    } finally {
      this.#stalled?.refresh();
    }
  }

  /**
   * Nothing needs its answer, so the first statement of a transaction travels with
   * it, which saves a round trip. Where it fails, that statement fails with it, and
   * the connection is closed.
   */
  #startTransaction<R>(running: Promise<unknown>): PostgresQueryResult<R> {
    this.#starting = running.catch((error: Error) => {
      this.#broken ??= error;
      throw error;
    });
    this.#starting.catch(() => {});
    return { command: "SELECT", rowCount: 0, rows: [] };
  }

  release(destroy = false): void {
    clearTimeout(this.#stalled);
    const isIdle = this.#client.getTransactionStatus() === "I";
    this.#returnToPool(destroy || this.#broken !== undefined || !isIdle);
    this.#releasePermit();
  }

  readonly #onConnectionError = (error: Error) => {
    this.#broken ??= error;
  };

  readonly #onStall = (stallMs: number) => {
    this.#broken ??= new Error(`No progress on a connection for ${stallMs} ms`);
    this.#returnToPool(true);
    // Its user may never release it.
    this.#releasePermit();
  };

  #returnToPool(destroy: boolean): void {
    if (this.#released) return;
    this.#released = true;
    this.#client.release(destroy);
    // The pool listens to idle and to destroyed connections itself.
    this.#client.off("error", this.#onConnectionError);
  }
}

/**
 * What one connection prepares at most: each statement costs the server memory.
 * The repositories have far fewer that come back; one that lists many rows has
 * another text for each number of them.
 */
const MAX_PREPARED_STATEMENTS = 200;
const MAX_PREPARED_CHARACTERS = 4_000;
/** Below the 63 that Postgres tells apart. */
const NAME_CHARACTERS = 32;

/**
 * Names statements by their text, so that a connection parses and plans each of
 * them once, which takes longer than to run most of ours.
 *
 * A statement must then name the columns that it reads: with `*`, a migration
 * run by a newer server would change what a prepared one returns, an error.
 */
class StatementNames {
  readonly #names = new Map<string, string>();

  /** undefined: not to be prepared. */
  nameOf(statement: string): string | undefined {
    const name = this.#names.get(statement);
    if (name !== undefined) return name;
    if (statement.length > MAX_PREPARED_CHARACTERS) return undefined;
    if (this.#names.size === MAX_PREPARED_STATEMENTS) return undefined;
    const newName = createHash("sha256").update(statement).digest("hex").slice(0, NAME_CHARACTERS);
    this.#names.set(statement, newName);
    return newName;
  }
}
