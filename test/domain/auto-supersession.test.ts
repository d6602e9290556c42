import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Candidate,
  chooseCandidates,
  judge,
  notAsked,
  reasonNotToAsk,
  spellingOf,
  type Verdict,
  withRepeats,
} from "../../src/domain/auto-supersession.ts";
import type { MemoryId } from "../../src/domain/ids.ts";
import { MAX_SUPERSESSION_CANDIDATES } from "../../src/domain/limits.ts";
import type { Memory } from "../../src/domain/memory.ts";
import { classificationOf, type ScriptedClassification } from "../support/classification.ts";
import { memoryFixture, memoryId } from "./memory-fixture.ts";

const NONE: ReadonlySet<MemoryId> = new Set();
const DECISION = { confidence: 0.9, reason: "The user has moved.", model: "rules" };

function candidateOf(number: number): Candidate {
  return asCandidate(memoryFixture({ id: memoryId(number) }));
}

/** Stated at its start. */
function asCandidate(memory: Memory): Candidate {
  return { ...memory, statedAt: memory.validFrom };
}

describe("D23, D24: what never reaches the classifier", () => {
  const excluded = new Set([memoryId(7)]);
  test.each<[string, Partial<Memory>, ReturnType<typeof reasonNotToAsk>]>([
    ["a fact that holds", {}, null],
    ["a fact that holds until later", { validTo: 1_001n }, null],
    ["a fact that ended when it was stated", { validTo: 1_000n }, "no_candidates"],
    ["an excluded fact", { id: memoryId(7) }, "excluded_category"],
    ["an excluded fact that has ended", { id: memoryId(7), validTo: 1_000n }, "excluded_category"],
  ])("%s", (_, fields, reason) => {
    expect(reasonNotToAsk(memoryFixture(fields), excluded)).toBe(reason);
  });
});

describe("D23, D24: the candidates", () => {
  const nearOf = (similarities: readonly number[]) =>
    similarities.map((similarity, index) => ({
      candidate: candidateOf(index),
      similarity,
      hasSameAttribute: false,
    }));
  const chosen = (...args: Parameters<typeof chooseCandidates>) =>
    chooseCandidates(...args).map(({ candidate }) => candidate.id);

  test("D23 same attribute: are first those about the same attribute, however similar", () => {
    const near = nearOf([0.9, 0.1, 0.8]).map((each, index) => ({
      ...each,
      hasSameAttribute: index === 1,
    }));
    expect(chosen(near, NONE, NONE)).toEqual([1, 0, 2].map(memoryId));
  });

  test("make room for others where one was ended before in the write", () => {
    const near = nearOf(Array.from({ length: MAX_SUPERSESSION_CANDIDATES + 1 }, () => 0.8));
    const ids = near.map(({ candidate }) => candidate.id);
    expect(chosen(near, NONE, NONE)).toEqual(ids.slice(0, -1));
    expect(chosen(near, NONE, new Set(ids.slice(0, 1)))).toEqual(ids.slice(1));
  });

  test("make no room for others where one is excluded: what is farther away is no better", () => {
    const near = nearOf([0.9, ...Array.from({ length: 20 }, () => 0.8)]);
    expect(chosen(near, new Set([memoryId(0)]), NONE)).toHaveLength(
      MAX_SUPERSESSION_CANDIDATES - 1,
    );
  });

  test("are few, the nearest, not ended and of no excluded category, whatever was found", () => {
    const found = fc.array(
      fc.record({
        candidate: fc.nat(30).map(candidateOf),
        similarity: fc.double({ min: 0, max: 1, noNaN: true }),
        hasSameAttribute: fc.constant(false),
      }),
      { maxLength: 40 },
    );
    const someIds = fc.array(fc.nat(30)).map((numbers) => new Set(numbers.map(memoryId)));
    fc.assert(
      fc.property(found, someIds, someIds, (near, excluded, ended) => {
        const candidates = chooseCandidates(near, excluded, ended);
        expect(candidates.length).toBeLessThanOrEqual(MAX_SUPERSESSION_CANDIDATES);
        const similarities = candidates.map(({ similarity }) => similarity);
        for (const { candidate } of candidates) {
          expect(excluded.has(candidate.id)).toBe(false);
          expect(ended.has(candidate.id)).toBe(false);
        }
        expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
      }),
    );
  });
});

