/**
 * Runs every command that tries something for long, and writes test/RELIABILITY.md:
 *
 *     npm run reliability                                  in full: many hours
 *     npm run reliability -- --fuzz-minutes 1 --soak-minutes 2 --only fuzz --only soak
 *
 * With `--only` the page keeps what other parts wrote when they were last run, each with the
 * commit that it tried. It is written after each part.
 * On PGlite and on a Postgres server that is made for it, unless TEST_DATABASE_URL names
 * one. Exits with 1 where a part failed; the page says which.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { isGood, type PlayedPart, pageOf, partsOf } from "./page.ts";
import { argumentsOf, PARTS, type Part } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../../..");
const GIB = 2 ** 30;

const minutesOptions = PARTS.filter(({ minutes }) => minutes !== null).map(
  ({ name }) => [`${name}-minutes`, { type: "string" }] as const,
);
const { values } = parseArgs({
  options: {
    ...Object.fromEntries(minutesOptions),
    only: { type: "string", multiple: true },
    output: { type: "string", default: join(ROOT, "test/RELIABILITY.md") },
  },
});
const database = process.env.TEST_DATABASE_URL;
if (database === undefined) {
  const command = [process.execPath, ...process.argv.slice(1)];
  const made = spawnSync(join(ROOT, ".ci/with-postgres"), command, { stdio: "inherit" });
  process.exit(made.status ?? 1);
}

const only = values.only as string[] | undefined;
const folder = mkdtempSync(join(tmpdir(), "agent-memory-reliability-"));
const output = String(values.output);
const before = existsSync(output) ? partsOf(readFileSync(output, "utf8")) : [];
const setting = {
  machine: `${availableParallelism()} cores (${cpus()[0]?.model}), ${(totalmem() / GIB).toFixed(0)} GiB`,
  node: process.version,
  engines: [pgliteVersion(), await serverVersion(database)],
};
const played: PlayedPart[] = [];
for (const part of PARTS.filter(({ name }) => only === undefined || only.includes(name))) {
  played.push(await play(part));
  const parts = PARTS.flatMap(
    ({ name }) => [...played, ...before].find((each) => each.name === name) ?? [],
  );
  // After each, so that what is ended early keeps what it had.
  writeFileSync(output, pageOf(setting, parts));
}
rmSync(folder, { recursive: true });
for (const part of played) console.log(`${part.name}: ${isGood(part) ? "held" : "FAILED"}`);
process.exit(played.every(isGood) ? 0 : 1);

async function play(part: Part): Promise<PlayedPart> {
  const report = join(folder, `${part.name}.md`);
  const minutes = (values as Record<string, unknown>)[`${part.name}-minutes`];
  const given = argumentsOf(part, minutes as string | undefined, report);
  const start = performance.now();
  console.log(`\n== ${part.name}`);
  const child = spawn("npm", ["run", "--silent", part.script, "--", ...given], {
    cwd: ROOT,
    stdio: "inherit",
  });
  const [code] = (await once(child, "close")) as [number | null];
  return {
    name: part.name,
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(),
    command: ["npm run", part.script, ...dashed(given.slice(0, -2))].join(" "),
    code,
    minutes: (performance.now() - start) / 60_000,
    section: existsSync(report) ? readFileSync(report, "utf8") : null,
  };
}

function dashed(given: readonly string[]): string[] {
  return given.length === 0 ? [] : ["--", ...given];
}

function commitOf(): string {
  const git = (...given: string[]) =>
    execFileSync("git", given, { cwd: ROOT, encoding: "utf8" }).trim();
  const changed =
    git("status", "--porcelain", "src", "packages", "gen") === "" ? "" : ", with changes since";
  return git("rev-parse", "--short=12", "HEAD") + changed;
}

function pgliteVersion(): string {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return `PGlite ${dependencies["@electric-sql/pglite"]}`;
}

async function serverVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  await client.end();
  return `PostgreSQL ${rows[0]?.version}`;
}
