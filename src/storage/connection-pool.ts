import { createHash } from "node:crypto";
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import {
  FairSemaphore,
  type FairSemaphoreLimits,
  type Owner,
  type QueueState,
} from "../concurrency/fair-semaphore.ts";
import type { CompanyId } from "../domain/ids.ts";
import { toParameter } from "./column-values.ts";
import { asStorageFailure, breaksConnection, storageUnavailable } from "./storage-failure.ts";

/** For whom statements are sent. */
export interface ConnectionUser {
  /** Whose share of the connections they take; null: the service's. */
  readonly owner: Owner;
  /** The account that each of them must name; null: they are of no account. */
  readonly companyId: CompanyId | null;
  /** Aborted when nobody waits for them any more: no other is sent, but for a rollback. */
  readonly signal?: AbortSignal | undefined;
}

interface ConnectionSettings {
  /**
   * A connection in use that neither answers nor is asked anything for this long
   * is closed, and its transaction rolled back. null: never.
   */
  readonly stallMs: number | null;
  /**
   * Whether to end a connection ends the statement that runs on it, and nothing else:
   * then nobody waits for one that was abandoned. Else it runs to its end.
   */
  readonly endsStatements: boolean;
}

/** What the types of `pg` leave out. */
interface Pipelining {
  readonly pipeline: boolean;
}

const TRANSACTION_START = /^(?:begin|start transaction)\b/;
/** As Kysely sends them. A COMMIT that was sent counts, whether its caller leaves or not. */
const COMMIT = "commit";
const ROLLBACK = "rollback";

/**
 * A connection while one user has it, as Kysely takes it. Statements of an account
 * that do not name it are refused before they are sent.
 */
class ConnectionInUse {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;
  readonly #user: ConnectionUser;
  readonly #releasePermit: () => void;
  readonly #settings: ConnectionSettings;
  readonly #stalled: NodeJS.Timeout | undefined;
  /** The start of a transaction, for as long as its answer was not waited for. */
  #starting: Promise<unknown> | undefined;
  /** How many statements are waited for that may be given up. */
  #running = 0;
  /** Resolves when the statement that was handed to the client last is over. */
  #previous: Promise<unknown> = Promise.resolve();
  #broken: Error | undefined;
  #released = false;

  /** `releasePermit` is called once the connection is given back. */
  constructor(
    client: pg.PoolClient,
    names: StatementNames,
    user: ConnectionUser,
    settings: ConnectionSettings,
    releasePermit: () => void,
  ) {
    this.#client = client;
    this.#names = names;
    this.#user = user;
    this.#settings = settings;
    this.#releasePermit = releasePermit;
    const { stallMs } = settings;
    client.on("error", this.#onConnectionError);
    user.signal?.addEventListener("abort", this.#onAbort);
    if (stallMs !== null) this.#stalled = setTimeout(this.#onStall, stallMs, stallMs);
  }

  /** Rejects with the reason of the user's signal where that is aborted. */
  async query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    this.#checkAccount(sql, parameters);
    if (sql !== ROLLBACK || this.#broken !== undefined) this.#user.signal?.throwIfAborted();
    if (this.#broken !== undefined) throw storageUnavailable(this.#broken);
    this.#stalled?.refresh();
    const statement = {
      text: sql,
      values: parameters.map(toParameter),
      // Without parameters: transaction control, or a statement of its own kind.
      name: parameters.length === 0 ? undefined : this.#names.nameOf(sql, parameters.length),
      // A connection that is ended waits for statements that were sent; this cuts it off.
      query_timeout: this.#settings.stallMs ?? undefined,
    };
    const running = this.#send<R & pg.QueryResultRow>(statement);
    if (TRANSACTION_START.test(sql)) return this.#startTransaction(running);
    const mayEnd = sql !== COMMIT && sql !== ROLLBACK;
    if (mayEnd) this.#running++;
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
      if (sql !== COMMIT) this.#user.signal?.throwIfAborted();
      throw asStorageFailure(this.#broken ?? error);
    } finally {
      if (mayEnd) this.#running--;
      this.#stalled?.refresh();
    }
  }

  /** At once where the client lets statements travel together, else behind those before. */
  #send<R extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    if ((this.#client as pg.PoolClient & Pipelining).pipeline)
      return this.#client.query<R>(statement);
    const sent = this.#previous.then(() => this.#client.query<R>(statement));
    this.#previous = sent.catch(() => {});
    return sent;
  }

  /** Last of all that keeps accounts apart: a statement of one names it, whoever wrote it. */
  #checkAccount(sql: string, parameters: readonly unknown[]): void {
    const { companyId } = this.#user;
    if (companyId === null || parameters.length === 0 || parameters.includes(companyId)) return;
    throw new Error(`A statement of an account does not name the account: ${sql}`);
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
    this.#user.signal?.removeEventListener("abort", this.#onAbort);
    const isIdle = this.#client.getTransactionStatus() === "I";
    this.#returnToPool(destroy || this.#broken !== undefined || !isIdle);
    this.#releasePermit();
  }

  readonly #onConnectionError = (error: Error) => {
    this.#broken ??= error;
  };

