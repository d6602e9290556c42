import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, onTestFinished, test } from "vitest";
import { toCompanyId, toMemoryId } from "../../src/domain/ids.ts";
import type { MemoryFilters } from "../../src/domain/memory-filters.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { claimEmbeddingSpaces } from "../../src/storage/embedding-spaces.ts";
import { openPglite } from "../../src/storage/engines/pglite.ts";
import { openPostgres } from "../../src/storage/engines/postgres.ts";
import { findMemoryRecord } from "../../src/storage/memories.ts";
import { searchMemories } from "../../src/storage/memory-search.ts";
import { MIGRATIONS } from "../../src/storage/migrations/index.ts";
import { instant, NO_FILTERS, NOW, TEST_SPACE } from "../storage/contract/fixture.ts";
import { newEmptyLocation, TEST_ENGINES } from "../support/database.ts";

const COMPANY_ID = toCompanyId("company");
const MEMORY_ID = toMemoryId("01890000-0000-7000-8000-000000000001");

const ENDED_ID = toMemoryId("01890000-0000-7000-8000-000000000002");

/** The schema before spaces, with one memory that is current and one that was ended. */
const BEFORE = [
  `insert into embedding_space values (1, '${TEST_SPACE.provider}', '${TEST_SPACE.model}', 4)`,
  `insert into memories (
    company_id, id, tenant_id, decision, summary, topic, importance_score, source, created_at,
    valid_from, original_message, mode
  ) values (
    '${COMPANY_ID}', '${MEMORY_ID}', '', 'a', 'a', 'General', 5, 'agent', '2026-01-01Z',
    '2026-01-01Z', 'a', 'content'
  )`,
  `insert into memory_vectors values (
    '${COMPANY_ID}', '${MEMORY_ID}', '', 'agent', '2026-01-01Z', null, false, 'test', 'unit', '[1,0,0,0]'
  )`,
  `insert into memories (
    company_id, id, tenant_id, decision, summary, topic, importance_score, source, created_at,
    valid_from, valid_to, superseded_at, original_message, mode, session_id
  ) values (
    '${COMPANY_ID}', '${ENDED_ID}', '', 'b', 'b', 'General', 5, 'agent', '2026-01-01Z',
    '2026-01-01Z', '2026-03-01Z', '2026-03-01Z', 'b', 'content', 'chat'
  )`,
  `insert into memory_vectors values (
    '${COMPANY_ID}', '${ENDED_ID}', '', 'agent', '2026-01-01Z', '2026-03-01Z', true, 'test', 'unit', '[0,1,0,0]'
  )`,
  `insert into audit_events values
    ('${COMPANY_ID}', '${ENDED_ID}', 1, 'created', '2026-01-01Z', 'key', '{}'),
    ('${COMPANY_ID}', '${ENDED_ID}', 2, 'superseded', '2026-03-01Z', 'key',
      '{"valid_to": "2026-03-01T00:00:00Z", "superseded_by": null, "previous_valid_to": null}')`,
];

test.for(TEST_ENGINES)(
  "memories of before are found after, in the first space and as they were known (%s)",
  async (engine) => {
    const { location, remove } = await newEmptyLocation(engine);
    onTestFinished(remove);
    const old =
      location.engine === "pglite"
        ? await openPglite(location.dataDir)
        : openPostgres(location.url, 1);
    const before = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: old.pool }) });
    const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
    const migrated = await new Migrator({ db: before, provider }).migrateTo(
      "0002-shadow-and-restore",
    );
    expect(migrated.error).toBeUndefined();
    for (const statement of BEFORE) await sql.raw(statement).execute(before);
    await old.close();

    const { db, close } = await openDatabase(location);
    onTestFinished(close);
    const [spaceId = 0, nextId] = await claimEmbeddingSpaces(db, [
      TEST_SPACE,
      { ...TEST_SPACE, model: "next" },
    ]);
    expect(spaceId).not.toBe(nextId);
    const search = async (filters: Partial<MemoryFilters>) => {
      const found = await searchMemories(db.of(COMPANY_ID), {
        tenantId: null,
        sources: null,
        ...NO_FILTERS,
        now: NOW,
        vector: { spaceId, vector: [1, 0, 0, 0] },
        terms: [],
        space: { provider: "any" },
        limit: 10,
        ...filters,
      });
      return found?.memories.map(({ memory: { id, validTo, metadata } }) => ({
        id,
        validTo,
        metadata,
      }));
    };
    const current = { id: MEMORY_ID, validTo: null, metadata: {} };
    expect(await search({})).toEqual([current]);
    const inFebruary = { knownAt: instant("2026-02-01T00:00:00Z") };
    const known = { id: ENDED_ID, validTo: null, metadata: {} };
    expect(await search(inFebruary)).toEqual([current, known]);
    expect(await search({ ...inFebruary, sessionId: "chat" })).toEqual([known]);
    expect(await findMemoryRecord(db.of(COMPANY_ID), MEMORY_ID)).toMatchObject({
      embedding: TEST_SPACE,
    });
  },
);
