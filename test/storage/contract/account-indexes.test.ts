import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import type { CompanyId } from "../../../src/domain/ids.ts";
import {
  type AccountIndex,
  type IndexedVectors,
  listAccountIndexes,
  makingOf,
  removalOf,
} from "../../../src/storage/account-indexes.ts";
import { findCandidates } from "../../../src/storage/candidates.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
import type { NewMemory } from "../../../src/storage/memory-writes.ts";
import type { MemorySearch } from "../../../src/storage/search-scope.ts";
import { IS_DISTRIBUTED, TEST_ENGINES } from "../../support/database.ts";
import { genericPlanOf, planOf } from "./explain.ts";
import {
  ANY_SEARCH,
  inTestSpace,
  NOW,
  newCompanyId,
  newMemory,
  storeMemories,
  TEST_SPACE,
  TEST_SPACE_ID,
} from "./fixture.ts";
import { type Random, randomFrom } from "./random.ts";
import { randomVector } from "./random-scopes.ts";
import { useStorage } from "./storage.ts";

const MEMORIES = 150;
/**
 * So few that each is linked with each in the index: what it finds does not depend on the
 * graph that was drawn. Of more, some may not be reached.
 */
const LINKED_MEMORIES = 32;
const SEARCHES = 8;
/** Digits of a relevance that do not depend on the order in which numbers are added up. */
const DIGITS = 9;

