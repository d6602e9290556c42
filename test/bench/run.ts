/**
 * Measures the service beside its floors and its peers, and writes test/bench/RESULTS.md:
 *
 *     npm run bench                                   all of it, in less than ten minutes
 *     npm run bench -- --only calls --only peers      the page keeps what it says of other parts
 *     npm run bench -- --short                        whether it works; writes nothing
 *
 * On a Postgres server that is made for it, unless TEST_DATABASE_URL names one, and on
 * PGlite. Linux only. Exits with 1 where a part failed; no figure fails it.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startLoad } from "./load/load.ts";
import { printTable } from "./page/console.ts";
import { PARTS } from "./parts/index.ts";

const WITH_POSTGRES = join(import.meta.dirname, "../../.ci/with-postgres");

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
  },
});
const databaseUrl = process.env.TEST_DATABASE_URL;
if (databaseUrl === undefined) {
  const command = [process.execPath, ...process.argv.slice(1)];
  process.exit(spawnSync(WITH_POSTGRES, command, { stdio: "inherit" }).status ?? 1);
}

const extent = values.short ? "short" : "full";
const load = startLoad();
for (const part of PARTS.filter(({ name }) => values.only?.includes(name) ?? true)) {
  if (extent === "short" && part.isFullOnly) continue;
  const since = performance.now();
  const findings = await part.measure({ extent, load, databaseUrl });
  for (const table of findings.tables) printTable(table);
  console.log(findings.ratios);
  console.log(part.name, ((performance.now() - since) / 1000).toFixed(0), "s");
}
await load.close();
