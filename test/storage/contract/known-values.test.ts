import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { MAX_KNOWN_VALUES, MEMORIES_WITH_KNOWN_VALUES } from "../../../src/domain/known-values.ts";
import { selectKnownTenants, selectKnownValues } from "../../../src/storage/known-values.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import { minutes, NOW, newCompanyId, newMemory, storeMemories } from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("known values on %s", (engine) => {
  const contract = useStorage(engine);

  /** Of one account, a memory for each of these; later ones are newer. */
  async function store(companyId: ReturnType<typeof newCompanyId>, fields: readonly object[]) {
    const created = fields.map((each, index) =>
      newMemory(companyId, { createdAt: NOW + minutes(index), ...each }),
    );
    await storeMemories(contract.db, created);
    return contract.db.of(companyId);
  }

  test("tenants are found by their beginning, in order, each once", async () => {
    const names = ["b-2", "a", "b-1", "b-1", "B", "b_", null, "c"];
    const db = await store(
      newCompanyId(),
      names.map((tenantId) => ({ tenantId })),
    );
    await store(newCompanyId(), [{ tenantId: "b-of-another" }]);
    expect(await selectKnownTenants(db, "")).toEqual(["B", "a", "b-1", "b-2", "b_", "c"]);
    expect(await selectKnownTenants(db, "b-")).toEqual(["b-1", "b-2"]);
    expect(await selectKnownTenants(db, "z")).toEqual([]);
    expect(await selectKnownTenants(contract.db.of(newCompanyId()), "")).toEqual([]);
  });

  test("of many tenants the first ones are told", async () => {
    const names = Array.from({ length: MAX_KNOWN_VALUES + 1 }, (_, index) => `t-${index + 10}`);
    const db = await store(
      newCompanyId(),
      names.map((tenantId) => ({ tenantId })),
    );
    expect(await selectKnownTenants(db, "t")).toEqual(names.slice(0, -1));
  });

  test("topics are those that most memories of the tenant have, told without regard to case", async () => {
    const db = await store(newCompanyId(), [
      { topic: "Work" },
      { topic: "World" },
      { topic: "World" },
      { topic: "Home" },
      { topic: "Worry", tenantId: "other" },
    ]);
    const known = (prefix: string, tenantId: string | null = null) =>
      selectKnownValues(db, { field: "topic", tenantId, prefix });
    expect(await known("wo")).toEqual(["World", "Work"]);
    expect(await known("", "other")).toEqual(["Worry"]);
    expect(await known("%")).toEqual([]);
  });

  test("a memory without a session suggests none", async () => {
    const db = await store(newCompanyId(), [{ source: "chat" }]);
    expect(
      await selectKnownValues(db, { field: "session_id", tenantId: null, prefix: "" }),
    ).toEqual([]);
    expect(await selectKnownValues(db, { field: "source", tenantId: null, prefix: "" })).toEqual([
      "chat",
    ]);
  });

  test("however large the tenant, so many of its newest memories are looked at", async () => {
    const db = await store(newCompanyId(), [{ topic: "Old" }]);
    await sql`
      insert into memories (company_id, id, tenant_id, decision, topic, importance_score, source,
        created_at, valid_from, mode)
      select company_id, gen_random_uuid(), tenant_id, 'x', 'New', 5, source,
        created_at + n * interval '1 minute', valid_from, mode
      from memories cross join generate_series(1, ${MEMORIES_WITH_KNOWN_VALUES}) as n
      where company_id = ${db.companyId}`.execute(db);
    expect(await selectKnownValues(db, { field: "topic", tenantId: null, prefix: "" })).toEqual([
      "New",
    ]);
  });
});
