import { setTimeout as sleep } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import pg from "pg";
import type { Breakable } from "../../support/postgres-cluster.ts";
import type { Fault, FaultKind } from "./history.ts";
import { type FaultProxy, startProxy } from "./proxy.ts";
import type { Query } from "./rows.ts";
import { Server } from "./server.ts";

export interface FleetOptions {
  /** Folder of the project whose service is run. */
  readonly root: string;
  readonly database:
    | {
        readonly engine: "postgres";
        readonly url: string;
        /** Over several nodes (Citus), of which `url` is the coordinator's. */
        readonly isDistributed?: boolean;
        readonly cluster: Breakable | null;
      }
    | { readonly engine: "pglite"; readonly dataDir: string };
  /** How many servers; of PGlite one. */
  readonly servers: number;
  /** Whether proxies stand before the servers and before the database, so that they can fail. */
  readonly withProxies: boolean;
}

const DATABASE_FAULTS: readonly FaultKind[] = ["kill_database", "freeze_database", "end_backends"];
const BUSY = `select count(*)::int as busy from pg_stat_activity
  where application_name = $1 and state <> 'idle'`;
/** A worker goes on with what it was told when the coordinator, or a connection to it, ended. */
const BUSY_ON_ALL_NODES = `select (
    select count(*) from pg_stat_activity where application_name = $1 and state <> 'idle'
  )::int + (
    select coalesce(sum(result::int), 1) from run_command_on_workers($$
      select count(*) from pg_stat_activity
      where application_name like 'citus_internal%' and state <> 'idle'
        and pid <> pg_backend_pid()
    $$) where success
  )::int as busy`;
const MAX_STARTS = 50;
const START_PAUSE_MS = 300;

/** As a supervisor does: a server that finds no database ends, and is started again. */
async function startAgain(server: Server): Promise<void> {
  for (let start = 1; ; start++) {
    try {
      return await server.start();
    } catch (error) {
      if (start === MAX_STARTS) throw error;
      await sleep(START_PAUSE_MS);
    }
  }
}

