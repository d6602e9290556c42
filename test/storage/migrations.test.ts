import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterEach, describe, expect, test } from "vitest";
import { type Instant, parseInstant } from "../../src/domain/instant.ts";
import { type Database, type DatabaseLocation, openDatabase } from "../../src/storage/database.ts";
import { openPglite } from "../../src/storage/engines/pglite.ts";
import { openPostgres } from "../../src/storage/engines/postgres.ts";
import { MIGRATIONS } from "../../src/storage/migrate.ts";
import type { Executor, Schema } from "../../src/storage/schema.ts";
import { onServer } from "../support/citus-cluster.ts";
import {
  newEmptyLocation,
  newTestLocation,
  openTestDatabase,
  TEST_ENGINES,
} from "../support/database.ts";
import { schemaText } from "./schema-text.ts";

/** Of the schema, each with its table. */
async function linesOf(db: Kysely<Schema>): Promise<string[]> {
  let table = "";
  return (await schemaText(db as Executor)).split("\n").map((line) => {
    if (line.startsWith("table ")) table = line;
    return `${table}: ${line}`;
  });
}

/** Those that must be given where a row is written. */
async function neededColumns(db: Kysely<Schema>) {
  const { rows } = await sql<{ readonly table_name: string; readonly column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and is_nullable = 'NO' and column_default is null
      and is_identity = 'NO'
    order by table_name, column_name`.execute(db);
  return rows;
}

function openEngine(location: DatabaseLocation) {
  return location.engine === "pglite"
    ? openPglite(location.dataDir)
    : openPostgres(location.url, 1);
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

describe.for(TEST_ENGINES)("migrations on %s", (engine) => {
  test("the schema is the one on record, the same on every engine", async () => {
    const { database, close } = await openTestDatabase(engine);
    closers.push(close);
    await expect(await schemaText(database.db)).toMatchFileSnapshot("../golden/schema.txt");
  });

  test("a database of a version before the release is refused in a sentence", async () => {
    const place = await newTestLocation(engine);
    closers.push(place.remove);
    const before = await openDatabase(place.location);
    await sql`comment on table accounts is null`.execute(before.db);
    await before.close();
    await expect(openDatabase(place.location)).rejects.toThrow(
      /can't be opened: it was made by a version before .* export with that version/,
    );
  });

  test("a migration only adds, so that servers of the version before go on", async () => {
    const place = await newEmptyLocation(engine);
    closers.push(place.remove);
    const opened = await openEngine(place.location);
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: opened.pool }) });
    const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
    const migrator = new Migrator({ db, provider });
    const [first = "", ...later] = Object.keys(MIGRATIONS);
    expect((await migrator.migrateTo(first)).error).toBeUndefined();
    for (const name of later) {
      const [lines, needed] = [await linesOf(db), await neededColumns(db)];
      expect((await migrator.migrateTo(name)).error).toBeUndefined();
      expect(await linesOf(db), name).toEqual(expect.arrayContaining(lines));
      // A row that is written as before is written still; a table that is new, nobody wrote to.
      const tables = new Set(needed.map(({ table_name }) => table_name));
      const stillNeeded = (await neededColumns(db)).filter((each) => tables.has(each.table_name));
      expect(stillNeeded, name).toEqual(needed);
    }
    await opened.close();
  });
});

describe.runIf(TEST_ENGINES.includes("postgres"))("a database that is set up otherwise", () => {
  /** One that was changed by these statements, which name it `NAME`. */
  async function opened(...statements: string[]): Promise<Database> {
    const { location, remove } = await newEmptyLocation("postgres");
    closers.push(remove);
    if (location.engine !== "postgres") throw new Error("unreachable: Postgres was asked for");
    const name = new URL(location.url).pathname.slice(1);
    for (const each of statements) {
      await onServer(process.env.TEST_DATABASE_URL ?? "", each.replaceAll("NAME", name));
    }
    const database = await openDatabase(location);
    closers.push(() => database.close());
    return database;
  }

  test("writes dates as the service reads them", async () => {
    const { db } = await opened("alter database NAME set datestyle = 'German, DMY'");
    const { rows } = await sql<{ at: Instant }>`select timestamptz '2026-05-04' as at`.execute(db);
    expect(rows).toEqual([{ at: parseInstant("2026-05-04T00:00:00Z") }]);
  });

  test("is refused at the start where it does not take every text", async () => {
    const created = "create database NAME encoding 'LATIN1' locale 'C' template template0";
    await expect(opened("drop database NAME", created)).rejects.toThrow(
      "The database's encoding is LATIN1",
    );
  });
});

describe.runIf(TEST_ENGINES.includes("postgres"))("servers that start at the same time", () => {
  test("all of them migrate an empty database, once", async () => {
    const place = await newTestLocation("postgres");
    closers.push(place.remove);
    const opened = await Promise.allSettled(
      Array.from({ length: 5 }, () => openDatabase(place.location)),
    );
    const databases = opened.flatMap((each): Database[] =>
      each.status === "fulfilled" ? [each.value] : [],
    );
    closers.push(async () => {
      await Promise.all(databases.map((database) => database.close()));
    });
    expect(opened.filter(({ status }) => status === "rejected")).toEqual([]);
    for (const { db } of databases) {
      const { rows } = await sql`select name from kysely_migration`.execute(db);
      expect(rows).toHaveLength(Object.keys(MIGRATIONS).length);
    }
  });
});
