import {
  type Dialect,
  Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
} from "kysely";
import type { CompanyId } from "../domain/ids.ts";
import type { ConnectionPool, ConnectionUser } from "./connection-pool.ts";
import type { AccountDb, Executor, Schema } from "./schema.ts";

const ADAPTER = new PostgresAdapter();
const COMPILER = new PostgresQueryCompiler();

/** As PostgresDialect, whose compiler is costly to make and remembers nothing: all share one. */
function dialectOn(pool: PostgresPool): Dialect {
  return {
    createDriver: () => new PostgresDriver({ pool }),
    createQueryCompiler: () => COMPILER,
    createAdapter: () => ADAPTER,
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/**
 * The database for what belongs to no account: look-ups of keys, housekeeping, the operator.
 * Statements of a call take the `company_id` from the `AccountDb` of `forCall` alone, so that
 * no use case can read or change another account by mistake.
 */
export class ServiceDb extends Kysely<Schema> {
  readonly #pool: ConnectionPool;
  readonly #log: ((event: LogEvent) => void) | undefined;

  /** `log` sees each statement once it ran or failed. */
  constructor(pool: ConnectionPool, log?: (event: LogEvent) => void) {
    super({ dialect: dialectOn(pool), log });
    this.#pool = pool;
    this.#log = log;
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

  /**
   * For statements across accounts whose work is an account's all the same: it takes of
   * that account's share, where `this` takes of the service's.
   */
  inShareOf(owner: CompanyId): Executor {
    const dialect = dialectOn(this.#pool.usedBy({ owner, companyId: null }));
    return new Kysely<Schema>({ dialect, log: this.#log });
  }

  #accountDb(user: ConnectionUser & { readonly companyId: CompanyId }): AccountDb {
    const pool = this.#pool.usedBy(user);
    const db = new Kysely<Schema>({ dialect: dialectOn(pool), log: this.#log });
    return Object.assign(db, { companyId: user.companyId });
  }
}