describe("D23: the verdict", () => {
  const candidates: readonly Candidate[] = [1, 2, 3].map(candidateOf);
  const judged = (fields: ScriptedClassification, minConfidence = 0.85) =>
    judge(
      candidates,
      classificationOf({ supersededIndex: 0, ...DECISION, ...fields }),
      minConfidence,
    );

  test("ends all candidates that are named surely enough, the surest first, each once", () => {
    const classification = {
      ...classificationOf({ model: "rules" }),
      superseded: [
        { index: 7, confidence: 0.99, reason: "of none" },
        { index: 0, confidence: 0.86, reason: "a" },
        { index: 1, confidence: 0.5, reason: "b" },
        { index: 2, confidence: 0.9, reason: "c" },
        { index: 0, confidence: 0.85, reason: "d" },
      ],
    };
    const { superseded, decision } = judge(candidates, classification, 0.85);
    expect(superseded).toEqual([
      { candidate: candidates[2], confidence: 0.9, reason: "c", model: "rules" },
      { candidate: candidates[0], confidence: 0.86, reason: "a", model: "rules" },
    ]);
    expect(decision).toEqual({ confidence: 0.9, reason: "c", model: "rules" });
  });

  test.each<[string, ScriptedClassification, number, Verdict["skippedReason"]]>([
    ["exactly the confidence asked for", { confidence: 0.85 }, 0.85, null],
    ["a little less", { confidence: 0.8499 }, 0.85, "below_min_confidence"],
    ["any confidence asked for", { confidence: 0 }, 0, null],
    ["no candidate", { supersededIndex: null }, 0, "not_superseding"],
    ["an index that it was not shown", { supersededIndex: 3 }, 0, "not_superseding"],
    ["no number as index", { supersededIndex: Number.NaN }, 0, "not_superseding"],
    ["no number as confidence", { confidence: Number.NaN }, 0, "below_min_confidence"],
    ["a confidence above 1", { confidence: 1.01 }, 0, "below_min_confidence"],
    ["an endless one", { confidence: Number.POSITIVE_INFINITY }, 0.01, "below_min_confidence"],
    ["a negative one", { confidence: -0.5 }, 0.01, "below_min_confidence"],
  ])("on %s", (_, fields, minConfidence, skippedReason) => {
    const verdict = judged(fields, minConfidence);
    expect(verdict.skippedReason).toBe(skippedReason);
    expect(verdict.superseded.map(({ candidate }) => candidate)).toEqual(
      skippedReason === null ? [candidates[0]] : [],
    );
  });

  test("below the confidence asked for, nothing ends, whatever a model returns", () => {
    const anyNumber = fc.oneof(
      fc.double(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(Number.NaN, -0, 1, 2),
    );
    const supersededIndex = fc.option(fc.oneof(fc.integer({ min: -2, max: 4 }), fc.double()));
    const minConfidence = fc.double({ min: Number.MIN_VALUE, max: 1, noNaN: true });
    fc.assert(
      fc.property(supersededIndex, anyNumber, minConfidence, (index, confidence, bar) => {
        const verdict = judged({ supersededIndex: index, confidence }, bar);
        const believed = verdict.decision?.confidence ?? Number.NaN;
        expect(believed).toBeGreaterThanOrEqual(0);
        expect(believed).toBeLessThanOrEqual(1);
        expect(verdict.superseded.length === 0).toBe(verdict.skippedReason !== null);
        const [only] = verdict.superseded;
        if (only === undefined) return;
        expect(candidates[index ?? Number.NaN]).toBe(only.candidate);
        expect(confidence).toBeGreaterThanOrEqual(bar);
      }),
    );
  });
});

describe("D23 repeats: what is said again in the same words", () => {
  test.each([
    ["Alice lives in Bern", "alice  lives in Bern."],
    ["José est né à Nîmes", "Jose est ne a Nimes!"],
  ])("%s / %s", (a, b) => expect(spellingOf(a) === spellingOf(b)).toBe(true));
  test.each([
    ["Alice lives in Bern", "Alice lived in Bern"],
    ["The user writes C", "The user writes C++"],
    ["It is 5 degrees", "It is -5 degrees"],
    ["The price is 1.5", "The price is 15"],
    ["The door is open", "The door is open?"],
  ])("but not %s / %s", (a, b) => expect(spellingOf(a) === spellingOf(b)).toBe(false));

  test("in a text of stops, in time that grows as the text does", () => {
    const stops = ".".repeat(400_000);
    expect(spellingOf(`Well${stops}`)).toBe(spellingOf("Well"));
    expect(spellingOf(`Well${stops}?`)).not.toBe(spellingOf("Well"));
  });

  test("ends, whatever the classifier says of the others", () => {
    const [repeat, other] = [candidateOf(1), candidateOf(2)];
    const verdict = withRepeats(judge([other], null, 1), [repeat]);
    expect(verdict).toMatchObject({ candidates: [repeat, other], skippedReason: null });
    expect(verdict.superseded).toMatchObject([{ candidate: repeat, confidence: 1 }]);
    const none = notAsked("no_candidates");
    expect(withRepeats(none, [])).toBe(none);
  });
});
