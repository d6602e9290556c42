import { createHash } from "node:crypto";
import {
  type Dialect,
  Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type PostgresQueryResult,
} from "kysely";
import type pg from "pg";
import {
  FairSemaphore,
  type FairSemaphoreLimits,
  type Owner,
  type QueueState,
} from "../concurrency/fair-semaphore.ts";
import type { CompanyId } from "../domain/ids.ts";
import { toParameter } from "./column-values.ts";
import type { AccountDb, Executor, Schema } from "./schema.ts";
import { asStorageFailure, breaksConnection, storageUnavailable } from "./storage-failure.ts";

interface ConnectionUser {
  /** Whose share of the connections they take; null: the service's. */
  readonly owner: Owner;
  /** The account that each of them must name; null: they are of no account. */
  readonly companyId: CompanyId | null;
  /** Aborted when nobody waits for them any more: no other is sent, but for a rollback. */
  readonly signal?: AbortSignal | undefined;
}

interface ConnectionSettings {
  /** After so long without an answer or a question, a connection is closed; null: never. */
  readonly stallMs: number | null;
  /** Whether ending a connection ends just its statement; else that runs to its end. */
  readonly endsStatements: boolean;
}

const TRANSACTION_START = /^(?:begin|start transaction)\b/;
/** As Kysely sends them. A COMMIT that was sent counts, whether its caller leaves or not. */
const COMMIT = "commit";
const ROLLBACK = "rollback";

/**
 * A connection while one user has it, as Kysely takes it. Statements of an account that do not
 * name it are refused before they are sent. `releasePermit` is called once it is given back.
 */
