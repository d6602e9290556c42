import { fail } from "node:assert/strict";
import { sql } from "kysely";
import { fromSql } from "pgvector";
import { describe, expect, test } from "vitest";
import type { RankedCandidate } from "../../../src/domain/auto-supersession.ts";
import type { Vector } from "../../../src/domain/embedding.ts";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import type { Instant } from "../../../src/domain/instant.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
import { type CandidateSearch, findCandidates } from "../../../src/storage/memory-vectors.ts";
import type { NewMemory } from "../../../src/storage/memory-writes.ts";
import type { MemorySearch } from "../../../src/storage/search-scope.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  inTestSpace,
  minutes,
  NO_FILTERS,
  NOW,
  newCompanyId,
  newMemory,
  storeMemories,
  storeMemory,
  TEST_SPACE,
} from "./fixture.ts";
import { type Random, randomFrom } from "./random.ts";
import { useStorage } from "./storage.ts";

const TENANTS = [null, "one", "two"] as const;
const SOURCES = ["agent", "agent_session", "email", "with 'quote' and \"quotes\""];
const MEMORIES = 3_000;
const CANDIDATE_SEARCHES = 20;
const UNKNOWN_SPACE_ID = 999;

describe.for(TEST_ENGINES)("similar memories on %s", (engine) => {
  const contract = useStorage(engine);

  const search = async (companyId: CompanyId, fields: Partial<MemorySearch> = {}) =>
    found(companyId, { ...EMPTY_SEARCH, ...fields });
  const found = async (companyId: CompanyId, wanted: MemorySearch) => {
    const answer = await searchMemories(contract.db.of(companyId), wanted);
    return (answer ?? fail("not the active space")).memories;
  };

  test("most similar first, with the cosine clipped to 0 and 1", async () => {
    const companyId = newCompanyId();
    const embeddings = [
      [-1, 0, 0, 0],
      [0, 1, 0, 0],
      [0.6, 0.8, 0, 0],
      [1, 0, 0, 0],
    ];
    for (const embedding of embeddings) await storeMemory(contract.db, companyId, { embedding });
    const similarities = (await search(companyId)).map(({ similarity }) => similarity);
    expect(similarities).toEqual([1, expect.closeTo(0.6, 6), 0, 0]);
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

  test("a memory comes whole", async () => {
    const companyId = newCompanyId();
    const memory = await storeMemory(contract.db, companyId, { validTo: NOW + 1n });
    expect(await search(companyId)).toEqual([
      { memory, similarity: 1, relevance: expect.any(Number) },
    ]);
  });

  test("an account without memories has none, and an empty list of sources matches none", async () => {
    const companyId = newCompanyId();
    expect(await search(companyId)).toEqual([]);
    await storeMemory(contract.db, companyId);
    expect(await search(companyId, { sources: [] })).toEqual([]);
  });

  test("another account's and another tenant's memories are never found", async () => {
    const companyId = newCompanyId();
    await storeMemory(contract.db, newCompanyId());
    await storeMemory(contract.db, companyId, { tenantId: "one" });
    expect(await search(companyId)).toEqual([]);
    expect(await search(companyId, { tenantIds: ["two"] })).toEqual([]);
  });

  test("a memory ends at its end, not after it", async () => {
    const companyId = newCompanyId();
    await storeMemory(contract.db, companyId, { validTo: NOW + 10n });
    expect(await search(companyId, { now: NOW + 9n })).toHaveLength(1);
    expect(await search(companyId, { now: NOW + 10n })).toHaveLength(0);
  });

  test("how many memories were looked at is told, whatever is found", async () => {
    const companyId = newCompanyId();
    for (let index = 0; index < 12; index++) await storeMemory(contract.db, companyId);
    await storeMemory(contract.db, companyId, { tenantId: "another" });
    const db = contract.db.of(companyId);
    const answer = await searchMemories(db, { ...EMPTY_SEARCH, limit: 3 });
    expect(answer).toMatchObject({ scanned: 12, memories: { length: 3 } });
  });

  test("that nothing was found and that the space is not the active one are told apart", async () => {
    const companyId = newCompanyId();
    await storeMemory(contract.db, companyId);
    const wanted = { ...EMPTY_SEARCH, tenantIds: ["nobody's"] };
    expect(await searchMemories(contract.db.of(companyId), wanted)).toEqual({
      memories: [],
      count: 0,
      scanned: 0,
      isApproximate: false,
    });
    const unknown = { ...wanted.vector, spaceId: UNKNOWN_SPACE_ID };
    for (const tenantId of ["nobody's", null]) {
      const search = { ...wanted, tenantIds: [tenantId], vector: unknown };
      expect(await searchMemories(contract.db.of(companyId), search)).toBeNull();
    }
  });

  test("a search is one statement, whatever it finds", async () => {
    const companyId = newCompanyId();
    const queries = () => contract.queriesOf(() => search(companyId));
    expect(await queries()).toHaveLength(1);
    await storeMemory(contract.db, companyId);
    expect(await queries()).toHaveLength(1);
  });

  test(`${CANDIDATE_SEARCHES} searches for candidates among ${MEMORIES} memories equal a full sort`, async () => {
    const random = randomFrom(20_260_504);
    const companyId = newCompanyId();
    const stored = Array.from({ length: MEMORIES }, () => randomMemory(companyId, random));
    await storeMemories(contract.db, stored);
    for (let count = 0; count < CANDIDATE_SEARCHES; count++) {
      const wanted = randomCandidateSearch(random);
      expect(
        idsOf((await findCandidates(contract.db.of(companyId), wanted)) ?? fail("no answer")),
      ).toEqual(
        wanted.facts.map((fact) =>
          fullSort(stored, { ...wanted, sources: null, ...NO_FILTERS, vector: fact.vector })
            .filter(({ memory }) => memory.validFrom <= fact.statedAtMost)
            .filter(({ similarity }) => similarity >= wanted.minSimilarity)
            .slice(0, wanted.limit)
            .map(({ memory }) => memory.id),
        ),
      );
    }
  });
});

/** All of the default tenant. */
const EMPTY_SEARCH: MemorySearch = {
  tenantIds: [null],
  sources: null,
  ...NO_FILTERS,
  now: NOW,
  vector: inTestSpace([1, 0, 0, 0]),
  terms: [],
  space: { provider: "any" },
  limit: 10,
};

function idsOf(found: readonly (readonly RankedCandidate[])[]): MemoryId[][] {
  return found.map((candidates) => candidates.map(({ candidate }) => candidate.id));
}

/** Few values and few dimensions, so that many memories are equally similar. */
function randomVector(random: Random): number[] {
  const vector = Array.from({ length: TEST_SPACE.dimensions }, () => random.below(5) - 2);
  return vector.every((value) => value === 0) ? randomVector(random) : vector;
}

function randomMemory(companyId: CompanyId, random: Random): NewMemory {
  const validFrom = randomTime(random);
  const isSuperseded = random.below(4) === 0;
  const hasEnd = isSuperseded || random.below(3) === 0;
  return newMemory(companyId, {
    tenantId: random.of(TENANTS),
    source: random.of(SOURCES),
    validFrom,
    validTo: hasEnd ? validFrom + minutes(random.below(20)) : null,
    supersededAt: isSuperseded ? NOW : null,
    embedding: randomVector(random),
  });
}

/** Of similarities that few pairs of vectors have exactly. */
function randomCandidateSearch(random: Random): CandidateSearch {
  const facts = Array.from({ length: random.of([1, 2, 30]) }, () => ({
    vector: inTestSpace(randomVector(random)),
    attributes: [],
    statedAtMost: randomTime(random),
  }));
  return {
    tenantId: random.of(TENANTS),
    now: randomTime(random),
    facts,
    limit: random.of([1, 3, 20]),
    minSimilarity: random.of([0.123, 0.456, 0.789]),
  };
}

function randomTime(random: Random): Instant {
  return NOW + minutes(random.below(20) - 10);
}

function fullSort(
  memories: readonly NewMemory[],
  search: Pick<CandidateSearch, "tenantId" | "now"> & Pick<MemorySearch, "sources" | "vector">,
) {
  const { sources, now, tenantId } = search;
  return memories
    .filter(
      ({ memory }) =>
        memory.tenantId === tenantId &&
        memory.supersededAt === null &&
        (memory.validTo === null || memory.validTo > now) &&
        (sources === null || sources.includes(memory.source)),
    )
    .map(({ memory, vectors: [own] }) => ({
      memory,
      similarity: cosine(own?.vector ?? fail("no vector"), search.vector.vector),
    }))
    .toSorted((a, b) => b.similarity - a.similarity || (a.memory.id < b.memory.id ? 1 : -1));
}

function cosine(a: Vector, b: Vector): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function dot(a: Vector, b: Vector): number {
  return Array.from(a).reduce(
    (sum, value, index) => sum + value * (b[index] ?? fail("other dimensions")),
    0,
  );
}
