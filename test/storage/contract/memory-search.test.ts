import { fail } from "node:assert/strict";
import { sql } from "kysely";
import { fromSql } from "pgvector";
import { describe, expect, test } from "vitest";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import { MAX_CONTENT_BYTES, MAX_PAGE_TEXT_BYTES } from "../../../src/domain/limits.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
import type { NewMemory } from "../../../src/storage/memory-writes.ts";
import type { MemorySearch } from "../../../src/storage/search-scope.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  ANY_SEARCH,
  inTestSpace,
  type NewMemoryFields,
  newCompanyId,
  newMemory,
  storeMemories,
  storeMemory,
} from "./fixture.ts";
import { randomFrom } from "./random.ts";
import { differenceFrom, randomMemory, randomSearch } from "./random-scopes.ts";
import { rankAll } from "./search-oracle.ts";
import { useStorage } from "./storage.ts";

const SCOPES = 25;

describe.for(TEST_ENGINES)("memories that have to do with a question on %s", (engine) => {
  const contract = useStorage(engine);

  const found = async (companyId: CompanyId, search: Partial<MemorySearch>) => {
    const wanted = { ...ANY_SEARCH, ...search };
    const answer = await searchMemories(contract.db.of(companyId), wanted);
    return (answer ?? fail("not active")).memories;
  };
  const idsOf = async (companyId: CompanyId, search: Partial<MemorySearch>) =>
    (await found(companyId, search)).map(({ memory }) => memory.id);

  async function store(
    ...fields: NewMemoryFields[]
  ): Promise<[CompanyId, MemoryId[], NewMemory[]]> {
    const companyId = newCompanyId();
    const stored = fields.map((each) => newMemory(companyId, each));
    await storeMemories(contract.db, stored);
    return [companyId, stored.map(({ memory }) => memory.id), stored];
  }

  const terms = (...numbers: number[]) => ({ numbers, length: numbers.length });

  test("a vector of zeros has no direction: such memories are found by their words", async () => {
    const zero = { embedding: [0, 0, 0, 0] };
    const [companyId, [other, having]] = await store(
      { ...zero, terms: terms(5) },
      { ...zero, terms: terms(6) },
      { embedding: [-1, 0, 0, 0], terms: terms(7) },
    );
    const answer = await found(companyId, { terms: [6] });
    expect(answer.map(({ memory }) => memory.id).slice(0, 2)).toEqual([having, other]);
    expect(answer.map(({ similarity }) => similarity)).toEqual([0, 0, 0]);
    const zeroes = await idsOf(companyId, { terms: [6], vector: inTestSpace([0, 0, 0, 0]) });
    expect(zeroes[0]).toBe(having);
  });

  test("D37 pages: the best that are a page by their texts; those beyond are only counted", async () => {
    const text = "x".repeat(MAX_CONTENT_BYTES);
    const long = { decision: text, summary: text, originalMessage: text, topic: "" };
    const held = Math.floor(MAX_PAGE_TEXT_BYTES / (3 * MAX_CONTENT_BYTES));
    const [companyId, ids] = await store(...Array<NewMemoryFields>(held + 5).fill(long));
    const search = { ...ANY_SEARCH, limit: held + 2 };
    const answer = await searchMemories(contract.db.of(companyId), search);
    const best = ids.toSorted().toReversed().slice(0, held);
    expect(answer?.memories.map(({ memory }) => memory.id)).toEqual(best);
    expect(answer?.count).toBe(held + 2);
  });

  // Only memories like the best of their length and words are scored: the lengths are many here.
  const ofLengths = (embedding: number[]) =>
    Array.from({ length: 60 }, (_, i) => ({
      embedding,
      terms: { numbers: [], length: (i * 7) % 60 },
    }));

  test("of equals the newest are found, of whatever length they are", async () => {
    const [companyId, ids] = await store(...ofLengths([1, 0, 0, 0]));
    const newest = ids.toSorted().toReversed().slice(0, 10);
    expect(await idsOf(companyId, {})).toEqual(newest);
  });

  test("the nearest is found, however far others of its length are", async () => {
    const far = { embedding: [-1, 0, 0, 0], terms: terms(5) };
    const near = { embedding: [1, 0, 0, 0], terms: terms(5) };
    const [companyId, [nearest]] = await store(near, far, far, ...ofLengths([0, 1, 0, 0]));
    expect((await idsOf(companyId, {}))[0]).toBe(nearest);
  });

  test("of a question of more than 48 terms the rarest count, wherever they stand", async () => {
    const said = (from: number) => Array.from({ length: 200 }, (_, i) => from + i);
    const embedding = [1, 0, 0, 0];
    // Two memories have each of the words 1,000 to 1,049.
    const common = Array.from({ length: 100 }, (_, i) => ({
      terms: terms(1_000 + (i % 50)),
      embedding,
    }));
    const [companyId, ids] = await store({ terms: terms(7), embedding }, ...common);
    for (const asked of [
      [7, ...said(1_000)],
      [...said(1_000), 7],
      [...said(1_000), ...said(5_000).slice(0, 39), 7],
    ]) {
      expect((await idsOf(companyId, { terms: asked }))[0]).toBe(ids[0]);
    }
    expect(await idsOf(companyId, { terms: said(5_000) })).toHaveLength(10);
  });

  test("a vector is stored as pgvector's own client reads it", async () => {
    const companyId = newCompanyId();
    const embedding = [0.1, -0.25, 1e-8, 0.96];
    await storeMemory(contract.db, companyId, { embedding });
    const { text } = await contract.db
      .selectFrom("memory_vectors")
      .select(sql<string>`embedding::text`.as("text"))
      .where("company_id", "=", companyId)
      .executeTakeFirstOrThrow();
    expect((fromSql(text) as number[]).map(Math.fround)).toEqual(embedding.map(Math.fround));
  });

  test("how many memories were looked at is told, whatever is found", async () => {
    const companyId = newCompanyId();
    for (let index = 0; index < 12; index++) await storeMemory(contract.db, companyId);
    await storeMemory(contract.db, companyId, { tenantId: "another" });
    const db = contract.db.of(companyId);
    const answer = await searchMemories(db, { ...ANY_SEARCH, limit: 3 });
    expect(answer).toMatchObject({ scanned: 12, memories: { length: 3 } });
  });

  test("of an empty scope is nothing, which is an answer", async () => {
    const companyId = newCompanyId();
    await storeMemory(contract.db, companyId);
    const wanted = { ...ANY_SEARCH, tenantIds: ["nobody's"] };
    const nothing = { memories: [], count: 0, scanned: 0, isApproximate: false };
    expect(await searchMemories(contract.db.of(companyId), wanted)).toEqual(nothing);
  });

  test(`${SCOPES} random scopes are ranked as one memory after another would be`, async () => {
    const random = randomFrom(20_261_121);
    for (let count = 0; count < SCOPES; count++) {
      const companyId = newCompanyId();
      const size = random.of([1, 2, 3, 5, 10, 40, 200, 400]);
      const stored = Array.from({ length: size }, () => randomMemory(companyId, random));
      await storeMemories(contract.db, stored);
      const search = randomSearch(random);
      const ids = await idsOf(companyId, search);
      expect(differenceFrom(rankAll(stored, search), ids, search.limit)).toBeNull();
    }
  });
});
