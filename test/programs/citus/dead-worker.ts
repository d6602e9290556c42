import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Cluster } from "../../support/postgres-cluster.ts";
import { quantile, table } from "./figures.ts";
import type { Part } from "./part.ts";
import { type Account, type Answer, Service, Stage } from "./stage.ts";

const ACCOUNTS = 24;
const READS = 3;
/** How long the cluster may take to notice that a worker is back. */
const RECOVERY_MS = 30_000;

interface Resident {
  readonly account: Account;
  readonly isDown: boolean;
  readonly memoryId: string;
}

/** What callers get of a worker that is gone, and of one that does not answer. */
export async function deadWorker(): Promise<Part> {
  const stage = await Stage.open();
  const rows: (string | number)[][] = [];
  const problems: string[] = [];
  let standby: Cluster | undefined;
  try {
    const [down] = stage.cluster.workers;
    if (down === undefined) throw new Error("unreachable: there are two workers");
    const residents: Resident[] = [];
    for (let index = 0; index < ACCOUNTS; index++) {
      const account = await stage.service.newAccount(`account-${index}`);
      const { body } = await account.write("Ada lives in Paris");
      const isDown = (await stage.portOf(account.companyId)) === down.port;
      residents.push({ account, isDown, memoryId: body.memory_id });
    }

    const observe = async (state: string, expected: 200 | 503) => {
      for (const isDown of [true, false]) {
        const answers = await callAll(residents.filter((each) => each.isDown === isDown));
        const good = isDown ? expected : 200;
        const wrong = answers.filter(
          ({ status, retryAfter }) =>
            status !== good || (status === 503 && retryAfter === undefined),
        );
        if (wrong.length > 0) problems.push(`${state}: ${wrong.length} answers are not ${good}`);
        rows.push([
          state,
          isDown ? "on that worker" : "on the other one",
          countsOf(answers),
          quantile(
            answers.map(({ ms }) => ms),
            0.5,
          ).toFixed(0),
          Math.max(...answers.map(({ ms }) => ms)).toFixed(0),
        ]);
      }
      const ready = await fetch(`${stage.service.process.url}/readyz`);
      rows.push([state, "`/readyz`", `1 × ${ready.status}`, "", ""]);
    };
    const operator = async (state: string, what: string, work: () => Promise<unknown>) => {
      const outcome = await work().then(
        () => "done",
        (error: { readonly rawMessage?: string }) => `refused: ${error.rawMessage ?? error}`,
      );
      rows.push([state, what, outcome, "", ""]);
    };
    const newKey = () =>
      stage.service.admin.apiKeys.createApiKey({
        companyId: residents[0]?.account.companyId ?? "",
      });

    await observe("before", 200);
    await down.stopAtOnce();
    await observe("killed", 503);
    await operator("killed", "a new key", newKey);
    await operator("killed", "another server starts", async () => {
      await (await Service.start(stage.cluster.coordinator.url)).close();
    });
    await down.start();
    await recovered(residents);
    await observe("back", 200);
    await operator("back", "a new key", newKey);
    await down.freeze();
    await observe("frozen", 503);
    await down.thaw();
    await recovered(residents);
    await observe("thawed", 200);
    standby = await Cluster.replicaOf(down);
    await down.stopAtOnce();
    await standby.promote();
    await stage.query(
      `select citus_update_node(nodeid, '127.0.0.1', $1)
      from pg_dist_node where nodeport = $2`,
      [standby.port, down.port],
    );
    await recovered(residents);
    await observe("its standby", 200);
    await operator("its standby", "a new key", newKey);
  } finally {
    await stage.close();
    await standby?.remove();
  }
  return {
    name: "A worker that is gone",
    text: [
      `${ACCOUNTS} accounts on two workers; each makes ${1 + READS} calls: a write, a question, a list and a timeline. The worker is killed and started again; then all its processes are stopped where they are, so that it takes connections and says nothing; then it is killed for good, and its standby promoted in its place.`,
      table(["The worker is", "Who", "Got", "p50 ms", "Longest ms"], rows),
    ],
    problems,
  };
}

/** One of each call, of all accounts at once. */
async function callAll(residents: readonly Resident[]): Promise<Answer[]> {
  const answers = await Promise.all(
    residents.map(async ({ account, memoryId }) => [
      await account.write(`Ada wrote ${randomUUID()}`),
      await account.ask("Where does Ada live?"),
      await account.call("GET", "/agent/memories"),
      await account.call("GET", `/memories/${memoryId}/timeline`),
    ]),
  );
  return answers.flat();
}

function countsOf(answers: readonly Answer[]): string {
  const counts = Map.groupBy(answers, ({ status }) => status);
  return [...counts].map(([status, those]) => `${those.length} × ${status}`).join(", ");
}

async function recovered(residents: readonly Resident[]): Promise<void> {
  const endsAt = Date.now() + RECOVERY_MS;
  while (Date.now() < endsAt) {
    const answers = await callAll(residents);
    if (answers.every(({ status }) => status === 200)) return;
    await sleep(500);
  }
}
