import { fail } from "node:assert/strict";
import { describe, expect, test } from "vitest";
import type { RankedCandidate } from "../../../src/domain/auto-supersession.ts";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import {
  type CandidateQuestion,
  type CandidateSearch,
  findCandidates,
} from "../../../src/storage/memory-vectors.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  inTestSpace,
  NOW,
  newCompanyId,
  newMemory,
  storeMemories,
  storeMemory,
  supersede,
} from "./fixture.ts";
import { useStorage } from "./storage.ts";

const UNKNOWN_SPACE_ID = 999;

describe.for(TEST_ENGINES)("candidates on %s", (engine) => {
  const contract = useStorage(engine);

  async function candidates(companyId: CompanyId, fields: Partial<CandidateSearch> = {}) {
    const found = await findCandidates(contract.db.of(companyId), {
      ...candidateSearch(),
      ...fields,
    });
    return found ?? fail("the space is not the active one");
  }

  test("of each fact come in the order of the facts, most similar first, newest of equals", async () => {
    const companyId = newCompanyId();
    const store = async (embedding: readonly number[]) =>
      (await storeMemory(contract.db, companyId, { embedding })).id;
    const x = await store([1, 0, 0, 0]);
    const between = await store([0.8, 0.6, 0, 0]);
    const y = [await store([0, 1, 0, 0]), await store([0, 1, 0, 0])].toSorted().toReversed();
    const found = await candidates(companyId, {
      facts: [
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [1, 0, 0, 0],
      ].map(factOf),
    });
    expect(idsOf(found)).toEqual([[...y, between], [], [x, between]]);
    expect(found[0]?.map(({ similarity }) => similarity)).toEqual([1, 1, expect.closeTo(0.6, 6)]);
  });

  test("carry what the gate and the classifier look at", async () => {
    const companyId = newCompanyId();
    const {
      id,
      decision,
      topic,
      validFrom: statedAt,
    } = await storeMemory(contract.db, companyId, {
      decision: "The user has moved.",
      topic: "Home",
      validFrom: NOW - 1n,
      category: "health_medical",
      embedding: [0.5, 0.5, -0.5, 0.5],
    });
    const candidate = { id, decision, topic, statedAt };
    const vector = Float32Array.of(0.5, 0.5, -0.5, 0.5);
    const more = { hasSameAttribute: false, category: "health_medical", vector };
    expect(await candidates(companyId)).toEqual([[{ candidate, similarity: 0.5, ...more }]]);
  });

  test("are the limit's number for each fact, not for all together", async () => {
    const companyId = newCompanyId();
    const stored = Array.from({ length: 5 }, () => newMemory(companyId));
    await storeMemories(contract.db, stored);
    const newest = stored
      .map(({ memory }) => memory.id)
      .toSorted()
      .toReversed();
    const facts = [factOf([1, 0, 0, 0]), factOf([1, 0, 0, 0])];
    expect(idsOf(await candidates(companyId, { facts, limit: 3 }))).toEqual([
      newest.slice(0, 3),
      newest.slice(0, 3),
    ]);
  });

  test("are at least as similar as asked, that similarity included", async () => {
    const companyId = newCompanyId();
    const embedding = [0.5, 0.5, 0.5, 0.5];
    await storeMemory(contract.db, companyId, { embedding });
    const count = async (minSimilarity: number) =>
      (await candidates(companyId, { minSimilarity }))[0]?.length;
    expect(await count(0.5)).toBe(1);
    expect(await count(0.501)).toBe(0);
  });

  test("D23 stated order: were stated when the fact was or earlier, whenever they hold from", async () => {
    const companyId = newCompanyId();
    const validFrom = NOW - 5n;
    const { id } = await storeMemory(contract.db, companyId, { validFrom, statedAt: NOW });
    const facts = [NOW - 5n, NOW - 1n, NOW].map((statedAtMost) => ({
      ...factOf([1, 0, 0, 0]),
      attribute: "user|home",
      statedAtMost,
    }));
    expect(idsOf(await candidates(companyId, { facts }))).toEqual([[], [], [id]]);
  });

  test("D23 same attribute: are found by their attribute however far they are, once each", async () => {
    const companyId = newCompanyId();
    const home = { attribute: "user|home" };
    const { id: far } = await storeMemory(contract.db, companyId, {
      ...home,
      embedding: [-1, 0, 0, 0],
    });
    const { id: near } = await storeMemory(contract.db, companyId, home);
    await storeMemory(contract.db, companyId, {
      ...home,
      tenantId: "one",
      embedding: [0, 1, 0, 0],
    });
    await storeMemory(contract.db, companyId, { ...home, validTo: NOW, embedding: [0, 1, 0, 0] });
    await storeMemory(contract.db, companyId, { attribute: "user|job", embedding: [0, 1, 0, 0] });
    await storeMemory(contract.db, newCompanyId(), home);
    await supersede(
      contract.db,
      await storeMemory(contract.db, companyId, { ...home, embedding: [0, 0, 1, 0] }),
      null,
      NOW + 9n,
    );
    const facts = [["user|home"], []].map((attributes) => ({
      ...factOf([1, 0, 0, 0]),
      attributes,
    }));
    const found = await candidates(companyId, { facts });
    expect(idsOf(found)).toEqual([[near, far], [near]]);
    expect(found[0]).toMatchObject([
      { similarity: 1, hasSameAttribute: true },
      { similarity: 0, hasSameAttribute: true },
    ]);
  });

  test("hold from the fact's moment or earlier, each fact with its own", async () => {
    const companyId = newCompanyId();
    const { id } = await storeMemory(contract.db, companyId, { validFrom: NOW });
    const facts = [NOW - 1n, NOW, NOW + 1n].map((statedAtMost) => ({
      ...factOf([1, 0, 0, 0]),
      statedAtMost,
    }));
    expect(idsOf(await candidates(companyId, { facts }))).toEqual([[], [id], [id]]);
  });

  test("are current, of the account and of the tenant", async () => {
    const companyId = newCompanyId();
    const { id } = await storeMemory(contract.db, companyId, { validTo: NOW + 1n });
    await supersede(contract.db, await storeMemory(contract.db, companyId), null, NOW + 9n);
    await storeMemory(contract.db, companyId, { validTo: NOW });
    await storeMemory(contract.db, companyId, { tenantId: "one" });
    await storeMemory(contract.db, newCompanyId());
    expect(idsOf(await candidates(companyId))).toEqual([[id]]);
  });

  test("in a space that is not the active one are no answer", async () => {
    const companyId = newCompanyId();
    await storeMemory(contract.db, companyId);
    const fact = factOf([1, 0, 0, 0]);
    const vector = { ...fact.vector, spaceId: UNKNOWN_SPACE_ID };
    const search = { ...candidateSearch(), facts: [{ ...fact, vector }] };
    expect(await findCandidates(contract.db.of(companyId), search)).toBeNull();
  });

  test("of no facts are no statement, of many facts few, in the order of the facts", async () => {
    const companyId = newCompanyId();
    const stored = Array.from({ length: 60 }, (_, index) =>
      newMemory(companyId, { embedding: [1, index, index * index, 0] }),
    );
    await storeMemories(contract.db, stored);
    const facts = stored.map(({ vectors: [vector = fail("no vector")] }) => ({
      vector,
      attributes: [],
      statedAtMost: NOW,
    }));
    let found: RankedCandidate[][] = [];
    const queries = await contract.queriesOf(async () => {
      found = await candidates(companyId, { facts, limit: 1 });
    });
    expect(idsOf(found)).toEqual(stored.map(({ memory }) => [memory.id]));
    expect(queries).toHaveLength(12);
    expect(await candidates(companyId, { facts: [] })).toEqual([]);
    expect(await contract.queriesOf(() => candidates(companyId, { facts: [] }))).toEqual([]);
  });
});

function candidateSearch(): CandidateSearch {
  return {
    tenantId: null,
    now: NOW,
    facts: [factOf([1, 0, 0, 0])],
    limit: 10,
    minSimilarity: 0.5,
  };
}

/** A fact that holds from now on. */
function factOf(vector: readonly number[]): CandidateQuestion {
  return { vector: inTestSpace(vector), attributes: [], statedAtMost: NOW };
}

function idsOf(found: readonly (readonly RankedCandidate[])[]): MemoryId[][] {
  return found.map((candidates) => candidates.map(({ candidate }) => candidate.id));
}
