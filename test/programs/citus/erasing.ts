import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { table } from "./figures.ts";
import { Load } from "./load.ts";
import type { Part } from "./part.ts";
import { type Account, moveShardOf, Stage } from "./stage.ts";

const MEMORIES = 2_000;
const BATCH = 500;
const CLIENTS = 4;
const TENANT = "erased";
const ROUNDS = [
  { mode: "force_logical", eraseAfterMs: 0 },
  { mode: "force_logical", eraseAfterMs: 500 },
  { mode: "force_logical", eraseAfterMs: 1_500 },
  { mode: "block_writes", eraseAfterMs: 0 },
  { mode: "block_writes", eraseAfterMs: 300 },
];
/** How long the cluster may take to remove what shards that moved left behind. */
const CLEANUP_MS = 120_000;
const POLL_MS = 500;

/** A tenant's memories that are erased while their shard moves, and what is left of them. */
export async function erasing(): Promise<Part> {
  const stage = await Stage.open();
  let load: Load | undefined;
  try {
    const account = await stage.service.newAccount("acme");
    load = new Load([account], CLIENTS);
    const rows: (string | number)[][] = [];
    const problems: string[] = [];
    for (const { mode, eraseAfterMs } of ROUNDS) {
      const ids = await fill(stage, account);
      const what = `a shard moves, \`${mode}\`; after ${eraseAfterMs} ms a tenant is erased`;
      let seconds = 0;
      let answer = "";
      await load.during(what, async () => {
        const erased = sleep(eraseAfterMs).then(async () => {
          const { status, body, ms } = await account.call(
            "DELETE",
            `/agent/memories?tenant_id=${TENANT}`,
          );
          seconds = ms / 1_000;
          answer = `${status}, ${body.deleted_count}`;
        });
        await Promise.all([moveShardOf(stage, account.companyId, mode), erased]);
      });
      const left = await countOf(stage, ids);
      rows.push([what, answer, seconds.toFixed(1), left]);
      if (answer !== `200, ${MEMORIES}` || left > 0) problems.push(`${what}: ${answer}, ${left}`);
    }
    await load.end();
    const cleanup = await waitForCleanup(stage);
    const shards = await shardsOnDisk(stage);
    if (shards.stored !== shards.known) {
      problems.push(`${shards.stored} shards of memories are stored, ${shards.known} are in use`);
    }
    const { text, problems: lost } = await load.judge(stage);
    return {
      name: "A tenant that is erased while its shard moves",
      text: [
        `An account with ${MEMORIES.toLocaleString("en")} memories of the tenant, and ${CLIENTS} clients that write to another tenant of it. ${text} What the shards left where they were was removed ${cleanup.toFixed(0)} seconds after the last move.`,
        load.table,
        table(["Meanwhile", "The erasure got", "Seconds", "Rows left"], rows),
      ],
      problems: [...problems, ...lost],
    };
  } finally {
    load?.stop();
    await stage.close();
  }
}

/** Returns the IDs of the tenant's memories. */
async function fill(stage: Stage, account: Account): Promise<string[]> {
  for (let start = 0; start < MEMORIES; start += BATCH) {
    const memories = Array.from({ length: BATCH }, (_, index) => ({
      content: `Person ${start + index} works on project ${start + index}`,
      tenant_id: TENANT,
    }));
    const { status } = await account.call("POST", "/agent/memories:batch", { memories });
    if (status !== 200) throw new Error(`a batch was answered ${status}`);
  }
  const rows = await stage.query("select id from memories where tenant_id = $1", [TENANT]);
  return rows.map(({ id }) => id);
}

/** The rows that there are of memories. */
async function countOf(stage: Stage, ids: readonly string[]): Promise<number> {
  const [{ count }] = await stage.query(
    `select (select count(*) from memories where id = any($1))
      + (select count(*) from memory_vectors where memory_id = any($1))
      + (select count(*) from audit_events where memory_id = any($1)) as count`,
    [ids],
  );
  return Number(count);
}

/** Until nothing is to be removed; returns the seconds. */
async function waitForCleanup(stage: Stage): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < CLEANUP_MS) {
    const rows = await stage.query("select from pg_dist_cleanup limit 1");
    if (rows.length === 0) break;
    await sleep(POLL_MS);
  }
  return (performance.now() - start) / 1_000;
}

/** The tables of the shards of memories that the workers have, and those that the cluster uses. */
async function shardsOnDisk(stage: Stage): Promise<{ stored: number; known: number }> {
  let stored = 0;
  for (const { url } of stage.cluster.workers) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("set citus.override_table_visibility = off");
    const { rows } = await client.query(
      "select from pg_class where relkind = 'r' and relname ~ '^memories_[0-9]+$'",
    );
    stored += rows.length;
    await client.end();
  }
  const known = await stage.query(
    "select from pg_dist_shard where logicalrelid = 'memories'::regclass",
  );
  return { stored, known: known.length };
}
