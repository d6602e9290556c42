import { totalmem } from "node:os";
import { Cluster } from "../../support/postgres-cluster.ts";

const MIB = 2 ** 20;
/** Of the machine's memory: what PostgreSQL's manual calls a reasonable start. */
const BUFFERS_SHARE = 1 / 4;
/** More than anything here needs, and a machine may have much that is not all to be had. */
const MOST_BUFFERS_MIB = 8_192;

/** A Postgres server where databases may be created. */
export interface DatabaseServer {
  readonly url: string;
  /** Where its files are; null: it is somebody else's. */
  readonly folder: string | null;
  close(): Promise<void>;
}

/**
 * The one that TEST_DATABASE_URL names, or one of its own: durable as PostgreSQL ships, which
 * those for tests are not, and with shared buffers as its manual recommends.
 */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) return { url: given, folder: null, close: async () => {} };
  const cluster = await Cluster.create(settings());
  // Where `newTestLocation` makes databases.
  process.env.TEST_DATABASE_URL = cluster.url;
  return { url: cluster.url, folder: cluster.data, close: () => cluster.remove() };
}

function settings(): string[] {
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem());
  const buffers = Math.min(MOST_BUFFERS_MIB, Math.floor((memory * BUFFERS_SHARE) / MIB));
  return ["fsync=on", "full_page_writes=on", `shared_buffers=${buffers}MB`];
}