describe.runIf(TEST_ENGINES.includes("postgres"))("an account's own index", () => {
  const contract = useStorage("postgres");
  const runLong = (statements: readonly string[]) => {
    if (contract.runLong === null) throw new Error("a server runs long statements");
    return contract.runLong(statements);
  };
  const made: IndexedVectors[] = [];
  afterEach(() => runLong(made.splice(0).map(removalOf)));

  async function make(companyId: CompanyId, tenantId: string | null): Promise<IndexedVectors> {
    const indexed = { companyId, tenantId, spaceId: TEST_SPACE_ID };
    made.push(indexed);
    await runLong(makingOf(indexed, TEST_SPACE.dimensions));
    return indexed;
  }

  async function store(
    companyId: CompanyId,
    count: number,
    random: Random,
    tenantId: string | null = null,
  ): Promise<NewMemory[]> {
    const stored = Array.from({ length: count }, () => randomMemory(companyId, random, tenantId));
    await storeMemories(contract.db, stored);
    return stored;
  }

  const stateOf = async (companyId: CompanyId): Promise<AccountIndex["state"] | undefined> =>
    (await listAccountIndexes(contract.db)).find((index) => index.companyId === companyId)?.state;

  test.for([null, "acme", "it's", String.raw`a\b`, String.raw`\'; x`, "東京"])(
    "of the tenant %s is listed as what it is, and removed",
    async (tenantId) => {
      const companyId = `${newCompanyId()} 'of' \\ it` as CompanyId;
      const indexed = await make(companyId, tenantId);
      expect(await listAccountIndexes(contract.db)).toContainEqual({ ...indexed, state: "ready" });
      await runLong([removalOf(indexed)]);
      expect(await stateOf(companyId)).toBeUndefined();
    },
  );

  test("whose making failed is broken, and is made again", async () => {
    const companyId = newCompanyId();
    const random = randomFrom(3);
    await store(companyId, 2, random);
    const indexed = { companyId, tenantId: null, spaceId: TEST_SPACE_ID };
    made.push(indexed);
    // No vector has so many dimensions.
    await expect(runLong(makingOf(indexed, TEST_SPACE.dimensions + 1))).rejects.toThrow(
      /dimension/,
    );
    expect(await stateOf(companyId)).toBe("broken");
    await make(companyId, null);
    expect(await stateOf(companyId)).toBe("ready");
  });

  test("takes vectors of any length: no write fails of it", async () => {
    const companyId = newCompanyId();
    await make(companyId, null);
    const embeddings = [
      [1e30, -1e30, 1e30, 1],
      [1e-30, 0, 0, 0],
      [0, 0, 0, 0],
    ];
    const stored = embeddings.map((embedding) => newMemory(companyId, { embedding }));
    await storeMemories(contract.db, stored);
    const found = await searchMemories(contract.db.of(companyId), searchFor([1, 0, 0, 0]), [
      { companyId, tenantId: null, spaceId: TEST_SPACE_ID },
    ]);
    expect(found?.memories).toHaveLength(embeddings.length);
  });

  test.for<{ what: string; tenantIds: (string | null)[]; indexed: (string | null)[] }>([
    { what: "its tenant", tenantIds: [null], indexed: [null] },
    { what: "its tenant and one without (D47)", tenantIds: ["other", null], indexed: [null] },
    { what: "two tenants with one each (D47)", tenantIds: [null, "it's"], indexed: ["it's", null] },
  ])("finds what an exact search of $what finds, where it reaches all memories", async (of) => {
    const companyId = newCompanyId();
    const random = randomFrom(20_261_122);
    for (const tenantId of of.tenantIds) await store(companyId, LINKED_MEMORIES, random, tenantId);
    const indexes: IndexedVectors[] = [];
    for (const tenantId of of.indexed) indexes.push(await make(companyId, tenantId));
    const db = contract.db.of(companyId);
    for (let count = 0; count < SEARCHES; count++) {
      const terms = [random.below(30), random.below(30) + 30];
      const search = { ...searchFor(randomVector(random), terms), tenantIds: of.tenantIds };
      const exact = await searchMemories(db, search);
      const approximate = await searchMemories(db, search, indexes);
      expect(approximate?.isApproximate).toBe(true);
      expect(exact?.isApproximate).toBe(false);
      expect(approximate?.memories).toEqual(
        exact?.memories.map((memory) => ({
          ...memory,
          relevance: expect.closeTo(memory.relevance, DIGITS),
        })),
      );
    }
  });

  test("never finds fewer than there are, and answers filters exactly", async () => {
    const companyId = newCompanyId();
    const random = randomFrom(5);
    await store(companyId, 8, random);
    const index = await make(companyId, null);
    const db = contract.db.of(companyId);
    const vector = randomVector(random);
    const few = await searchMemories(db, searchFor(vector), [index]);
    expect(few).toMatchObject({ isApproximate: false, memories: { length: 8 } });
    for (const filter of [{ sources: ["agent"] }, { topic: "General" }, { asOf: NOW }]) {
      const search = { ...searchFor(vector), limit: 1, ...filter };
      expect(await searchMemories(db, search, [index])).toMatchObject({ isApproximate: false });
    }
    const some = await searchMemories(db, { ...searchFor(vector), limit: 1 }, [index]);
    expect(some).toMatchObject({ isApproximate: true });
  });

  test.skipIf(IS_DISTRIBUTED).for([
    { kind: "a custom", plan: planOf },
    { kind: "a generic", plan: genericPlanOf },
  ])("is used by its search, and by nothing else, in $kind plan", async ({ plan }) => {
    const companyId = newCompanyId();
    const random = randomFrom(9);
    await store(companyId, MEMORIES, random);
    const index = await make(companyId, null);
    await sql`analyze memory_vectors`.execute(contract.db);
    const db = contract.db.of(companyId);
    const search = searchFor(randomVector(random), [1, 2]);
    const facts = [{ vector: search.vector, attributes: [], opening: null, statedAtMost: NOW }];
    const candidates = {
      tenantId: null,
      now: NOW,
      writtenAt: NOW,
      limit: 10,
      minSimilarity: 0.5,
      facts,
    };
    const [approximate] = await contract.queriesOf(() => searchMemories(db, search, [index]));
    const others = [
      ...(await contract.queriesOf(() => searchMemories(db, search))),
      ...(await contract.queriesOf(() => findCandidates(db, candidates))),
    ];
    if (approximate === undefined) throw new Error("nothing was searched");
    // Of so few vectors it is as quick to sort all.
    const ordered = await plan(contract.db, approximate, "enable_sort = off");
    expect(ordered).toMatch(/Index Scan using memory_vectors_of_/);
    expect(others).toHaveLength(2);
    for (const query of others) {
      const text = await plan(contract.db, query, "enable_sort = off");
      expect(text).not.toContain("memory_vectors_of_");
    }
  });
});

function searchFor(vector: readonly number[], terms: readonly number[] = []): MemorySearch {
  return { ...ANY_SEARCH, vector: inTestSpace([...vector]), terms: [...new Set(terms)] };
}

function randomMemory(
  companyId: CompanyId,
  random: Random,
  tenantId: string | null = null,
): NewMemory {
  const numbers = [...new Set(Array.from({ length: random.below(9) }, () => random.below(60)))];
  return newMemory(companyId, {
    tenantId,
    provenance: { sessionId: random.of([null, "a", "b", "c"]) },
    embedding: randomVector(random),
    terms: { numbers: numbers.sort((a, b) => a - b), length: numbers.length },
  });
}
