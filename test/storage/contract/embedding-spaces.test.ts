import { describe, expect, test } from "vitest";
import { MAX_EMBEDDING_DIMENSIONS } from "../../../src/domain/embedding.ts";
import { findCandidates } from "../../../src/storage/candidates.ts";
import { claimEmbeddingSpaces, findActiveSpace } from "../../../src/storage/embedding-spaces.ts";
import { searchMemories } from "../../../src/storage/memory-search.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  ANY_SEARCH,
  NOW,
  newCompanyId,
  newMemory,
  storeMemories,
  TEST_SPACE,
  TEST_SPACE_ID,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

describe.for(TEST_ENGINES)("embedding spaces on %s", (engine) => {
  const contract = useStorage(engine);

  const next = { ...TEST_SPACE, model: "next", dimensions: 3 };

  test("the space of the first start is accepted again, by many at once", async () => {
    const claims = Array.from({ length: 8 }, () => claimEmbeddingSpaces(contract.db, [TEST_SPACE]));
    for (const ids of await Promise.all(claims)) expect(ids).toEqual([TEST_SPACE_ID]);
  });

  test.for([{ provider: "other" }, { model: "other" }, { dimensions: TEST_SPACE.dimensions + 1 }])(
    "another one, %j, is refused with both names",
    async (change) => {
      await expect(
        claimEmbeddingSpaces(contract.db, [{ ...TEST_SPACE, ...change }]),
      ).rejects.toThrow(/holds vectors of test unit with 4 dimensions.+configured for/);
    },
  );

  test("more dimensions than a row has room for are refused, with the limit", async () => {
    const dimensions = MAX_EMBEDDING_DIMENSIONS + 1;
    for (const spaces of [
      [{ ...TEST_SPACE, dimensions }],
      [TEST_SPACE, { ...next, dimensions }],
    ] as const) {
      await expect(claimEmbeddingSpaces(contract.db, spaces)).rejects.toThrow(
        `at most ${MAX_EMBEDDING_DIMENSIONS} dimensions`,
      );
    }
  });

  test("a next space is recorded beside the active one, by many at once", async () => {
    const claims = Array.from({ length: 8 }, () =>
      claimEmbeddingSpaces(contract.db, [TEST_SPACE, next]),
    );
    const [ids, ...others] = await Promise.all(claims);
    for (const other of others) expect(other).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
    expect(await findActiveSpace(contract.db)).toEqual({ ...TEST_SPACE, id: TEST_SPACE_ID });
  });

  test("the active space as the next one is accepted: the database has moved already", async () => {
    const [, nextId] = await claimEmbeddingSpaces(contract.db, [next, TEST_SPACE]);
    expect(nextId).toBe(TEST_SPACE_ID);
  });

  test("the present space as the next one is refused", async () => {
    await expect(claimEmbeddingSpaces(contract.db, [TEST_SPACE, TEST_SPACE])).rejects.toThrow(
      /next embedding model is the present one/,
    );
  });

  test("a search in another space than the active one has no answer, and no candidates are known", async () => {
    const [, spaceId = 0] = await claimEmbeddingSpaces(contract.db, [TEST_SPACE, next]);
    const companyId = newCompanyId();
    const both = newMemory(companyId);
    const vectors = [...both.vectors, { spaceId, vector: [1, 0, 0] }];
    await storeMemories(contract.db, [{ ...both, vectors }]);
    const search = (vector: (typeof vectors)[number]) =>
      searchMemories(contract.db.of(companyId), { ...ANY_SEARCH, vector });
    const [active, other] = await Promise.all(vectors.map(search));
    expect(active?.memories).toEqual([
      { memory: both.memory, similarity: 1, relevance: expect.any(Number) },
    ]);
    expect(other).toBeNull();
    const candidates = (vector: (typeof vectors)[number]) =>
      findCandidates(contract.db.of(companyId), {
        tenantId: null,
        now: NOW,
        writtenAt: NOW,
        facts: [{ vector, attributes: [], opening: null, statedAtMost: NOW }],
        limit: 10,
        minSimilarity: 0.5,
      });
    const [activeCandidates, otherCandidates] = await Promise.all(vectors.map(candidates));
    expect(activeCandidates?.ofFacts).toMatchObject([[{ candidate: { id: both.memory.id } }]]);
    expect(otherCandidates).toBeNull();
  });
});
