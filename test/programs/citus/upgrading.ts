import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { table } from "./figures.ts";
import { Load } from "./load.ts";
import type { Part } from "./part.ts";
import { type Account, Service, Stage } from "./stage.ts";

const ACCOUNTS = 100;
const CLIENTS = 8;
const PHASE_MS = 3_000;
/** A module that makes a later version of the service. */
const LATER_VERSION = join(import.meta.dirname, "later-version.ts");
const WANTED: Readonly<Record<string, string>> = {
  later_words: "reference",
  later_notes: "distributed",
  later_days: "local",
};

/** Servers that are replaced by those of a later version, one after the other, while they serve. */
export async function upgrading(): Promise<Part> {
  const stage = await Stage.open();
  let load: Load | undefined;
  const later: Service[] = [];
  try {
    const accounts: Account[] = [];
    for (let index = 0; index < ACCOUNTS; index++) {
      accounts.push(await stage.service.newAccount(`account-${index}`));
    }
    load = new Load(accounts, CLIENTS);
    const settle = () => sleep(PHASE_MS);
    const startLater = async () => {
      const options = { nodeArguments: ["--import", LATER_VERSION] };
      later.push(await Service.start(stage.cluster.coordinator.url, options));
    };
    await settle();
    await load.during("servers of the version before serve", settle);
    await load.during("one of the later version starts, and migrates", startLater);
    const [url] = later.map(({ process }) => process.url);
    if (url === undefined) throw new Error(`it did not start: ${load.problems.join("; ")}`);
    load.accounts = accounts.flatMap((account) => [account, account.at(url)]);
    await load.during("both serve", settle);
    load.accounts = accounts.map((account) => account.at(url));
    await load.during("the later one serves", settle);
    await load.end();

    const tables = await stage.query(
      `select table_name::text as name, citus_table_type as type from citus_tables
      where table_name::text like 'later%' order by name`,
    );
    const found = Object.fromEntries(tables.map(({ name, type }) => [name, type]));
    const misplaced = Object.keys(WANTED).filter((name) => found[name] !== WANTED[name]);
    const { text, problems } = await load.judge(stage);
    return {
      name: "A new version under load",
      text: [
        `${ACCOUNTS} accounts, ${CLIENTS} clients that write one memory after the other. The later version has columns more in tables of each kind, an index more, and tables more of each kind, one of which refers to memories. ${text}`,
        load.table,
        table(
          ["Table that it brings", "Is, right after the start"],
          tables.map(({ name, type }) => [`\`${name}\``, type]),
        ),
      ],
      problems: [
        ...problems,
        ...misplaced.map((name) => `${name} is ${found[name] ?? "no table of the cluster"}`),
      ],
    };
  } finally {
    load?.stop();
    for (const service of later) await service.close();
    await stage.close();
  }
}
