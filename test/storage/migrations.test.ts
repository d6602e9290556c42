import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/storage/database.ts";
import { MIGRATIONS } from "../../src/storage/migrations/index.ts";
import { newTestLocation, openTestDatabase, TEST_ENGINES } from "../support/database.ts";
import { schemaText } from "./schema-text.ts";

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

  test("a database of a newer version is refused", async () => {
    const place = await newTestLocation(engine);
    closers.push(place.remove);
    const newer = await openDatabase(place.location);
    await sql`insert into kysely_migration values ('9999-later', ${"2099-01-01"})`.execute(
      newer.db,
    );
    await newer.close();
    await expect(openDatabase(place.location)).rejects.toThrow(/9999-later is missing/);
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
