import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { inTime } from "../concurrency/in-time.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import {
  type ConnectionInUse,
  type ConnectionUser,
  TRANSACTION_START,
} from "./connection-in-use.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { reasonOf } from "./storage-failure.ts";
import { parseWalPosition, type WalPosition, type WritePositions } from "./write-positions.ts";

/** How often the primary is asked how far it has come, and a replica whether it answers. */
export const REPLICA_CHECK_MS = 400;
/** A replica that takes longer to answer that is not read. */
export const REPLICA_CHECK_TIMEOUT_MS = 1_000;

/** As a statement without parameters, which travels with the one that reads. */
const REPLAYED =
  "select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position";
const WRITTEN = "select pg_current_wal_insert_lsn()::text as position";
const IDENTITY = "select system_identifier::text as identity from pg_control_system()";

/** For whom an account's statements are read. */
export interface Reader extends ConnectionUser {
  readonly companyId: CompanyId;
  /** What its caller says that it has written, or seen; null: nothing. */
  readonly after: WalPosition | null;
}

/** What the operator's metrics are told. */
export interface ReplicaReadsState {
  readonly isUp: boolean;
  /** Reads by where they were answered, and why not by a replica. */
  readonly reads: Readonly<Record<ReadOutcome, number>>;
}

export type ReadOutcome = "replica" | "behind" | "failed" | "unavailable";

export interface ReplicaObserver {
  /** `reason`: why it is not read any more; null: it is. */
  onReplica(reason: string | null): void;
  monotonicMs(): number;
}

/**
 * Reads by statements of their own: on a replica where that shows all that the reader may
 * ask to see, else on the primary. Whether it does, the replica says with the same answer, so
 * that any number of replicas may be behind one address.
 */
