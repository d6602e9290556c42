import pg from "pg";
import type { DatabaseLocation } from "../../src/storage/database.ts";
import type { TestLocation } from "./database.ts";
import { Cluster } from "./postgres-cluster.ts";

/** A database with a replica, and what may happen to that. */
export interface ReplicatedDatabase {
  /** For any number of servers. */
  readonly place: TestLocation;
  readonly replica: Cluster;
  /** From now on the replica shows what it shows now. */
  pause(): Promise<void>;
  /** It goes on, and resolves once it shows all that was written by now. */
  resume(): Promise<void>;
  /** How many memories it shows. */
  shown(): Promise<number>;
  remove(): Promise<void>;
}

/** Two clusters of their own, a primary and one that streams from it; takes seconds. */
export async function startReplicated(): Promise<ReplicatedDatabase> {
  const primary = await Cluster.create();
  const replica = await Cluster.replicaOf(primary);
  const location: DatabaseLocation = {
    engine: "postgres",
    url: primary.url,
    maxConnections: 8,
    readUrl: replica.url,
  };
  async function resume(): Promise<void> {
    await ask(replica, "select pg_wal_replay_resume()");
    const [written] = await ask(primary, "select pg_current_wal_lsn()::text as position");
    const isBehind = `select pg_last_wal_replay_lsn() < '${written?.position}' as is_behind`;
    while ((await ask(replica, isBehind))[0]?.is_behind);
  }
  return {
    place: { location, remove: async () => {} },
    replica,
    pause: async () => void (await ask(replica, "select pg_wal_replay_pause()")),
    resume,
    async shown() {
      const [row] = await ask(replica, "select count(*)::int as memories from memories");
      return row?.memories;
    },
    async remove() {
      await replica.remove();
      await primary.remove();
    },
  };
}

async function ask({ url }: Cluster, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}
