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
import type { ConnectionUser } from "./connection-in-use.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import type { ReplicaReads } from "./replica-reads.ts";
import type { AccountDb, Executor, Schema } from "./schema.ts";
import type { WalPosition } from "./write-positions.ts";

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

/** The database for what belongs to no account, and where that of each account comes from. */
export class ServiceDb extends Kysely<Schema> {
  readonly #pool: ConnectionPool;
  readonly #log: ((event: LogEvent) => void) | undefined;
  readonly #replica: ReplicaReads | null;

  /** `log` sees each statement once it ran or failed. `replica`: null where there is none. */
  constructor(
    pool: ConnectionPool,
    log?: (event: LogEvent) => void,
    replica: ReplicaReads | null = null,
  ) {
    super({ dialect: dialectOn(pool), log });
    this.#pool = pool;
    this.#log = log;
    this.#replica = replica;
  }

  /** Whether reads may go to a replica, and so it matters what a caller has written. */
  get hasReplica(): boolean {
    return this.#replica !== null;
  }

  /** What the service itself asks about one account, or does to it: for the operator. */
  of(companyId: CompanyId): AccountDb {
    return this.#accountDb({ owner: null, companyId });
  }

  /**
   * What an account's call asks, which takes of the account's share of the connections.
   * Costs microseconds: each call has one of its own, with its signal. `onCommit` is told
   * how far each commit is, where there is a replica.
   */
  forCall(
    companyId: CompanyId,
    signal?: AbortSignal,
    onCommit?: (position: WalPosition | null) => void,
  ): AccountDb {
    return this.#accountDb({ owner: companyId, companyId, signal, onCommit });
  }

  /**
   * The same for reads by statements of their own, which a replica may answer: it shows all
   * that the account has written by this server, `after`, and what anybody had committed a
   * second ago.
   */
  forReads(companyId: CompanyId, signal: AbortSignal, after: WalPosition | null): AccountDb {
    if (this.#replica === null) return this.forCall(companyId, signal);
    const pool = this.#replica.usedBy({ owner: companyId, companyId, signal, after });
    return this.#accountDbOn(pool, companyId);
  }

  /** How far the primary has come, for what was done without a commit that told it. */
  async position(companyId: CompanyId): Promise<WalPosition | null> {
    return (await this.#replica?.positionAfter(companyId)) ?? null;
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
    return this.#accountDbOn(this.#pool.usedBy(user), user.companyId);
  }

  #accountDbOn(pool: PostgresPool, companyId: CompanyId): AccountDb {
    const db = new Kysely<Schema>({ dialect: dialectOn(pool), log: this.#log });
    return Object.assign(db, { companyId, tellsCommits: this.hasReplica });
  }
}
