import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import {
  FairSemaphore,
  type FairSemaphoreLimits,
  type QueueState,
} from "../concurrency/fair-semaphore.ts";
import {
  ConnectionInUse,
  type ConnectionSettings,
  type ConnectionUser,
} from "./connection-in-use.ts";
import { StatementNames } from "./statement-names.ts";
import { storageUnavailable } from "./storage-failure.ts";

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
