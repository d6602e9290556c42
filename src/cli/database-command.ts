import { ConfigError, readConfig } from "../config/config.ts";
import type { TableReport } from "../storage/distribution.ts";
import type { Shell } from "./client.ts";
import { table } from "./output.ts";

/** `database distribute`. It works on the database itself, while no service has it open. */
export function addDatabaseCommand(
  { admin, progress: print }: Shell,
  databaseUrl: string | undefined,
): void {
  const database = admin
    .command("database")
    .description("The database itself, by DATABASE_URL, while no service has it open.");
  database
    .command("distribute")
    .description(
      "Distribute the database of a Citus cluster by its coordinator, with what is in it: each " +
        "account on one node, keys and accounts on all of them. What is so already stays; " +
        "stopped before its end it has changed nothing.",
    )
    .action(async () => print(await distribute(databaseUrl)));
}

async function distribute(databaseUrl: string | undefined): Promise<string> {
  const { database } = readConfig({ DATABASE_URL: databaseUrl });
  if (database.engine === "pglite") {
    throw new ConfigError([
      "DATABASE_URL: must name the coordinator of a Citus cluster; the embedded database stays whole",
    ]);
  }
  // This command alone needs the storage of the service.
  const { distributeDatabase } = await import("../storage/distribution.ts");
  const reports = await distributeDatabase(database.url);
  const lines = reports.map(({ table, placement, rowsMoved }) => [
    table,
    PLACEMENT_WORDS[placement],
    outcomeOf(rowsMoved),
  ]);
  return table([["table", "placement", "what was done"], ...lines]);
}

const PLACEMENT_WORDS: { readonly [placement in TableReport["placement"]]: string } = {
  distributed: "by company_id",
  reference: "on every node",
  local: "on the coordinator",
};

function outcomeOf(rowsMoved: number | null): string {
  if (rowsMoved === null) return "nothing, it was there";
  return `moved, with ${rowsMoved.toLocaleString("en")} ${rowsMoved === 1 ? "row" : "rows"}`;
}