function connectionInUse(
  client: pg.PoolClient,
  names: StatementNames,
  { companyId, signal }: ConnectionUser,
  { stallMs, endsStatements }: ConnectionSettings,
  releasePermit: () => void,
): PostgresPoolClient {
  /** The start of a transaction, for as long as its answer was not waited for. */
  let starting: Promise<unknown> | undefined;
  /** How many statements are waited for that may be given up. */
  let running = 0;
  let broken: Error | undefined;
  let isReleased = false;
  const stalled = stallMs === null ? undefined : setTimeout(onStall, stallMs, stallMs);
  client.on("error", onConnectionError);
  signal?.addEventListener("abort", onAbort);

  /** Rejects with the reason of the user's signal where that is aborted. */
  async function query<R>(
    text: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> {
    checkAccount(text, parameters);
    if (text !== ROLLBACK || broken !== undefined) signal?.throwIfAborted();
    if (broken !== undefined) throw storageUnavailable(broken);
    stalled?.refresh();
    const statement = {
      text,
      values: parameters.map(toParameter),
      // Without parameters: transaction control, or a statement of its own kind.
      name: parameters.length === 0 ? undefined : names.nameOf(text, parameters.length),
      // A connection that is ended waits for statements that were sent; this cuts it off.
      query_timeout: stallMs ?? undefined,
    };
    const sent = client.query<R & pg.QueryResultRow>(statement);
    if (TRANSACTION_START.test(text)) return startTransaction(sent);
    const mayEnd = text !== COMMIT && text !== ROLLBACK;
    if (mayEnd) running++;
    try {
      const [{ command, rowCount, rows }] = await Promise.all([sent, starting]);
      starting = undefined;
      return {
        command: command as PostgresQueryResult<R>["command"],
        rowCount: rowCount ?? 0,
        rows,
      };
    } catch (error) {
      if (breaksConnection(error)) broken ??= error as Error;
      if (text !== COMMIT) signal?.throwIfAborted();
      throw asStorageFailure(broken ?? error);
    } finally {
      if (mayEnd) running--;
      stalled?.refresh();
    }
  }

  /** Last of all that keeps accounts apart: a statement of one names it, whoever wrote it. */
  function checkAccount(text: string, parameters: readonly unknown[]): void {
    if (companyId === null || parameters.length === 0 || parameters.includes(companyId)) return;
    throw new Error(`A statement of an account does not name the account: ${text}`);
  }

  /**
   * Nothing needs its answer, so the first statement of a transaction travels with it, which saves
   * a round trip. Where it fails, that statement fails with it, and the connection is closed.
   */
  function startTransaction<R>(sent: Promise<unknown>): PostgresQueryResult<R> {
    starting = sent.catch((error: Error) => {
      broken ??= error;
      throw error;
    });
    starting.catch(() => {});
    return { command: "SELECT", rowCount: 0, rows: [] };
  }

  function onConnectionError(error: Error): void {
    broken ??= error;
  }

  /** The connection goes with its statement: to cancel could hit the one that comes next. */
  function onAbort(): void {
    if (running === 0 || !endsStatements) return;
    broken ??= new Error("The statement was abandoned");
    // To end the client would wait for the statement.
    (client as unknown as pg.Client).connection.stream.destroy();
  }

  function onStall(afterMs: number): void {
    broken ??= new Error(`No progress on a connection for ${afterMs} ms`);
    returnToPool(true);
    // Its user may never release it.
    releasePermit();
  }

  function returnToPool(destroy: boolean): void {
    if (isReleased) return;
    isReleased = true;
    client.release(destroy);
    // The pool listens to idle and to destroyed connections itself.
    client.off("error", onConnectionError);
  }

  function release(destroy: boolean): void {
    clearTimeout(stalled);
    signal?.removeEventListener("abort", onAbort);
    returnToPool(destroy || broken !== undefined || client.getTransactionStatus() !== "I");
    releasePermit();
  }

  return { query, release } as unknown as PostgresPoolClient;
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

export interface PoolLimits extends FairSemaphoreLimits, ConnectionSettings {}

/** For the one thing at a time that checks or changes the schema, as long as it takes. */
export const ONE_WITHOUT_LIMIT: PoolLimits = {
  concurrent: 1,
  concurrentPerOwner: 1,
  maxWaiting: 0,
  maxWaitingPerOwner: 0,
  waitMs: 0,
  stallMs: null,
  endsStatements: false,
};

const ADAPTER = new PostgresAdapter();
const COMPILER = new PostgresQueryCompiler();

/**
 * The connections of an engine, with what `pg` leaves to its user: a fair, bounded queue; a
 * deadline that frees the connection too; a listener for one that dies in use, which would end the
 * process. None goes back inside a transaction.
 */
class PooledConnections {
  readonly #pool: pg.Pool;
  readonly semaphore: FairSemaphore;
  readonly #settings: ConnectionSettings;
  readonly #names = new StatementNames();

  constructor(pool: pg.Pool, limits: PoolLimits) {
    this.#pool = pool;
    const refusal = "the service has too many requests to handle; try again";
    this.semaphore = new FairSemaphore(limits, refusal);
    this.#settings = limits;
  }

  /** As PostgresDialect, whose compiler is costly to make and remembers nothing: all share one. */
  dialectFor(user: ConnectionUser): Dialect {
    const pool = { options: {}, connect: () => this.#connect(user), end: async () => {} };
    return {
      createDriver: () => new PostgresDriver({ pool }),
      createQueryCompiler: () => COMPILER,
      createAdapter: () => ADAPTER,
      createIntrospector: (db) => new PostgresIntrospector(db),
    };
  }

  async #connect(user: ConnectionUser): Promise<PostgresPoolClient> {
    const releasePermit = await this.semaphore.acquire(user.owner, user.signal);
    try {
      const client = await this.#pool.connect();
      return connectionInUse(client, this.#names, user, this.#settings, releasePermit);
    } catch (error) {
      releasePermit();
      user.signal?.throwIfAborted();
      throw storageUnavailable(error);
    }
  }
}

/**
 * The database for what belongs to no account: look-ups of keys, housekeeping, the operator.
 * Statements of a call take the `company_id` from the `AccountDb` of `forCall` alone, so that
 * no use case can read or change another account by mistake.
 */
export class ServiceDb extends Kysely<Schema> {
  readonly #connections: PooledConnections;
  readonly #log: ((event: LogEvent) => void) | undefined;

  /** `log` sees each statement once it ran or failed. */
  constructor(pool: pg.Pool, limits: PoolLimits, log?: (event: LogEvent) => void) {
    const connections = new PooledConnections(pool, limits);
    super({ dialect: connections.dialectFor({ owner: null, companyId: null }), log });
    this.#connections = connections;
    this.#log = log;
  }

  /** Of its connections, for the operator. */
  get queue(): QueueState {
    return this.#connections.semaphore.state;
  }

  /** Refuses new users and waits for those that have a connection; the engine closes it. */
  end(): Promise<void> {
    return this.#connections.semaphore.close();
  }

  /** What the service itself asks about one account, or does to it: for the operator. */
  of(companyId: CompanyId): AccountDb {
    return this.#accountDb({ owner: null, companyId });
  }

  /**
   * What an account's call asks, which takes of the account's share of the connections.
   * Costs microseconds: each call has one of its own, with its signal.
   */
  forCall(companyId: CompanyId, signal?: AbortSignal): AccountDb {
    return this.#accountDb({ owner: companyId, companyId, signal });
  }

  /** For statements across accounts that are an account's work: they take of its share. */
  inShareOf(owner: CompanyId): Executor {
    return this.#dbFor({ owner, companyId: null });
  }

  #accountDb(user: ConnectionUser & { readonly companyId: CompanyId }): AccountDb {
    return Object.assign(this.#dbFor(user), { companyId: user.companyId });
  }

  #dbFor(user: ConnectionUser): Kysely<Schema> {
    return new Kysely({ dialect: this.#connections.dialectFor(user), log: this.#log });
  }
}