  /** The connection goes with its statement: to cancel could hit the one that comes next. */
  readonly #onAbort = () => {
    if (this.#running === 0 || !this.#settings.endsStatements) return;
    this.#broken ??= new Error("The statement was abandoned");
    // To end the client would wait for the statement.
    (this.#client as unknown as pg.Client).connection.stream.destroy();
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
 * The repositories have far fewer that come back.
 */
const MAX_PREPARED_STATEMENTS = 200;
/**
 * How many of these may have many parameters. Such a statement writes several rows, and has
 * another text for each number of them: in time they would leave no room for a search.
 */
const MAX_PREPARED_OF_ROWS = 80;
const MANY_PARAMETERS = 100;
/** A search for many terms is the longest that comes back. */
const MAX_PREPARED_CHARACTERS = 24_000;
/** Below the 63 that Postgres tells apart. */
const NAME_CHARACTERS = 32;

/**
 * Names statements by their text, so that a connection parses and plans each of
 * them once, which takes longer than to run most of ours.
 *
 * A statement must then name the columns that it reads: with `*`, a migration
 * run by a newer server would change what a prepared one returns, an error.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #ofRows = 0;

  /** undefined: not to be prepared. */
  nameOf(statement: string, parameters: number): string | undefined {
    const name = this.#names.get(statement);
    if (name !== undefined) return name;
    if (statement.length > MAX_PREPARED_CHARACTERS) return undefined;
    if (this.#names.size === MAX_PREPARED_STATEMENTS) return undefined;
    if (parameters > MANY_PARAMETERS) {
      if (this.#ofRows === MAX_PREPARED_OF_ROWS) return undefined;
      this.#ofRows++;
    }
    const newName = createHash("sha256").update(statement).digest("hex").slice(0, NAME_CHARACTERS);
    this.#names.set(statement, newName);
    return newName;
  }
}

export interface ConnectionLimits extends FairSemaphoreLimits, ConnectionSettings {}

/** For the one thing at a time that checks or changes the schema, as long as it takes. */
export const ONE_WITHOUT_LIMIT: ConnectionLimits = {
  concurrent: 1,
  concurrentPerOwner: 1,
  maxWaiting: 0,
  maxWaitingPerOwner: 0,
  waitMs: 0,
  stallMs: null,
  endsStatements: false,
};

/** What belongs to no account: look-ups of keys, housekeeping, the operator's requests. */
const SERVICE: ConnectionUser = { owner: null, companyId: null };

/**
 * The connections of an engine as Kysely takes them. It adds what `pg` leaves to
 * its user: a fair, bounded queue; a deadline for each statement that frees the
 * connection too; a listener for a connection that dies in use (without one the
 * process ends); no connection goes back to the pool inside a transaction.
 */
export class ConnectionPool implements PostgresPool {
  readonly options = {};
  readonly #pool: pg.Pool;
  readonly #semaphore: FairSemaphore;
  readonly #settings: ConnectionSettings;
  readonly #names = new StatementNames();

  constructor(pool: pg.Pool, limits: ConnectionLimits) {
    this.#pool = pool;
    this.#semaphore = new FairSemaphore(
      limits,
      "the service has too many requests to handle; try again",
    );
    this.#settings = limits;
  }

  get queue(): QueueState {
    return this.#semaphore.state;
  }

  connect(): Promise<PostgresPoolClient> {
    return this.#connect(SERVICE);
  }

  /** The same connections, for statements of this user. */
  usedBy(user: ConnectionUser): PostgresPool {
    return { options: this.options, connect: () => this.#connect(user), end: async () => {} };
  }

  async #connect(user: ConnectionUser): Promise<PostgresPoolClient> {
    const releasePermit = await this.#semaphore.acquire(user.owner, user.signal);
    try {
      const client = await this.#pool.connect();
      const connection = new ConnectionInUse(
        client,
        this.#names,
        user,
        this.#settings,
        releasePermit,
      );
      return connection as unknown as PostgresPoolClient;
    } catch (error) {
      releasePermit();
      user.signal?.throwIfAborted();
      throw storageUnavailable(error);
    }
  }

  /** Refuses new users and waits for those that have a connection; the engine closes it. */
  end(): Promise<void> {
    return this.#semaphore.close();
  }
}
