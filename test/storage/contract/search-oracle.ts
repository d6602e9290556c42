import type { Vector } from "../../../src/domain/embedding.ts";
import type { MemoryId } from "../../../src/domain/ids.ts";
import type { NewMemory } from "../../../src/storage/memory-writes.ts";
import type { MemorySearch } from "../../../src/storage/search-scope.ts";

/** A memory as the oracle ranks it. */
export interface OracleMemory {
  readonly id: MemoryId;
  readonly score: number;
}

interface Scored {
  readonly stored: NewMemory;
  readonly cosine: number;
  readonly words: number;
  score: number;
}

/**
 * What a search must find, by another way: in memory, one memory at a time, from the
 * rules alone. Best first, newest first among equals.
 */
export function rankAll(memories: readonly NewMemory[], search: MemorySearch): OracleMemory[] {
  const scope = memories.filter(
    (stored) => isKnown(stored.memory, search) && isSeen(stored, search),
  );
  const terms = countingTerms(search.terms, scope);
  const weights = new Map(terms.map((term) => [term, weightOf(term, scope)]));
  const scored = scope.map((stored): Scored => {
    const matched = stored.terms.numbers.map((number) => weights.get(number) ?? 0);
    const sum = matched.reduce((total, weight) => total + weight, 0);
    const words = sum / (1 + Math.min(stored.terms.length, 500) / 100);
    return { stored, cosine: cosineTo(stored, search), words, score: 0 };
  });
  const byWords = standardized(scored.map(({ words }) => words));
  const byVector = standardized(scored.map(({ cosine }) => cosine));
  for (const [i, each] of scored.entries()) {
    const w = search.space.provider === "local" ? 0.5 : 0.3;
    each.score = w * (byWords[i] ?? 0) + (1 - w) * (byVector[i] ?? 0);
  }
  const best = scored.toSorted(byScore).slice(0, Math.max(20, 2 * search.limit));
  const conversations = new Set(best.map(({ stored }) => sessionOf(stored)));
  return scored
    .filter((each) => {
      const session = sessionOf(each.stored);
      return session === null ? best.includes(each) : conversations.has(session);
    })
    .map((each) => ({
      id: each.stored.memory.id,
      score: each.score + fromConversation(each, scored),
    }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1));
}

/** All of the question's terms, or of more than 48 the rarest that a memory has. */
function countingTerms(terms: readonly number[], scope: readonly NewMemory[]): readonly number[] {
  if (terms.length <= 48) return terms;
  return terms
    .filter((term) => countOf(term, scope) > 0)
    .toSorted((a, b) => countOf(a, scope) - countOf(b, scope))
    .slice(0, 48);
}

function countOf(term: number, scope: readonly NewMemory[]): number {
  return scope.filter(({ terms }) => terms.numbers.includes(term)).length;
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || (a.stored.memory.id < b.stored.memory.id ? 1 : -1);
}

/** Tenants may give their conversations the same labels. */
function sessionOf({ memory, provenance }: NewMemory): string | null {
  return provenance.sessionId && JSON.stringify([memory.tenantId, provenance.sessionId]);
}

/** No memory here ends after it was written, so what was known of one is what is stored. */
function isKnown(memory: NewMemory["memory"], search: MemorySearch): boolean {
  const wasTold = search.knownAt === null || memory.createdAt <= search.knownAt;
  const isOfTime = search.asOf !== null || memory.supersededAt === null;
  const isOfTenants = search.tenantIds?.includes(memory.tenantId) ?? true;
  return isOfTenants && wasTold && isOfTime;
}

function isSeen({ memory, provenance }: NewMemory, search: MemorySearch): boolean {
  const { now, asOf, sources, sessionId, topic, createdAfter, createdBefore } = search;
  const at = asOf ?? now;
  return (
    (asOf === null || memory.validFrom <= asOf) &&
    (memory.validTo === null || memory.validTo > at) &&
    (sources === null || sources.includes(memory.source)) &&
    (sessionId === null || provenance.sessionId === sessionId) &&
    (topic === null || memory.topic === topic) &&
    (createdAfter === null || memory.createdAt > createdAfter) &&
    (createdBefore === null || memory.createdAt < createdBefore) &&
    Object.entries(search.metadata).every(([key, text]) => memory.metadata[key] === text)
  );
}

function weightOf(term: number, scope: readonly NewMemory[]): number {
  const having = scope.filter(({ terms }) => terms.numbers.includes(term)).length;
  return Math.log(1 + (scope.length - having + 0.5) / (having + 0.5));
}

/** The conversation is made of the memories that the search sees. */
function fromConversation({ stored, score }: Scored, scored: readonly Scored[]): number {
  const session = sessionOf(stored);
  if (session === null) return 0.2 * Math.max(0, score);
  const line = scored
    .filter((each) => sessionOf(each.stored) === session)
    .toSorted((a, b) => (a.stored.memory.id < b.stored.memory.id ? -1 : 1));
  const at = line.findIndex((each) => each.stored === stored);
  const from = (step: number) => Math.max(0, line[at + step]?.score ?? 0);
  const best = Math.max(0, ...line.map((each) => each.score));
  return 0.3 * (from(-1) + from(1)) + 0.15 * (from(-2) + from(2)) + 0.2 * best;
}

function cosineTo({ vectors: [own] }: NewMemory, { vector: { vector } }: MemorySearch): number {
  const dot = (a: Vector, b: Vector) =>
    Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  const stored = own?.vector ?? [];
  const lengths = Math.sqrt(dot(stored, stored) * dot(vector, vector));
  return lengths === 0 ? 0 : dot(stored, vector) / lengths;
}

/** Each as deviations from the mean; 0 where all are alike. */
function standardized(values: readonly number[]): number[] {
  const middle = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
  return values.map((value) => (deviation < 1e-6 ? 0 : (value - middle) / deviation));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