/** The servers that histories are played against, and what they stand on. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly servers: readonly Server[];
  readonly #clientProxies: readonly FaultProxy[];
  readonly #databaseProxies: readonly FaultProxy[];
  #pool: pg.Pool | null = null;
  /** What breaks last of each thing. */
  readonly #turns = new Map<string, Promise<void>>();

  private constructor(
    options: FleetOptions,
    servers: readonly Server[],
    proxies: { clients: readonly FaultProxy[]; database: readonly FaultProxy[] },
  ) {
    this.#options = options;
    this.servers = servers;
    this.#clientProxies = proxies.clients;
    this.#databaseProxies = proxies.database;
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const { root, database, withProxies } = options;
    const servers: Server[] = [];
    const proxies = { clients: [] as FaultProxy[], database: [] as FaultProxy[] };
    for (let index = 0; index < options.servers; index++) {
      let variables: Record<string, string>;
      if (database.engine === "pglite") {
        variables = { DATA_DIR: database.dataDir };
      } else {
        const url = new URL(database.url);
        if (withProxies) {
          const { port } = url;
          const proxy = await startProxy(() => Number(port));
          proxies.database.push(proxy);
          url.port = String(proxy.port);
        }
        variables = { DATABASE_URL: url.href };
      }
      const server = new Server(root, variables);
      servers.push(server);
      if (withProxies) proxies.clients.push(await startProxy(() => server.port));
    }
    const fleet = new Fleet(options, servers, proxies);
    try {
      await Promise.all(servers.map((server) => server.start()));
    } catch (error) {
      await fleet.close();
      throw error;
    }
    return fleet;
  }

  get engine(): "postgres" | "pglite" {
    return this.#options.database.engine;
  }

  /** Where clients reach a server. */
  urlOf(server: number): string {
    const port = this.#clientProxies[server]?.port ?? this.servers[server]?.port;
    return `http://127.0.0.1:${port}`;
  }

  /** Breaks something, and mends it once its time is over. One thing breaks once at a time. */
  async inject(fault: Fault): Promise<void> {
    const index = fault.server % this.servers.length;
    const target = DATABASE_FAULTS.includes(fault.kind) ? "database" : `server ${index}`;
    const turn = (this.#turns.get(target) ?? Promise.resolve()).then(() =>
      this.#breakAndMend(fault, index),
    );
    this.#turns.set(target, turn);
    return turn;
  }

  async #breakAndMend({ kind, durationMs }: Fault, index: number): Promise<void> {
    const server = this.servers[index];
    const client = this.#clientProxies[index];
    const database = this.#databaseProxies[index];
    const cluster = this.#cluster;
    if (server === undefined || client === undefined) throw new Error("A fleet without proxies");
    switch (kind) {
      case "kill_server":
      case "terminate_server":
        await server.end(kind === "kill_server" ? "SIGKILL" : "SIGTERM");
        await sleep(durationMs / 3);
        return startAgain(server);
      case "pause_server":
        server.pause();
        await sleep(durationMs);
        return server.resume();
      case "cut_clients":
        return client.cut();
      case "cut_database":
        return database?.cut();
      case "hold_clients":
      case "hold_database": {
        const proxy = kind === "hold_clients" ? client : database;
        proxy?.hold();
        await sleep(durationMs);
        return proxy?.release();
      }
      case "end_backends":
        await this.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = $1 and backend_type = 'client backend'`,
          ["agent-memory"],
        ).catch(() => {});
        return;
      case "kill_database":
        await cluster?.stopAtOnce();
        await sleep(durationMs);
        return cluster?.start();
      case "freeze_database":
        await cluster?.freeze();
        await sleep(durationMs);
        return cluster?.thaw();
    }
  }

  /** Starts what has ended, and takes back all that hinders. */
  async mend(): Promise<void> {
    for (const proxy of [...this.#clientProxies, ...this.#databaseProxies]) proxy.release();
    await Promise.all(this.servers.map(startAgain));
  }

  /** On Postgres only: beside the service, on a connection of its own. */
  query: Query = async (statement, parameters) => {
    const { database } = this.#options;
    if (database.engine !== "postgres") throw new Error("The folder belongs to the service");
    if (this.#pool === null) {
      this.#pool = new pg.Pool({ connectionString: database.url, max: 2 });
      this.#pool.on("error", () => {});
    }
    return (await this.#pool.query(statement, [...parameters])).rows;
  };

  /** Waits until no call is at work in the database any more, whoever made it. */
  async settle(): Promise<void> {
    if (this.engine === "pglite") return;
    for (let quiet = 0; quiet < 2; ) {
      const { database } = this.#options;
      const isDistributed = database.engine === "postgres" && database.isDistributed === true;
      const [row] = await this.query(isDistributed ? BUSY_ON_ALL_NODES : BUSY, ["agent-memory"]);
      quiet = row.busy === 0 ? quiet + 1 : 0;
      if (quiet < 2) await sleep(quiet === 0 ? 20 : 5);
    }
  }

  /** Reads rows. The folder of PGlite has one user at a time, so the service ends meanwhile. */
  async read<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const { database } = this.#options;
    if (database.engine === "postgres") return work(this.query);
    await Promise.all(this.servers.map((server) => server.end("SIGTERM")));
    const db = await PGlite.create({
      dataDir: `${database.dataDir}/pglite`,
      extensions: { vector },
    });
    const result = await work(async (statement, parameters) => {
      return (await db.query(statement, [...parameters])).rows;
    }).finally(() => db.close());
    await Promise.all(this.servers.map((server) => server.start()));
    return result;
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end("SIGKILL")));
    await this.#pool?.end();
    await Promise.all(
      [...this.#clientProxies, ...this.#databaseProxies].map((proxy) => proxy.close()),
    );
  }

  get #cluster(): Breakable | null {
    const { database } = this.#options;
    return database.engine === "postgres" ? database.cluster : null;
  }
}
