/**
 * Tries the service on Citus clusters of its own, each of a coordinator and two workers, and
 * writes the results to test/programs/citus/RESULTS.md:
 *
 *     npm run citus                              all of it, less than an hour
 *     npm run citus -- --only moving             the page keeps what the others wrote
 *     npm run citus -- --only tests --folder test/spec
 *     npm run citus -- --output FILE
 *
 * Ends with 1 where something did not hold; the page says what.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { CitusCluster, SHARDS } from "../../support/citus-cluster.ts";
import { deadWorker } from "./dead-worker.ts";
import { distributing } from "./distributing.ts";
import { erasing } from "./erasing.ts";
import { table } from "./figures.ts";
import { histories } from "./histories.ts";
import { moving } from "./moving.ts";
import type { Part } from "./part.ts";
import { TEST_FOLDERS, tests } from "./tests.ts";
import { upgrading } from "./upgrading.ts";

const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  distributing,
  "dead-worker": deadWorker,
  moving,
  erasing,
  upgrading,
  histories,
  tests: () => tests(values.folder),
};
const GIB = 2 ** 30;
/** What stands before each part, so that a later run finds it. */
const markOf = (name: string) => `<!-- ${name} -->`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: Object.keys(PARTS) },
    folder: { type: "string", multiple: true, default: [...TEST_FOLDERS] },
    output: { type: "string", default: join(import.meta.dirname, "RESULTS.md") },
  },
});
const before = existsSync(values.output) ? readFileSync(values.output, "utf8") : "";
const sections: string[] = [];
let hasProblems = false;
for (const [name, play] of Object.entries(PARTS)) {
  const mark = markOf(name);
  if (values.only.includes(name)) {
    console.log(`== ${name}`);
    const part = await play();
    hasProblems ||= part.problems.length > 0;
    const section = sectionOf(part);
    console.log(`${section}\n`);
    sections.push(`${mark}\n${section}`);
  } else if (before.includes(mark)) {
    const kept = before.slice(before.indexOf(mark)).split(/\n(?=<!-- )/)[0] ?? "";
    sections.push(kept.trim());
  }
}
writeFileSync(values.output, `${[await heading(), ...sections].join("\n\n")}\n`);
process.exit(hasProblems ? 1 : 0);

function sectionOf({ name, text, problems }: Part): string {
  const date = new Date().toISOString().slice(0, 10);
  const verdict =
    problems.length === 0 ? "All of it held." : `**Did not hold:** ${problems.join("; ")}.`;
  return [`## ${name}`, ...text, `${verdict} Measured on ${date}.`].join("\n\n");
}

async function heading(): Promise<string> {
  const cluster = await CitusCluster.create();
  const client = new pg.Client({ connectionString: cluster.coordinator.url });
  await client.connect();
  const { rows } = await client.query(
    `select current_setting('server_version') as postgres, (
      select extversion from pg_extension where extname = 'citus'
    ) as citus, (
      select default_version from pg_available_extensions where name = 'vector'
    ) as pgvector`,
  );
  await client.end();
  await cluster.remove();
  return [
    "# Measured on a cluster",
    "Written by `npm run citus`, part by part; no figure here was typed by hand.",
    table(
      ["", ""],
      [
        [
          "Machine",
          `${availableParallelism()} cores (${cpus()[0]?.model}), ${(totalmem() / GIB).toFixed(0)} GiB`,
        ],
        ["Cluster", `a coordinator and two workers on that machine, ${SHARDS} shards`],
        ["Citus", rows[0]?.citus],
        ["PostgreSQL", rows[0]?.postgres],
        ["pgvector", rows[0]?.pgvector],
        ["Node.js", process.version],
      ],
    ),
  ].join("\n\n");
}
