import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import pg from "pg";
import type { TestLocation } from "../../support/database.ts";

const KIB_A_MIB = 1_024;

/** What Linux tells of a process. */
export interface ProcessUse {
  readonly rssMiB: number;
  readonly fileDescriptors: number;
  readonly sockets: number;
}

export function observeProcess(pid: number): ProcessUse {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`);
    } catch {
      // Closed since it was listed.
      return "";
    }
  });
  return {
    rssMiB: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / KIB_A_MIB,
    fileDescriptors: targets.length,
    sockets: targets.filter((target) => target.startsWith("socket:")).length,
  };
}

/** Counts the service's connections to its database; those of PGlite are one. */
export async function observeDatabase({
  location,
}: TestLocation): Promise<{ connections(): Promise<number>; close(): Promise<void> }> {
  if (location.engine === "pglite") return { connections: async () => 1, close: async () => {} };
  const client = new pg.Client({ connectionString: location.url });
  await client.connect();
  return {
    async connections() {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = 'agent-memory'`,
      );
      return rows[0]?.count ?? 0;
    },
    close: () => client.end(),
  };
}
