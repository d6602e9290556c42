import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import pg from "pg";

const ROOT = join(import.meta.dirname, "../../..");
const GIB = 2 ** 30;

/** Where it was measured, as names with values; nothing by which the machine could be found. */
export async function describeMachine(databaseUrl: string): Promise<[string, string][]> {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return [
    [
      "Machine",
      `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${(totalmem() / GIB).toFixed(0)} GiB, Linux`,
    ],
    ["Node.js", process.version],
    ["PostgreSQL", await serverOf(databaseUrl)],
    ["PGlite", dependencies["@electric-sql/pglite"]],
    ["pg", dependencies.pg],
  ];
}

/** Of the service that was measured. */
export function commitOf(): string {
  const git = (...given: string[]) =>
    execFileSync("git", given, { cwd: ROOT, encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "src", "gen") === "" ? "" : ", with changes since";
    return git("rev-parse", "--short=12", "HEAD") + changed;
  } catch {
    return "not known";
  }
}

async function serverOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const settings = ["server_version", "shared_buffers", "fsync", "synchronous_commit"];
  const values: Record<string, string> = {};
  for (const name of settings) {
    const { rows } = await client.query(`select current_setting($1) as value`, [name]);
    values[name] = rows[0].value;
  }
  const { rows } = await client.query(
    "select default_version as value from pg_available_extensions where name = 'vector'",
  );
  await client.end();
  const { server_version, ...rest } = values;
  const said = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return `${server_version}, pgvector ${rows[0]?.value}, ${said.join(", ")}`;
}
