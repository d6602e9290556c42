import type { CompanyId, MemoryId } from "../../../src/domain/ids.ts";
import type { MemoryFilters, Metadata } from "../../../src/domain/memory.ts";
import type { NewMemory } from "../../../src/storage/memory-writes.ts";
import type { MemorySearch } from "../../../src/storage/search-scope.ts";
import { inTestSpace, minutes, NO_FILTERS, NOW, newMemory } from "./fixture.ts";
import type { Random } from "./random.ts";
import type { OracleMemory } from "./search-oracle.ts";

/** Scores that differ by less are of products of single precision. */
const ROUNDING = 1e-6;
const SOURCES = ["agent", "crm"];
const TOPICS = ["General", "Home"];

/** How a search's answer differs from the oracle's, but for scores that are as good as equal; null: it does not. */
export function differenceFrom(
  ranked: readonly OracleMemory[],
  ids: readonly MemoryId[],
  limit: number,
): string | null {
  const expected = ranked.slice(0, limit).map(({ id }) => id);
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  const scoreOf = (id: MemoryId | undefined) => scores.get(id as MemoryId) ?? Number.NaN;
  if (new Set(ids).size !== expected.length || ids.length !== expected.length) {
    return `${new Set(ids).size} memories in ${ids.length} places, and not ${expected.length}`;
  }
  const wrong = ids.findIndex((id, i) => {
    const isSame = id === expected[i];
    return !isSame && !(Math.abs(scoreOf(id) - scoreOf(expected[i])) < ROUNDING);
  });
  if (wrong === -1) return null;
  return `${ids[wrong]} in place ${wrong}, and not ${expected[wrong]}`;
}

/** Of unit length, as those of embedders. */
export function randomVector(random: Random): number[] {
  const numbers = Array.from({ length: 4 }, () => random.below(100) - 50);
  const length = Math.hypot(...numbers) || 1;
  return numbers.map((number) => number / length);
}

export function randomMemory(companyId: CompanyId, random: Random): NewMemory {
  const numbers = [...new Set(Array.from({ length: random.below(9) }, () => random.below(30)))];
  const isSuperseded = random.below(8) === 0;
  const ends = isSuperseded || random.below(6) === 0;
  return newMemory(companyId, {
    tenantId: random.of([null, null, null, "other"]),
    source: random.of(SOURCES),
    topic: random.of(TOPICS),
    metadata: random.of<Metadata>([{}, { project: "apollo" }, { project: "apollo", user: "ada" }]),
    createdAt: NOW - minutes(random.below(20)),
    validFrom: NOW - minutes(100 + random.below(10)),
    validTo: ends ? NOW + minutes(random.below(20) - 10) : null,
    supersededAt: isSuperseded ? NOW : null,
    provenance: { sessionId: random.of([null, "a", "b", "c"]) },
    embedding: randomVector(random),
    terms: {
      numbers: numbers.sort((a, b) => a - b),
      length: numbers.length === 0 ? 0 : numbers.length + random.below(5),
    },
  });
}

/** Each of a few, so that they leave something. */
function randomFilters(random: Random): MemoryFilters {
  const moment = () => random.of([null, null, NOW - minutes(random.below(20))]);
  return {
    asOf: random.of([null, NOW - minutes(105), NOW, NOW + minutes(5)]),
    knownAt: moment(),
    sessionId: random.of([null, null, null, "a"]),
    topic: random.of([null, null, ...TOPICS]),
    createdAfter: moment(),
    createdBefore: moment(),
    metadata: random.of<Metadata>([{}, {}, { project: "apollo" }, { user: "ada" }]),
  };
}

export function randomSearch(random: Random): MemorySearch {
  const size = random.of([0, 1, 3, 4, 5, 8, 12, 24, 25, 48, 120]);
  const asked = Array.from({ length: size }, () => random.below(size < 48 ? 40 : 500));
  return {
    tenantIds: random.of([[null], [null], ["other"], [null, "other"], ["other", "nobody's"]]),
    sources: random.of([null, null, null, ["agent"], SOURCES, []]),
    ...(random.below(2) === 0 ? NO_FILTERS : randomFilters(random)),
    now: NOW,
    vector: inTestSpace(randomVector(random)),
    terms: [...new Set(asked)],
    space: { provider: random.of(["any", "local"]) },
    limit: random.of([1, 3, 10, 100]),
  };
}
