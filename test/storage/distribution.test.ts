/**
 * What lets the tables be distributed (Citus), read from the schema and the migrations, and
 * what the command says where they cannot be. On a cluster, `.ci/with-citus` runs the tests
 * of the rest, and `npm run citus` the command itself.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { distributeDatabase } from "../../src/storage/distribution.ts";
import { PLACEMENTS, type Placement } from "../../src/storage/shard-placement.ts";
import { IS_DISTRIBUTED, openTestDatabase, TEST_ENGINES } from "../support/database.ts";
import { forThisFile } from "../support/for-this-file.ts";
import { PROCESS_VARIABLES } from "../support/service-process.ts";

const PLACEMENT_OF = new Map<string, Placement>(
  PLACEMENTS.map(({ table, placement }) => [table, placement]),
);
const PLACES = PLACEMENTS.map(({ table }): string => table);

const opened = await forThisFile(openTestDatabase(TEST_ENGINES.at(-1)));

interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly refersTo: string;
  readonly columns: readonly string[];
}

test("every table has a place", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relname not like 'kysely\\_%'`.execute(opened.database.db);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(PLACES.toSorted());
});

test("the operator's page says where each stands", () => {
  const page = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8");
  const words: Readonly<Record<string, Placement>> = {
    "By `company_id`": "distributed",
    "On every node": "reference",
    "On the coordinator": "local",
  };
  const told = [...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| ([^|,]+)/gm)].flatMap(
    ([, tables = "", where = ""]) =>
      tables.split(", ").map((table) => [table.replaceAll("`", ""), words[where.trim()]]),
  );
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(PLACEMENT_OF));
});

test("what is unique in a distributed table is so within an account", async () => {
  const { rows } = await sql<{ table: string; name: string; columns: readonly string[] }>`
    select tables.relname as table, indexes.relname as name, array(
      select attname::text from pg_attribute
      where attrelid = indrelid and attnum = any(indkey)
    ) as columns
    from pg_index
    join pg_class as tables on tables.oid = indrelid
    join pg_class as indexes on indexes.oid = indexrelid
    where indisunique and tables.relnamespace = 'public'::regnamespace`.execute(opened.database.db);
  const distributed = rows.filter(({ table }) => PLACEMENT_OF.get(table) === "distributed");
  expect(distributed.length).toBeGreaterThan(0);
  expect(distributed.filter(({ columns }) => !columns.includes("company_id"))).toEqual([]);
});

test("a distributed table has a primary key, by which its shards move while rows change", async () => {
  const { rows } = await sql<{ table: string }>`
    select conrelid::regclass::text as table from pg_constraint
    where contype = 'p' and connamespace = 'public'::regnamespace`.execute(opened.database.db);
  const withKey = new Set(rows.map(({ table }) => table));
  const distributed = PLACES.filter((table) => PLACEMENT_OF.get(table) === "distributed");
  expect(distributed.filter((table) => !withKey.has(table))).toEqual([]);
});

test("a table refers to what stands where it does, and comes behind it", async () => {
  const { rows } = await sql<ForeignKey>`
    select conname as name, conrelid::regclass::text as table,
      confrelid::regclass::text as "refersTo", array(
        select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)
      ) as columns
    from pg_constraint where contype = 'f'
      and connamespace = 'public'::regnamespace`.execute(opened.database.db);
  expect(rows.length).toBeGreaterThan(0);
  const wrong = rows.filter(({ table, refersTo, columns }) => {
    if (PLACES.indexOf(table) < PLACES.indexOf(refersTo)) return true;
    const [from, to] = [PLACEMENT_OF.get(table), PLACEMENT_OF.get(refersTo)];
    if (to === "reference") return false;
    if (from === "distributed") return to !== "distributed" || !columns.includes("company_id");
    return from !== to;
  });
  expect(wrong).toEqual([]);
});

describe("database distribute", () => {
  /** Runs the command as a process of its own. */
  function distribute(variables: NodeJS.ProcessEnv): Promise<{ code: number; err: string }> {
    const env = { ...PROCESS_VARIABLES, ...variables };
    const command = ["src/cli/main.ts", "database", "distribute"];
    return new Promise((resolve) => {
      execFile(process.execPath, command, { env }, (error, _, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, err }),
      );
    });
  }

  test("refuses the embedded database", async () => {
    const { code, err } = await distribute({});
    expect(code).toBe(2);
    expect(err).toContain("DATABASE_URL: must name the coordinator of a Citus cluster");
  });

  describe.runIf(TEST_ENGINES.includes("postgres") && !IS_DISTRIBUTED)("of one server", () => {
    test("is refused, with what to do", async () => {
      const { location } = opened;
      if (location.engine !== "postgres") throw new Error("unreachable: it is no embedded one");
      const { code, err } = await distribute({ DATABASE_URL: location.url });
      expect(code).toBe(1);
      expect(err).toMatch(
        /^error: The database \S+ can't be distributed: it is not one of a Citus cluster: run `create extension citus`/,
      );
      expect(err.trimEnd().split("\n")).toHaveLength(1);
      await expect(distributeDatabase(location.url)).rejects.toThrow("docs/scale.md");
    });
  });
});
