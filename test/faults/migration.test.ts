/**
 * A later version whose migration fails: it says so and leaves the database as it was. After one
 * whose migration succeeds, what was answered under a key is still answered.
 */
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../../src/storage/migrate.ts";
import { schemaText } from "../storage/schema-text.ts";
import { newTestLocation, TEST_ENGINES, type TestLocation } from "../support/database.ts";
import { createRestClient, type RestClient } from "../support/rest-client.ts";
import { startTestService } from "../support/service.ts";
import { databaseVariables, startFailingService } from "../support/service-process.ts";

const BROKEN_MIGRATION = join(import.meta.dirname, "broken-migration.ts");

const SOUND_MIGRATION = {
  up: (db: Kysely<unknown>) => sql`alter table memories add column later text`.execute(db),
};

describe.each(TEST_ENGINES)("on %s", (engine) => {
  let place: TestLocation;
  beforeAll(async () => {
    place = await newTestLocation(engine);
  });
  afterAll(() => place.remove());

  test("the process ends with a sentence, nothing is done by half, and the version before serves", async () => {
    const before = await startTestService({ place });
    const { key, rest } = await before.createAccount();
    await rest("POST", "/agent/memories", { body: { content: "Alice lives in Bern" } });
    const schema = await schemaText(before.context.db);
    await before.close();

    const { code, output } = await startFailingService(databaseVariables(place.location), {
      nodeArguments: ["--import", BROKEN_MIGRATION],
    });
    expect(code).toBe(1);
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(output).toContain("The service did not start");
    expect(output).toMatch(/migration 9999-broken failed: .*no_such_type/);
    expect(output).toContain("nothing was changed");
    expect(output).toContain("start the version before");

    const after = await startTestService({ place });
    expect(await schemaText(after.context.db)).toBe(schema);
    const again = createRestClient(after.url, key);
    const { body } = await again("GET", "/agent/memories");
    expect(body.memories).toMatchObject([{ decision: "Alice lives in Bern" }]);
    const written = await again("POST", "/agent/memories", { body: { content: "It serves" } });
    expect(written.status).toBe(200);
    await after.close();
  });

  test("D33: a write is repeated under its key after a restart and after an upgrade, behind which the version before refuses the database", async () => {
    const write = async (rest: RestClient) => {
      const headers = { "idempotency-key": "before-the-upgrade" };
      const { status, body } = await rest("POST", "/agent/memories", {
        body: { content: "Bob lives in Rome" },
        headers,
      });
      expect(status).toBe(200);
      return body;
    };
    const before = await startTestService({ place });
    const { key, rest } = await before.createAccount();
    const written = await write(rest);
    await before.close();
    onTestFinished(() => void Reflect.deleteProperty(MIGRATIONS, "9998-sound"));
    for (const later of [{}, { "9998-sound": SOUND_MIGRATION }]) {
      Object.assign(MIGRATIONS, later);
      const after = await startTestService({ place });
      const again = createRestClient(after.url, key);
      expect(await write(again)).toEqual(written);
      expect((await again("GET", "/agent/memories")).body.memories).toHaveLength(1);
      await after.close();
    }
    // The version before it does not serve what a later one has changed.
    Reflect.deleteProperty(MIGRATIONS, "9998-sound");
    await expect(startTestService({ place })).rejects.toThrow(/newer version .+ 9998-sound/);
  });
});
