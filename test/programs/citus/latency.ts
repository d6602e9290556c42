import { Cluster } from "../../support/postgres-cluster.ts";
import { quantile, table } from "./figures.ts";
import type { Part } from "./part.ts";
import { type Account, type Answer, Service, Stage } from "./stage.ts";

const MEMORIES = 1_000;
const BATCH = 500;
/** Of each kind of call, in turns, so that what else the machine does meets both alike. */
const ROUNDS = 10;
const CALLS_A_ROUND = 20;
const CLIENTS = [1, 8];

type Call = (account: Account, index: number) => Promise<Answer>;

/** Calls on a cluster beside the same ones on one Postgres server, in one run. */
export async function latency(): Promise<Part> {
  const stage = await Stage.open();
  const plain = await Cluster.create(["shared_buffers=64MB"]);
  let service: Service | undefined;
  try {
    service = await Service.start(plain.url);
    const accounts = {
      citus: await stage.service.newAccount("one"),
      plain: await service.newAccount("one"),
    };
    const ids = { citus: await fill(accounts.citus), plain: await fill(accounts.plain) };
    const calls: { readonly what: string; readonly on: (id: string) => Call }[] = [
      { what: "write", on: () => (account, index) => account.write(`Person ${index} works`) },
      { what: "question", on: () => (account, index) => account.ask(`Who is person ${index}?`) },
      {
        what: "list of 100",
        on: () => (account) => account.call("GET", "/agent/memories?limit=100"),
      },
      {
        what: "timeline",
        on: (id) => (account) => account.call("GET", `/memories/${id}/timeline`),
      },
      { what: "plan status", on: () => (account) => account.call("GET", "/plan/status") },
    ];
    const rows: (string | number)[][] = [];
    for (const clients of CLIENTS) {
      for (const { what, on } of calls) {
        const times = { citus: [] as number[], plain: [] as number[] };
        for (let round = 0; round <= ROUNDS; round++) {
          for (const place of ["citus", "plain"] as const) {
            const measured = await measure(accounts[place], clients, on(ids[place]));
            if (round > 0) times[place].push(...measured);
          }
        }
        const [citus, one] = [quantile(times.citus, 0.5), quantile(times.plain, 0.5)];
        rows.push([what, clients, citus.toFixed(1), one.toFixed(1), (citus / one).toFixed(2)]);
      }
    }
    return {
      name: "Latency beside one server",
      text: [
        `One account with ${MEMORIES} memories and the offline models, p50 of ${ROUNDS * CALLS_A_ROUND} calls of each kind, cluster and server in turns. The three nodes, the one server, both services and the clients share the machine: with more clients than it has cores this says nothing of how a cluster grows.`,
        table(["Call", "Clients", "Citus ms", "One server ms", "Ratio"], rows),
      ],
      problems: [],
    };
  } finally {
    await service?.close();
    await plain.remove();
    await stage.close();
  }
}

/** Returns the ID of one of them. */
async function fill(account: Account): Promise<string> {
  for (let start = 0; start < MEMORIES; start += BATCH) {
    const memories = Array.from({ length: BATCH }, (_, index) => ({
      content: `Person ${start + index} works on project ${start + index}`,
    }));
    const { status } = await account.call("POST", "/agent/memories:batch", { memories });
    if (status !== 200) throw new Error(`a batch was answered ${status}`);
  }
  const { status, body } = await account.write("Ada lives in Paris");
  if (status !== 200) throw new Error(`a write was answered ${status}`);
  return body.memory_id;
}

async function measure(account: Account, clients: number, call: Call): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < CALLS_A_ROUND) {
        const { status, ms } = await call(account, next++);
        if (status !== 200) throw new Error(`a call was answered ${status}`);
        times.push(ms);
      }
    }),
  );
  return times;
}
