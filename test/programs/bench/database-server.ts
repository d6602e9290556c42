import { execFileSync } from "node:child_process";
import { totalmem } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { Cluster } from "../../support/postgres-cluster.ts";

const MIB = 2 ** 20;
/** Of the machine's memory: what PostgreSQL's manual calls a reasonable start. */
const BUFFERS_SHARE = 1 / 4;
/** More than anything here needs, and a machine may have much that is not all to be had. */
const MOST_BUFFERS_MIB = 8_192;

/** As the manual recommends, or as it ships. */
export type SharedBuffers = "recommended" | "default";

/** A Postgres server where databases may be created. */
export interface DatabaseServer {
  readonly url: string;
  /** null: it is somebody else's. */
  readonly own: OwnServer | null;
  close(): Promise<void>;
}

/** One that was made for the run. */
export interface OwnServer {
  /** Where its files are. */
  readonly folder: string;
  /** Stops and starts it: its shared buffers are then empty. */
  restart(sharedBuffers?: SharedBuffers): Promise<void>;
  /** The files of this database leave the cache of the operating system, too. */
  restartCold(databaseUrl: string): Promise<Emptied>;
}

/** What there is of a database, and how much of it is still in the system's cache. */
export interface Emptied {
  readonly filesMiB: number;
  readonly stayedMiB: number;
}

/**
 * The one that TEST_DATABASE_URL names, or one of its own: durable as PostgreSQL ships, which
 * those for tests are not, and with shared buffers as its manual recommends.
 */
export async function startDatabaseServer(): Promise<DatabaseServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined) return { url: given, own: null, close: async () => {} };
  const cluster = await Cluster.create(settingsWith("recommended"));
  // Where `newTestLocation` makes databases.
  process.env.TEST_DATABASE_URL = cluster.url;
  return {
    url: cluster.url,
    own: {
      folder: cluster.data,
      async restart(sharedBuffers = "recommended") {
        await cluster.stop();
        await cluster.start(settingsWith(sharedBuffers));
      },
      async restartCold(databaseUrl) {
        const folder = join(cluster.data, "base", await oidOf(databaseUrl));
        await cluster.stop();
        const emptied = emptyCacheOf(folder);
        await cluster.start();
        return emptied;
      },
    },
    close: () => cluster.remove(),
  };
}

function settingsWith(sharedBuffers: SharedBuffers): string[] {
  const durable = ["fsync=on", "full_page_writes=on"];
  if (sharedBuffers === "default") return durable;
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem());
  const buffers = Math.min(MOST_BUFFERS_MIB, Math.floor((memory * BUFFERS_SHARE) / MIB));
  return [...durable, `shared_buffers=${buffers}MB`];
}

async function oidOf(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    "select oid::text from pg_database where datname = current_database()",
  );
  await client.end();
  return rows[0].oid;
}

/** Without rights over the system: it is told, file by file, that what it keeps is not needed. */
function emptyCacheOf(folder: string): Emptied {
  const forEach = (...command: string[]) =>
    execFileSync("find", [folder, "-type", "f", "-exec", ...command], { encoding: "utf8" });
  forEach("dd", "if={}", "iflag=nocache", "count=0", "status=none", ";");
  const kept = forEach("fincore", "--bytes", "--noheadings", "--output", "RES,SIZE", "{}", "+");
  const sums = [0, 0];
  for (const line of kept.trim().split("\n")) {
    for (const [i, bytes] of line.trim().split(/\s+/).entries())
      sums[i] = (sums[i] ?? 0) + Number(bytes);
  }
  const [stayed = Number.NaN, files = Number.NaN] = sums.map((bytes) => bytes / MIB);
  return { filesMiB: files, stayedMiB: stayed };
}
