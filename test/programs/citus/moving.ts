import { setTimeout as sleep } from "node:timers/promises";
import { Load } from "./load.ts";
import type { Part } from "./part.ts";
import { type Account, moveShardOf, Stage } from "./stage.ts";

const ACCOUNTS = 100;
const CLIENTS = 8;
const PHASE_MS = 3_000;
const REBALANCE_POLL_MS = 250;

/** What writers see while shards move between workers, and what of theirs is lost. */
export async function moving(): Promise<Part> {
  const stage = await Stage.open();
  let load: Load | undefined;
  try {
    const accounts: Account[] = [];
    for (let index = 0; index < ACCOUNTS; index++) {
      accounts.push(await stage.service.newAccount(`account-${index}`));
    }
    const [moved, isolated] = accounts;
    if (moved === undefined || isolated === undefined) throw new Error("unreachable");
    load = new Load(accounts, CLIENTS);
    const during = load.during.bind(load);
    const move = ({ companyId }: Account, mode: string) => moveShardOf(stage, companyId, mode);
    const settle = () => sleep(PHASE_MS);

    await settle();
    await during("nothing moves", settle);
    await during("a shard moves, `force_logical`", () => move(moved, "force_logical"));
    await during("a shard moves, `block_writes`", () => move(moved, "block_writes"));
    await during("an account is isolated, `force_logical`", () =>
      stage.query(
        `select isolate_tenant_to_new_shard(
          'memories', $1::text, 'CASCADE', shard_transfer_mode => 'force_logical'
        )`,
        [isolated.companyId],
      ),
    );
    await during("the isolated account moves, `force_logical`", () =>
      move(isolated, "force_logical"),
    );
    const [first] = stage.cluster.workers;
    const holdShards = (value: boolean) =>
      stage.query("select citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', $2)", [
        first?.port,
        value,
      ]);
    await holdShards(false);
    await during("a worker is emptied", () => rebalance(stage));
    await holdShards(true);
    await during("the cluster is rebalanced", () => rebalance(stage));
    await during("nothing moves any more", settle);
    await load.end();
    const { text, problems } = await load.judge(stage);
    return {
      name: "Shards that move under load",
      text: [
        `${ACCOUNTS} accounts, ${CLIENTS} clients that write one memory after the other. ${text}`,
        load.table,
      ],
      problems,
    };
  } finally {
    load?.stop();
    await stage.close();
  }
}

async function rebalance(stage: Stage): Promise<void> {
  await stage.query("select citus_rebalance_start(shard_transfer_mode => 'force_logical')");
  for (;;) {
    const [job] = await stage.query(
      "select state from pg_dist_background_job order by job_id desc limit 1",
    );
    if (job === undefined || job.state === "finished") return;
    if (job.state === "failed" || job.state === "cancelled") throw new Error(`it ${job.state}`);
    await sleep(REBALANCE_POLL_MS);
  }
}
