/**
 * What lets the tables be distributed (Citus), read from the schema and the migrations, and
 * what the command says where they cannot be. On a cluster, `.ci/with-citus` runs the tests
 * of the rest, and `npm run citus` the command itself.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  DummyDriver,
  Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { distributeDatabase } from "../../src/storage/distribution.ts";
import { MIGRATIONS } from "../../src/storage/migrations/index.ts";
import { PLACEMENTS, type Placement } from "../../src/storage/shard-placement.ts";
import {
  IS_DISTRIBUTED,
  openTestDatabase,
  TEST_ENGINES,
  type TestDatabase,
} from "../support/database.ts";
import { PROCESS_VARIABLES } from "../support/service-process.ts";

const PLACEMENT_OF = new Map<string, Placement>(
  PLACEMENTS.map(({ table, placement }) => [table, placement]),
);
const PLACES = PLACEMENTS.map(({ table }): string => table);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(TEST_ENGINES.at(-1));
});
afterAll(() => opened.close());

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
    "On the coordinator": "coordinator",
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

/** As a part of an expression. */
const tablesOf = (wanted: Placement) =>
  PLACES.filter((table) => PLACEMENT_OF.get(table) === wanted).join("|");

/** What Citus refuses once a table is distributed, and how it looks. */
const REFUSED: readonly {
  readonly what: string;
  readonly shape: RegExp;
  readonly example: string;
}[] = [
  {
    what: "an identity",
    shape: /\balter (?:column )?\S+ add generated\b/,
    example:
      "alter table memories alter column importance_score add generated by default as identity",
  },
  {
    what: "a column's storage",
    shape: /\balter (?:column )?\S+ set storage\b/,
    example: "alter table memories alter column decision set storage external",
  },
  {
    what: "a column's statistics",
    shape: /\balter (?:column )?\S+ set statistics\b/,
    example: "alter table memories alter topic set statistics 0",
  },
  {
    what: "a column's options",
    shape: /\balter (?:column )?\S+ (?:re)?set \(/,
    example: "alter table memories alter column topic set (n_distinct = 5)",
  },
  {
    what: "a serial number",
    shape: /\b(?:small|big)?serial\b/,
    example: "alter table memories add column number bigserial",
  },
  {
    what: "another name of a constraint",
    shape: /\brename constraint\b/,
    example: 'alter table memories rename constraint "a memory has one tenant" to "another"',
  },
  {
    what: "a trigger",
    shape: /\bcreate (?:or replace )?(?:constraint )?trigger\b/,
    example:
      "create trigger changed before update on memories for each row " +
      "execute function suppress_redundant_updates_trigger()",
  },
  {
    what: "inheritance",
    shape: /\binherits? ?\(/,
    example: "create table special () inherits (memories)",
  },
  {
    // It becomes the coordinator's by the one, and can't have the other before it is placed.
    what: "a new table that refers to distributed ones and to those on every node",
    shape: new RegExp(
      `^create table (?=.* references (?:${tablesOf("reference")})\\b).* references (?:${tablesOf("distributed")})\\b`,
    ),
    example:
      "create table notes (company_id text references accounts, memory_id uuid, " +
      "foreign key (memory_id, company_id) references memories (id, company_id))",
  },
  {
    what: "another company_id",
    shape: /\balter (?:column )?"?company_id"?/,
    example: "alter table memories alter column company_id type varchar",
  },
];

/** What a migration sends, without a database. */
async function statementsOf(name: string): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }: LogEvent) => {
      statements.push(query.sql.replaceAll(/\s+/g, " ").toLowerCase());
    },
  });
  await MIGRATIONS[name]?.up(db);
  return statements;
}

const refusedIn = (statement: string) =>
  REFUSED.filter(({ shape }) => shape.test(statement)).map(({ what }) => what);

describe("migrations of a distributed database", () => {
  test("hold nothing that it refuses", async () => {
    const found = new Set<string>();
    // The tables are distributed behind the first one.
    for (const name of Object.keys(MIGRATIONS).slice(1)) {
      const statements = await statementsOf(name);
      expect(statements, name).not.toEqual([]);
      for (const statement of statements) {
        for (const what of refusedIn(statement)) found.add(`${name}: ${what}`);
      }
    }
    expect([...found]).toEqual([]);
  });

  test.for(REFUSED)("$what would be found", ({ what, example }) => {
    expect(refusedIn(example)).toEqual([what]);
  });

  test.runIf(IS_DISTRIBUTED).for(REFUSED)("$what is refused", async ({ example }) => {
    await expect(sql.raw(example).execute(opened.database.db)).rejects.toThrow(
      /not support|unsupported|cannot/,
    );
  });
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
