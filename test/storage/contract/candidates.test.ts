import { fail } from "node:assert/strict";
import { describe, expect, test } from "vitest";
import type { RankedCandidate } from "../../../src/domain/auto-supersession.ts";
import type { Vector } from "../../../src/domain/embedding.ts";
import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import type { Instant } from "../../../src/domain/instant.ts";
import {
  type CandidateQuestion,
  type CandidateSearch,
  findCandidates,
  findVectors,
} from "../../../src/storage/candidates.ts";
import type { NewMemory } from "../../../src/storage/memory-writes.ts";
import { TEST_ENGINES } from "../../support/database.ts";
import {
  inTestSpace,
  minutes,
  NOW,
  newCompanyId,
  newMemory,
  newMemoryId,
  storeMemories,
  storeMemory,
  supersede,
  TEST_SPACE,
  TEST_SPACE_ID,
} from "./fixture.ts";
import { type Random, randomFrom } from "./random.ts";
import { useStorage } from "./storage.ts";

const TENANTS = [null, "one", "two"] as const;
const MEMORIES = 400;
const SEARCHES = 12;

describe.for(TEST_ENGINES)("candidates on %s", (engine) => {
  const contract = useStorage(engine);

  async function candidates(companyId: CompanyId, fields: Partial<CandidateSearch> = {}) {
    const found = await findCandidates(contract.db.of(companyId), {
      ...candidateSearch(),
      ...fields,
    });
    return found?.ofFacts ?? fail("the space is not the active one");
  }

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
    const more = { hasSameAttribute: false, category: "health_medical" };
    expect(await candidates(companyId)).toEqual([[{ candidate, similarity: 0.5, ...more }]]);
    const vectors = findVectors(contract.db.of(companyId), TEST_SPACE_ID, [id, newMemoryId()]);
    expect(await vectors).toEqual(new Map([[id, Float32Array.of(0.5, 0.5, -0.5, 0.5)]]));
    const others = findVectors(contract.db.of(newCompanyId()), TEST_SPACE_ID, [id]);
    expect(await others).toEqual(new Map());
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

  test("of no facts are no statement, of many facts few, in the order of the facts", async () => {
    const companyId = newCompanyId();
    const stored = Array.from({ length: 60 }, (_, index) =>
      newMemory(companyId, { embedding: [Math.cos(index / 60), Math.sin(index / 60), 0, 0] }),
    );
    await storeMemories(contract.db, stored);
    const facts = stored.map(({ vectors: [vector = fail("no vector")] }) => ({
      vector,
      attributes: [],
      opening: null,
      statedAtMost: NOW,
    }));
    let found: readonly (readonly RankedCandidate[])[] = [];
    const queries = await contract.queriesOf(async () => {
      found = await candidates(companyId, { facts, limit: 1 });
    });
    expect(idsOf(found)).toEqual(stored.map(({ memory }) => [memory.id]));
    expect(queries).toHaveLength(12);
    expect(await candidates(companyId, { facts: [] })).toEqual([]);
    expect(await contract.queriesOf(() => candidates(companyId, { facts: [] }))).toEqual([]);
  });

  test(`${SEARCHES} searches for candidates among ${MEMORIES} memories equal a full sort`, async () => {
    const random = randomFrom(20_260_504);
    const companyId = newCompanyId();
    const stored = Array.from({ length: MEMORIES }, () => randomMemory(companyId, random));
    await storeMemories(contract.db, stored);
    for (let count = 0; count < SEARCHES; count++) {
      const wanted = randomCandidateSearch(random);
      expect(idsOf(await candidates(companyId, wanted))).toEqual(
        wanted.facts.map((fact) =>
          fullSort(stored, wanted, fact.vector.vector)
            .filter(({ memory }) => memory.validFrom <= fact.statedAtMost)
            .filter(({ similarity }) => similarity >= wanted.minSimilarity)
            .slice(0, wanted.limit)
            .map(({ memory }) => memory.id),
        ),
      );
    }
  });
});

function candidateSearch(): CandidateSearch {
  return {
    tenantId: null,
    now: NOW,
    writtenAt: NOW,
    facts: [factOf([1, 0, 0, 0])],
    limit: 10,
    minSimilarity: 0.5,
  };
}

/** A fact that holds from now on. */
function factOf(vector: readonly number[]): CandidateQuestion {
  return { vector: inTestSpace(vector), attributes: [], opening: null, statedAtMost: NOW };
}

function idsOf(found: readonly (readonly RankedCandidate[])[]): MemoryId[][] {
  return found.map((candidates) => candidates.map(({ candidate }) => candidate.id));
}

/** Of unit length, and of few values, so that many memories are equally similar. */
function randomVector(random: Random): number[] {
  const sign = () => random.of([1, -1]);
  if (random.below(2) === 0) return Array.from({ length: TEST_SPACE.dimensions }, () => sign() / 2);
  const axis = random.below(TEST_SPACE.dimensions);
  return Array.from({ length: TEST_SPACE.dimensions }, (_, i) => (i === axis ? sign() : 0));
}

function randomMemory(companyId: CompanyId, random: Random): NewMemory {
  const validFrom = randomTime(random);
  const isSuperseded = random.below(4) === 0;
  const hasEnd = isSuperseded || random.below(3) === 0;
  return newMemory(companyId, {
    tenantId: random.of(TENANTS),
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
    opening: null,
    statedAtMost: randomTime(random),
  }));
  return {
    tenantId: random.of(TENANTS),
    now: randomTime(random),
    writtenAt: NOW,
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
  { now, tenantId }: Pick<CandidateSearch, "tenantId" | "now">,
  asked: Vector,
) {
  return memories
    .filter(
      ({ memory }) =>
        memory.tenantId === tenantId &&
        memory.supersededAt === null &&
        (memory.validTo === null || memory.validTo > now),
    )
    .map(({ memory, vectors: [own] }) => ({
      memory,
      similarity: dot(own?.vector ?? fail("no vector"), asked),
    }))
    .toSorted((a, b) => b.similarity - a.similarity || (a.memory.id < b.memory.id ? 1 : -1));
}

function dot(a: Vector, b: Vector): number {
  return Array.from(a).reduce(
    (sum, value, index) => sum + value * (b[index] ?? fail("other dimensions")),
    0,
  );
}
