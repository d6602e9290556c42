import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { distributeDatabase } from "../../../src/storage/distribution.ts";
import { CitusCluster } from "../../support/citus-cluster.ts";
import { Cluster } from "../../support/postgres-cluster.ts";
import { PROJECT_ROOT } from "../../support/project-root.ts";
import { Arena } from "./arena.ts";
import type { FleetOptions } from "./fleet.ts";
import type { Engine } from "./report.ts";

const POSTGRES_SERVERS = 3;

/** An arena with a database of its own, which goes with it. */
export interface Ground {
  readonly arena: Arena;
  close(): Promise<void>;
}

const grounds = new Set<Ground>();

/** Leaves nothing behind when the run is told to stop. */
export function closeGroundsOnSignal(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      await Promise.allSettled([...grounds].map((ground) => ground.close()));
      process.exit(1);
    });
  }
}

/**
 * `root`: the folder of the project whose service is played against. `isDistributed`: on a
 * Citus cluster, in place of one server.
 */
export async function openGround(
  engine: Engine,
  withFaults: boolean,
  { root = PROJECT_ROOT, isDistributed = false } = {},
): Promise<Ground> {
  const newServer = isDistributed ? newCitusCluster : newCluster;
  const place = engine === "postgres" ? await newServer() : await newFolder();
  const { database } = place;
  const servers = engine === "postgres" ? POSTGRES_SERVERS : 1;
  try {
    const arena = await Arena.open({ root, database, servers, withProxies: withFaults });
    const ground = {
      arena,
      close: async () => {
        // A signal may have been faster.
        if (!grounds.delete(ground)) return;
        await arena.close();
        await place.remove();
      },
    };
    grounds.add(ground);
    return ground;
  } catch (error) {
    await place.remove();
    throw error;
  }
}

interface Place {
  readonly database: FleetOptions["database"];
  remove(): Promise<void>;
}

async function newCluster(): Promise<Place> {
  const cluster = await Cluster.create();
  const { url } = cluster;
  return { database: { engine: "postgres", url, cluster }, remove: () => cluster.remove() };
}

async function newCitusCluster(): Promise<Place> {
  const cluster = await CitusCluster.create();
  const url = cluster.nodes.coordinator;
  try {
    await distributeDatabase(url);
  } catch (error) {
    await cluster.remove();
    throw error;
  }
  return {
    database: { engine: "postgres", url, isDistributed: true, cluster },
    remove: () => cluster.remove(),
  };
}

async function newFolder(): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), "agent-memory-histories-"));
  return {
    database: { engine: "pglite", dataDir },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
