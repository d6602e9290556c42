import { execFileSync } from "node:child_process";
import {
  closeSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { DatabaseServer } from "../database-server.ts";
import { percentile } from "../samples.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const GIB = 2 ** 30;

/** Where it was measured, as names with values; nothing by which the machine could be found. */
export async function describeMachine({
  url,
  folder,
}: DatabaseServer): Promise<[string, string][]> {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return [
    [
      "Machine",
      `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${(totalmem() / GIB).toFixed(0)} GiB, Linux`,
    ],
    ["Node.js", process.version],
    ["PostgreSQL", await serverOf(url)],
    ["Its settings", await settingsOf(url)],
    ...(folder === null ? [] : [["Its disk", diskOf(folder)] as [string, string]]),
    ["PGlite", dependencies["@electric-sql/pglite"]],
    ["pg", dependencies.pg],
  ];
}

/** Of the service that was measured. */
export function commitOf(): string {
  const git = (...given: string[]) =>
    execFileSync("git", given, { cwd: ROOT, encoding: "utf8" }).trim();
  try {
    const changed =
      git("status", "--porcelain", "src", "packages", "gen") === "" ? "" : ", with changes since";
    return git("rev-parse", "--short=12", "HEAD") + changed;
  } catch {
    return "not known";
  }
}

async function serverOf(url: string): Promise<string> {
  const vector = "select default_version from pg_available_extensions where name = 'vector'";
  const [version, extension] = await valuesOf(
    url,
    "current_setting('server_version')",
    `(${vector})`,
  );
  return `${version}, pgvector ${extension}`;
}

const SETTINGS = [
  ...["shared_buffers", "work_mem", "max_wal_size"],
  ...["fsync", "full_page_writes", "synchronous_commit"],
];

async function settingsOf(url: string): Promise<string> {
  const values = await valuesOf(url, ...SETTINGS.map((name) => `current_setting('${name}')`));
  const said = SETTINGS.map((name, i) => `${name} ${values[i]}`);
  return `${said.join(", ")}; the service gives its own connections a work_mem of at least 16MB`;
}

/** Of SQL expressions. */
async function valuesOf(url: string, ...expressions: string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query({
    text: `select ${expressions.join(", ")}`,
    rowMode: "array",
  });
  await client.end();
  return rows[0] ?? [];
}

/** Whose numbers `statfs` gives. */
const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext4"],
  [0x58465342, "xfs"],
  [0x9123683e, "btrfs"],
  [0x794c7630, "overlay"],
  [0x01021994, "tmpfs, which forgets"],
]);
const SYNCED_WRITES = 200;
const PAGE_BYTES = 8_192;

/** The kind of file system, and how long a page takes until it is said to be on the disk. */
function diskOf(folder: string): string {
  const kind = FILE_SYSTEMS.get(statfsSync(folder).type) ?? "a file system of another kind";
  const path = join(folder, "bench-synced");
  const file = openSync(path, "w");
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const times = Array.from({ length: SYNCED_WRITES }, (_, i) => {
    const since = performance.now();
    writeSync(file, page, 0, PAGE_BYTES, i * PAGE_BYTES);
    fdatasyncSync(file);
    return performance.now() - since;
  });
  closeSync(file);
  rmSync(path);
  const middle = percentile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
  return `${kind}; a page written with fdatasync takes ${middle.toFixed(2)} ms (median of ${SYNCED_WRITES})`;
}