export class ReplicaReads {
  readonly #primary: ConnectionPool;
  readonly #replica: ConnectionPool;
  readonly #positions: WritePositions;
  readonly #observer: ReplicaObserver;
  readonly #reads = { replica: 0, behind: 0, failed: 0, unavailable: 0 };
  /** Aborted when the replica is given up: reads that wait for it go to the primary. */
  #outage = new AbortController();
  /** null: nothing was said of it yet. */
  #isUp: boolean | null = null;
  #isClosed = false;
  #checking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    pools: { readonly primary: ConnectionPool; readonly replica: ConnectionPool },
    positions: WritePositions,
    observer: ReplicaObserver,
  ) {
    this.#primary = pools.primary;
    this.#replica = pools.replica;
    this.#positions = positions;
    this.#observer = observer;
  }

  get state(): ReplicaReadsState {
    return { isUp: this.#isUp === true, reads: { ...this.#reads } };
  }

  /** Looks at the replica now, and again and again. Never rejects. */
  async start(): Promise<void> {
    this.#checking = this.#check();
    await this.#checking;
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.start(), REPLICA_CHECK_MS).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#checking;
  }

  /** The connections of one reader, as Kysely takes them. */
  usedBy(reader: Reader): PostgresPool {
    const connect = async () => new ReadConnection(this, this.#primary, reader);
    return {
      options: {},
      connect: connect as unknown as () => Promise<PostgresPoolClient>,
      end: async () => {},
    };
  }

  /** Whatever the account has written by now is waited for. */
  async positionAfter(companyId: CompanyId): Promise<WalPosition | null> {
    const { position } = await this.#ask(this.#primary, WRITTEN).catch(() => ({ position: null }));
    this.#positions.committed(companyId, position);
    return position;
  }

  /** What a replica answered; null: the primary is to be asked. */
  async ask<R>(
    reader: Reader,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<R> | null> {
    const required =
      this.#isUp === true ? this.#positions.required(reader.companyId, reader.after) : null;
    if (required === null) return this.#goToPrimary("unavailable");
    try {
      const { replayed, result } = await this.#read<R>(reader, sql, parameters);
      if (replayed === null || replayed < required) return this.#goToPrimary("behind");
      this.#reads.replica++;
      return result;
    } catch (error) {
      reader.signal?.throwIfAborted();
      if (error instanceof Failure && error.reason === "storage_unavailable") this.#giveUp(error);
      return this.#goToPrimary("failed");
    }
  }

  #goToPrimary(outcome: Exclude<ReadOutcome, "replica">): null {
    this.#reads[outcome]++;
    return null;
  }

  async #read<R>(reader: Reader, sql: string, parameters: readonly unknown[]) {
    const { signal } = this.#outage;
    const user = {
      ...reader,
      signal: reader.signal === undefined ? signal : AbortSignal.any([reader.signal, signal]),
    };
    const connection = await this.#take(user);
    try {
      const [position, result] = await Promise.allSettled([
        connection.query<PositionRow>(REPLAYED, []),
        connection.query<R>(sql, parameters),
      ]);
      if (position.status === "rejected") throw position.reason;
      if (result.status === "rejected") throw result.reason;
      return { replayed: positionIn(position.value), result: result.value };
    } finally {
      connection.release();
    }
  }

  /** A connection; rejects as soon as nobody waits for it, where one that is being opened cannot. */
  async #take(user: ConnectionUser & { readonly signal: AbortSignal }): Promise<ConnectionInUse> {
    const taken = this.#replica.take(user);
    const { promise: isOver, reject } = Promise.withResolvers<never>();
    const end = () => reject(user.signal.reason);
    user.signal.addEventListener("abort", end);
    try {
      return await Promise.race([taken, isOver]);
    } catch (error) {
      taken.then(
        (connection) => connection.release(),
        () => {},
      );
      throw error;
    } finally {
      user.signal.removeEventListener("abort", end);
    }
  }

  async #check(): Promise<void> {
    const atMs = this.#observer.monotonicMs();
    const [primary, replica] = await Promise.allSettled([
      this.#ask(this.#primary, WRITTEN),
      inTime(this.#ask(this.#replica, REPLAYED), REPLICA_CHECK_TIMEOUT_MS),
    ]);
    // Without it nothing is known of the replica, and soon nothing is read from it.
    if (primary.status === "rejected") return;
    const { identity, position } = primary.value;
    if (position !== null) this.#positions.sample(position, atMs);
    if (replica.status === "rejected") this.#giveUp(replica.reason);
    else if (replica.value.identity !== identity || replica.value.position === null) {
      this.#giveUp(new Error("it is no replica of the database of DATABASE_URL"));
    } else if (this.#isUp !== true && !this.#isClosed) {
      this.#isUp = true;
      this.#outage = new AbortController();
      this.#observer.onReplica(null);
    }
  }

  async #ask(pool: ConnectionPool, statement: string) {
    // What is asked in vain is ended: else it would hold its connection for longer.
    const signal = AbortSignal.timeout(REPLICA_CHECK_TIMEOUT_MS);
    const connection = await pool.take({ owner: null, companyId: null, signal });
    try {
      const [position, identity] = await Promise.all([
        connection.query<PositionRow>(statement, []),
        connection.query<{ readonly identity: string }>(IDENTITY, []),
      ]);
      return { position: positionIn(position), identity: identity.rows[0]?.identity };
    } finally {
      connection.release();
    }
  }

  #giveUp(error: unknown): void {
    if (this.#isUp === false || this.#isClosed) return;
    this.#isUp = false;
    this.#outage.abort(new Error("The replica was given up"));
    this.#observer.onReplica(reasonOf(error));
  }
}

interface PositionRow {
  readonly position: string | null;
}

function positionIn({ rows }: PostgresQueryResult<PositionRow>): WalPosition | null {
  return parseWalPosition(rows[0]?.position ?? null);
}

/** A connection of a reader: none at all until the primary is asked. */
class ReadConnection {
  readonly #reads: ReplicaReads;
  readonly #primary: ConnectionPool;
  readonly #reader: Reader;
  #held: ConnectionInUse | null = null;

  constructor(reads: ReplicaReads, primary: ConnectionPool, reader: Reader) {
    this.#reads = reads;
    this.#primary = primary;
    this.#reader = reader;
  }

  async query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.#held === null && !TRANSACTION_START.test(sql)) {
      const answered = await this.#reads.ask<R>(this.#reader, sql, parameters);
      if (answered !== null) return answered;
    }
    this.#held ??= await this.#primary.take(this.#reader);
    return this.#held.query<R>(sql, parameters);
  }

  release(destroy = false): void {
    this.#held?.release(destroy);
  }
}
