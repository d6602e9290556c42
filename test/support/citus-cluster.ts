import { execFileSync } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import { BIN, type Breakable, Cluster } from "./postgres-cluster.ts";

const WORKERS = 2;
export const SHARDS = 16;
const SETTINGS: readonly string[] = [
  "shared_preload_libraries=citus",
  // What moves shards reads them from the log.
  "wal_level=logical",
  "shared_buffers=64MB",
  "max_connections=400",
  "max_prepared_transactions=400",
  // Citus has one for each database, and some for each shard that moves.
  "max_worker_processes=48",
  `citus.shard_count=${SHARDS}`,
  ...outputPlugins(),
  // Among themselves they speak as the test does with them: without TLS.
  "citus.node_conninfo=sslmode=prefer",
];

const MAX_DROPS = 5;

/**
 * What splits shards reads the log by a plugin of Citus's own, which newer releases of
 * PostgreSQL ask the operator to permit, and older ones do not know how to.
 */
function outputPlugins(): string[] {
  const known = execFileSync(join(BIN, "postgres"), ["--describe-config"], { encoding: "utf8" });
  const name = "output_plugin_libraries";
  return known.includes(name) ? [`${name}=pgoutput,test_decoding,citus`] : [];
}

/** What a test needs to know of a cluster: where its nodes are, each as a URL. */
export interface CitusNodes {
  readonly coordinator: string;
  readonly workers: readonly string[];
}

/**
 * A Citus cluster of the run's own: a coordinator and two workers, each of which may be killed.
 * What breaks the whole breaks one node after the other.
 */
export class CitusCluster implements Breakable {
  readonly coordinator: Cluster;
  readonly workers: readonly Cluster[];
  #turns = 0;

  private constructor(coordinator: Cluster, workers: readonly Cluster[]) {
    this.coordinator = coordinator;
    this.workers = workers;
  }

  get nodes(): CitusNodes {
    return { coordinator: this.coordinator.url, workers: this.workers.map(({ url }) => url) };
  }

  static async create(): Promise<CitusCluster> {
    const created: Cluster[] = [];
    try {
      for (let node = 0; node < 1 + WORKERS; node++) created.push(await Cluster.create(SETTINGS));
      const [coordinator, ...workers] = created;
      if (coordinator === undefined) throw new Error("unreachable: one was created");
      const cluster = new CitusCluster(coordinator, workers);
      await makeDistributable(cluster.nodes, "postgres");
      return cluster;
    } catch (error) {
      await Promise.all(created.map((node) => node.remove()));
      throw error;
    }
  }

  async stopAtOnce(): Promise<void> {
    this.#turns++;
    await this.#broken.stopAtOnce();
  }

  start(): Promise<void> {
    return this.#broken.start();
  }

  async freeze(): Promise<void> {
    this.#turns++;
    await this.#broken.freeze();
  }

  thaw(): Promise<void> {
    return this.#broken.thaw();
  }

  get #broken(): Cluster {
    const nodes = [this.coordinator, ...this.workers];
    return nodes[this.#turns % nodes.length] ?? this.coordinator;
  }

  async remove(): Promise<void> {
    await Promise.all([this.coordinator, ...this.workers].map((node) => node.remove()));
  }
}

/** A database on every node, which the nodes know of each other. */
export async function createCitusDatabase(nodes: CitusNodes, name: string): Promise<string> {
  const all = [nodes.coordinator, ...nodes.workers];
  // One after the other: to add a node writes to tables that all databases share.
  const client = new pg.Client({ connectionString: nodes.coordinator });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(1)");
    await Promise.all(all.map((url) => onServer(url, `create database ${name}`)));
    await makeDistributable(nodes, name);
  } finally {
    await client.end();
  }
  return databaseAt(nodes.coordinator, name);
}

export async function dropCitusDatabase(nodes: CitusNodes, name: string): Promise<void> {
  for (const url of [nodes.coordinator, ...nodes.workers]) {
    for (let attempt = 1; ; attempt++) {
      try {
        await onServer(url, `drop database if exists ${name} with (force)`);
        break;
      } catch (error) {
        // What maintains it, or the other nodes, connected anew.
        if (attempt === MAX_DROPS) throw error;
      }
    }
  }
}

/** What an operator does once, before the command that distributes. */
async function makeDistributable(nodes: CitusNodes, name: string): Promise<void> {
  const coordinator = databaseAt(nodes.coordinator, name);
  const workers = nodes.workers.map((url) => databaseAt(url, name));
  await Promise.all(
    [coordinator, ...workers].map((url) => onServer(url, "create extension if not exists citus")),
  );
  const { hostname, port } = new URL(coordinator);
  await onServer(coordinator, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workers) {
    const { hostname, port } = new URL(worker);
    await onServer(coordinator, `select citus_add_node('${hostname}', ${port})`);
  }
}

function databaseAt(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
