import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AutoSupersedeOutcome,
  type Candidate,
  type Classification,
  chooseCandidates,
  type JudgedMemory,
  judge,
  notAsked,
  reasonNotToAsk,
  settleWrite,
  type Verdict,
} from "../../src/domain/auto-supersession.ts";
import { createCategoryGate } from "../../src/domain/category-gate.ts";
import type { MemoryId } from "../../src/domain/ids.ts";
import { MAX_SUPERSESSION_CANDIDATES, MIN_CANDIDATE_SIMILARITY } from "../../src/domain/limits.ts";
import { type Memory, temporalFlags } from "../../src/domain/memory.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { previousEnd, requestOf } from "../../src/domain/supersession.ts";
import { zip } from "../../src/domain/zip.ts";
import { memoryFixture, memoryId } from "./memory-fixture.ts";

const NOW = 10_000n;
const GATE = createCategoryGate(DEFAULT_SETTINGS.excludedCategories);
const NO_GATE = createCategoryGate([]);
const IN_HEALTH = { topic: "health_medical" };
const CLASSIFICATION: Classification = {
  supersededIndex: 0,
  confidence: 0.9,
  reason: "The user has moved.",
  model: "rules",
};

describe("D23, D24: what never reaches the classifier", () => {
  test.each<[string, Partial<Memory>, ReturnType<typeof reasonNotToAsk>]>([
    ["a fact that holds", {}, null],
    ["a fact that holds until later", { validTo: 1_001n }, null],
    ["a fact that ended when it was stated", { validTo: 1_000n }, "no_candidates"],
    ["an excluded topic", IN_HEALTH, "excluded_category"],
    ["an excluded word", { decision: "Alice is allergic to nuts" }, "excluded_category"],
    ["an excluded fact that has ended", { ...IN_HEALTH, validTo: 1_000n }, "excluded_category"],
  ])("%s", (_, fields, reason) => {
    expect(reasonNotToAsk(memoryFixture(fields), GATE)).toBe(reason);
  });

  test("nothing is excluded where no category is", () => {
    expect(reasonNotToAsk(memoryFixture(IN_HEALTH), NO_GATE)).toBeNull();
  });
});

describe("D23, D24: the candidates", () => {
  const nearOf = (similarities: readonly number[], fields: Partial<Memory> = {}) =>
    similarities.map((similarity, index) => ({
      candidate: memoryFixture({ id: memoryId(index), ...fields }),
      similarity,
    }));
  const chosen = (...args: Parameters<typeof chooseCandidates>) =>
    chooseCandidates(...args).map(({ id }) => id);

  test("are the nearest first, and among equals in the order in which they were found", () => {
    const near = nearOf([0.6, 0.9, 0.6, 0.7]);
    expect(chosen(near, GATE, new Set())).toEqual([1, 3, 0, 2].map(memoryId));
  });

  test("are as similar as the bar or more", () => {
    const near = nearOf([MIN_CANDIDATE_SIMILARITY - 1e-9, MIN_CANDIDATE_SIMILARITY, Number.NaN]);
    expect(chosen(near, GATE, new Set())).toEqual([memoryId(1)]);
  });

  test("make room for others where one was ended before in the write", () => {
    const near = nearOf(Array.from({ length: MAX_SUPERSESSION_CANDIDATES + 1 }, () => 0.8));
    const ids = near.map(({ candidate }) => candidate.id);
    expect(chosen(near, GATE, new Set())).toEqual(ids.slice(0, -1));
    expect(chosen(near, GATE, new Set(ids.slice(0, 1)))).toEqual(ids.slice(1));
  });

  test("make no room for others where one is excluded: what is farther away is no better", () => {
    const near = [...nearOf([0.9], IN_HEALTH), ...nearOf(Array.from({ length: 20 }, () => 0.8))];
    expect(chosen(near, GATE, new Set())).toHaveLength(MAX_SUPERSESSION_CANDIDATES - 1);
  });

  test("are few, near, not ended and of no excluded category, whatever was found", () => {
    const found = fc.array(
      fc.record({
        candidate: fc
          .record({
            number: fc.nat(30),
            topic: fc.constantFrom("General", "health_medical", "Legal-Status", "Travel"),
            decision: fc.constantFrom("Alice lives in Rome", "Alice has asthma", "a visa expired"),
          })
          .map(({ number, ...fields }) => memoryFixture({ id: memoryId(number), ...fields })),
        similarity: fc.oneof(
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.constantFrom(0.5, 0.9, 1, Number.NaN),
        ),
      }),
      { maxLength: 40 },
    );
    const endedIds = fc.array(fc.nat(30)).map((numbers) => new Set(numbers.map(memoryId)));
    fc.assert(
      fc.property(found, endedIds, (near, ended) => {
        const candidates = chooseCandidates(near, GATE, ended);
        expect(candidates.length).toBeLessThanOrEqual(MAX_SUPERSESSION_CANDIDATES);
        const similarities = candidates.map(
          (candidate) => near.find((each) => each.candidate === candidate)?.similarity ?? 0,
        );
        for (const candidate of candidates) {
          expect(GATE.excludedCategory(candidate)).toBeNull();
          expect(ended.has(candidate.id)).toBe(false);
        }
        for (const similarity of similarities) {
          expect(similarity).toBeGreaterThanOrEqual(MIN_CANDIDATE_SIMILARITY);
        }
        expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
      }),
    );
  });
});

describe("D23: the verdict", () => {
  const candidates: readonly Candidate[] = [1, 2, 3].map((number) =>
    memoryFixture({ id: memoryId(number) }),
  );
  const judged = (fields: Partial<Classification>, minConfidence = 0.85) =>
    judge(candidates, { ...CLASSIFICATION, ...fields }, minConfidence);

  test("ends the candidate that the classifier names", () => {
    const classification = { ...CLASSIFICATION, supersededIndex: 2 };
    expect(judge(candidates, classification, 0.85)).toEqual({
      candidates,
      classification,
      superseded: candidates[2],
      skippedReason: null,
    });
  });

  test("is none where the classifier failed, and says what it was shown", () => {
    expect(judge(candidates, null, 0)).toEqual({
      candidates,
      classification: null,
      superseded: null,
      skippedReason: "classifier_unavailable",
    });
  });

  test.each<[string, Partial<Classification>, number, Verdict["skippedReason"]]>([
    ["exactly the confidence asked for", { confidence: 0.85 }, 0.85, null],
    ["a little less", { confidence: 0.8499 }, 0.85, "below_min_confidence"],
    ["any confidence asked for", { confidence: 0 }, 0, null],
    ["full confidence asked for", { confidence: 1 }, 1, null],
    ["no candidate", { supersededIndex: null }, 0, "not_superseding"],
    ["no candidate, unsure", { supersededIndex: null, confidence: 0 }, 0.85, "not_superseding"],
    ["an index that it was not shown", { supersededIndex: 3 }, 0, "not_superseding"],
    ["a negative index", { supersededIndex: -1 }, 0, "not_superseding"],
    ["half an index", { supersededIndex: 0.5 }, 0, "not_superseding"],
    ["no number as index", { supersededIndex: Number.NaN }, 0, "not_superseding"],
    ["an endless index", { supersededIndex: Number.POSITIVE_INFINITY }, 0, "not_superseding"],
    ["no number as confidence", { confidence: Number.NaN }, 0, "below_min_confidence"],
    ["a confidence above 1", { confidence: 1.01 }, 0, "below_min_confidence"],
    ["an endless one", { confidence: Number.POSITIVE_INFINITY }, 0.01, "below_min_confidence"],
    ["a negative one", { confidence: -0.5 }, 0.01, "below_min_confidence"],
  ])("on %s", (_, fields, minConfidence, skippedReason) => {
    const verdict = judged(fields, minConfidence);
    expect(verdict.skippedReason).toBe(skippedReason);
    expect(verdict.superseded).toBe(skippedReason === null ? candidates[0] : null);
  });

  test.each([Number.NaN, 1.01, -0.01, Number.POSITIVE_INFINITY])(
    "keeps the confidence %d as none",
    (confidence) => {
      expect(judged({ confidence }).classification?.confidence).toBe(0);
    },
  );

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
        const believed = verdict.classification?.confidence ?? Number.NaN;
        expect(believed).toBeGreaterThanOrEqual(0);
        expect(believed).toBeLessThanOrEqual(1);
        expect(verdict.superseded === null).toBe(verdict.skippedReason !== null);
        if (verdict.superseded === null) return;
        expect(candidates[index ?? Number.NaN]).toBe(verdict.superseded);
        expect(confidence).toBeGreaterThanOrEqual(bar);
      }),
    );
  });
});

describe("what comes of a write's verdicts", () => {
  const STORED = memoryFixture({ id: memoryId(1) });
  const factOf = (number: number, fields: Partial<Memory> = {}) =>
    memoryFixture({ id: memoryId(number), createdAt: NOW, validFrom: 5_000n, ...fields });
  /** A verdict that ends a memory; null: one that ends none. */
  const ends = (superseded: Candidate | null): Verdict => ({
    candidates: superseded === null ? [STORED] : [superseded],
    classification: CLASSIFICATION,
    superseded,
    skippedReason: superseded === null ? "not_superseding" : null,
  });
  const outcomesOf = ({ facts }: { facts: readonly { outcome: AutoSupersedeOutcome }[] }) =>
    facts.map(({ outcome }) => outcome);

  test("a fact that replaces a stored memory ends it, and the end is recorded", () => {
    const memory = factOf(2);
    const write = settleWrite([{ memory, verdict: ends(STORED) }], [STORED], "act", NOW);
    const { confidence, reason, model } = CLASSIFICATION;
    const end = { validTo: 5_000n, supersededBy: memory.id, supersededAt: NOW };
    expect(outcomesOf(write)).toEqual([
      {
        ran: true,
        skippedReason: null,
        candidatesExamined: 1,
        supersession: {
          memoryId: STORED.id,
          supersededBy: memory.id,
          validTo: 5_000n,
          confidence,
          reason,
          model,
          applied: true,
        },
      },
    ]);
    expect(write.ended).toEqual([{ ...STORED, ...end }]);
    expect(write.facts.map((fact) => fact.memory)).toEqual([memory]);
    expect(write.events).toEqual([
      {
        memoryId: STORED.id,
        event: "superseded",
        at: NOW,
        actor: "classifier",
        detail: expect.objectContaining({
          superseded_by: memory.id,
          previous_valid_to: null,
          confidence,
          reason,
          model,
        }),
      },
    ]);
    expect(requestOf(write.events[0]?.detail ?? {})).toEqual({
      supersededBy: memory.id,
      validTo: null,
    });
  });

  test.each<[string, Partial<Memory>, Partial<Memory>, bigint]>([
    ["the fact's start", {}, {}, 5_000n],
    ["the memory's start, where the fact's is earlier", { validFrom: 6_000n }, {}, 6_000n],
    ["the fact's start, where the memory would end later", { validTo: 20_000n }, {}, 5_000n],
    [
      "the memory's own end, where the fact starts after it",
      { validTo: NOW + 1n },
      { validFrom: NOW + 2n },
      NOW + 1n,
    ],
  ])("the end is %s", (_, stored, fact, validTo) => {
    const candidate = { ...STORED, ...stored };
    const facts = [{ memory: factOf(2, fact), verdict: ends(candidate) }];
    const { ended, events } = settleWrite(facts, [candidate], "act", NOW);
    expect(ended.map((memory) => memory.validTo)).toEqual([validTo]);
    expect(previousEnd(events[0]?.detail ?? {})).toBe(candidate.validTo);
  });

  test("a fact for which the classifier was not asked, or failed, ends nothing and says why", () => {
    const facts = [
      { memory: factOf(2), verdict: notAsked("disabled") },
      { memory: factOf(3), verdict: judge([STORED, STORED], null, 0) },
      { memory: factOf(4), verdict: ends(null) },
    ];
    const write = settleWrite(facts, [], "act", NOW);
    const outcome = { supersession: null };
    expect(outcomesOf(write)).toEqual([
      { ...outcome, ran: false, candidatesExamined: 0, skippedReason: "disabled" },
      { ...outcome, ran: true, candidatesExamined: 2, skippedReason: "classifier_unavailable" },
      { ...outcome, ran: true, candidatesExamined: 1, skippedReason: "not_superseding" },
    ]);
    expect({ ended: write.ended, events: write.events }).toEqual({ ended: [], events: [] });
    expect(write.facts).toEqual(
      zip(facts, outcomesOf(write)).map(([f, o]) => ({ ...f, outcome: o })),
    );
  });

  test.each<[string, readonly Memory[]]>([
    ["superseded", [{ ...STORED, validTo: 9n, supersededAt: 9n, supersededBy: memoryId(9) }]],
    ["ended without a replacement", [{ ...STORED, validTo: NOW + 1n, supersededAt: 9n }]],
    ["expired", [{ ...STORED, validTo: NOW }]],
    ["erased", []],
  ])("a candidate that was %s meanwhile stays as it is", (_, locked) => {
    const facts = [{ memory: factOf(2), verdict: ends(STORED) }];
    const write = settleWrite(facts, locked, "act", NOW);
    expect(outcomesOf(write)).toMatchObject([
      { ran: true, candidatesExamined: 1, skippedReason: "no_candidates", supersession: null },
    ]);
    expect({ ended: write.ended, events: write.events }).toEqual({ ended: [], events: [] });
  });

  test("of two facts that replace the same memory, the first does", () => {
    const facts = [factOf(2), factOf(3)].map((memory) => ({ memory, verdict: ends(STORED) }));
    const write = settleWrite(facts, [STORED], "act", NOW);
    expect(outcomesOf(write).map(({ skippedReason }) => skippedReason)).toEqual([
      null,
      "no_candidates",
    ]);
    expect(write.ended.map(({ supersededBy }) => supersededBy)).toEqual([memoryId(2)]);
    expect(write.events).toHaveLength(1);
  });

  test("a fact that a later fact of the write replaces is stored as superseded by it", () => {
    const [first, second, third] = [factOf(2), factOf(3, { validFrom: 6_000n }), factOf(4)];
    const facts = [
      { memory: first, verdict: ends(STORED) },
      { memory: second, verdict: ends(first) },
      { memory: third, verdict: ends(second) },
    ];
    const write = settleWrite(facts, [STORED], "act", NOW);
    expect(write.facts.map(({ memory }) => memory)).toEqual([
      { ...first, validTo: 6_000n, supersededBy: second.id, supersededAt: NOW },
      { ...second, validTo: 6_000n, supersededBy: third.id, supersededAt: NOW },
      third,
    ]);
    expect(write.ended.map(({ id, supersededBy }) => [id, supersededBy])).toEqual([
      [STORED.id, first.id],
    ]);
    expect(write.events.map((event) => event.memoryId)).toEqual([STORED.id, first.id, second.id]);
  });

  test("in shadow mode nothing ends, and the outcome says what would have", () => {
    const [first, second] = [factOf(2), factOf(3)];
    const facts = [
      { memory: first, verdict: ends(STORED) },
      { memory: second, verdict: ends(first) },
    ];
    const acted = settleWrite(facts, [STORED], "act", NOW);
    const shadow = settleWrite(facts, [STORED], "shadow", NOW);
    expect(outcomesOf(shadow)).toEqual(outcomesOf(acted).map(notApplied));
    expect(shadow.facts.map(({ memory }) => memory)).toEqual([first, second]);
    expect({ ended: shadow.ended, events: shadow.events }).toEqual({ ended: [], events: [] });
  });

  const notApplied = (outcome: AutoSupersedeOutcome): AutoSupersedeOutcome => ({
    ...outcome,
    supersession: outcome.supersession && { ...outcome.supersession, applied: false },
  });

  /** Facts that replace any stored memory or earlier fact, locked or not, several the same one. */
  const anyWrite = fc
    .record({
      stored: fc.array(
        fc.record({
          isLocked: fc.boolean(),
          fields: fc.constantFrom<Partial<Memory>>(
            {},
            {},
            { validTo: NOW + 1n },
            { validTo: NOW },
            { validFrom: 8_000n },
            { validTo: 2_000n, supersededAt: 9n, supersededBy: memoryId(99) },
            { validTo: NOW + 5n, supersededAt: 9n },
          ),
        }),
        { maxLength: 5 },
      ),
      facts: fc.array(
        fc.record({
          target: fc.option(fc.nat(12)),
          validFrom: fc.bigInt({ min: 1n, max: 2n * NOW }),
          isEnding: fc.boolean(),
        }),
        { maxLength: 8 },
      ),
    })
    .map(({ stored, facts }) => {
      const memories = stored.map(({ fields }, index) =>
        memoryFixture({ id: memoryId(index + 1), ...fields }),
      );
      const judged: JudgedMemory[] = [];
      for (const [index, { target, validFrom, isEnding }] of facts.entries()) {
        const earlier = [...memories, ...judged.map(({ memory }) => memory)];
        const superseded = (target === null ? null : earlier[target]) ?? null;
        const validTo = isEnding ? validFrom + 3n * NOW : null;
        judged.push({
          memory: factOf(index + 20, { validFrom, validTo }),
          verdict: ends(superseded),
        });
      }
      const locked = memories.filter((_, index) => stored[index]?.isLocked);
      return { memories, judged, locked };
    });

  test("whatever the verdicts, each memory ends at most once, by one that comes later", () => {
    fc.assert(
      fc.property(anyWrite, ({ memories, judged, locked }) => {
        const write = settleWrite(judged, locked, "act", NOW);
        expect(write.facts.map(({ memory }) => memory.id)).toEqual(
          judged.map(({ memory }) => memory.id),
        );
        const supersessions = outcomesOf(write).flatMap(({ supersession, skippedReason }) => {
          expect(supersession === null).toBe(skippedReason !== null);
          return supersession ?? [];
        });
        const endedIds = supersessions.map((supersession) => supersession.memoryId);
        expect(new Set(endedIds).size).toBe(endedIds.length);
        expect(write.events.map((event) => event.memoryId)).toEqual(endedIds);

        const before = new Map([...memories, ...judged.map(({ memory }) => memory)].map(byId));
        const after = new Map([...before.values(), ...write.ended].map(byId));
        for (const { memory } of write.facts) after.set(memory.id, memory);
        const ofFacts = new Set(judged.map(({ memory }) => memory.id));
        expect(write.ended.map(({ id }) => id)).toEqual(
          locked.map(({ id }) => id).filter((id) => endedIds.includes(id)),
        );
        for (const [id, memory] of after) {
          const earlier = before.get(id);
          const supersession = supersessions.find((each) => each.memoryId === id);
          if (supersession === undefined) {
            expect(memory).toEqual(earlier);
            continue;
          }
          const { validTo, supersededBy } = supersession;
          expect(memory).toEqual({ ...earlier, validTo, supersededBy, supersededAt: NOW });
          expect(temporalFlags(earlier ?? memory, NOW).isCurrent).toBe(true);
          expect(validTo >= memory.validFrom).toBe(true);
          expect(ofFacts.has(supersededBy) && supersededBy > id).toBe(true);
          expect(supersession.applied).toBe(true);
        }
      }),
    );
  });

  test("whatever the verdicts, a chain that a write makes has exactly one memory without an end", () => {
    fc.assert(
      fc.property(anyWrite, ({ judged, locked }) => {
        const write = settleWrite(judged, locked, "act", NOW);
        const after = new Map(
          [...write.ended, ...write.facts.map(({ memory }) => memory)].map(byId),
        );
        const heads = new Map<MemoryId, number>();
        for (const memory of after.values()) {
          let head = memory;
          for (let steps = 0; head.supersededBy !== null; steps++) {
            expect(steps).toBeLessThan(after.size);
            head = after.get(head.supersededBy) ?? expect.fail("a replacement that is not there");
          }
          expect(head.supersededAt).toBeNull();
          heads.set(head.id, (heads.get(head.id) ?? 0) + 1);
        }
        const current = [...after.values()].filter(({ supersededAt }) => supersededAt === null);
        expect(current).toHaveLength(heads.size);
      }),
    );
  });

  test("whatever the verdicts, shadow mode changes nothing and tells the same", () => {
    fc.assert(
      fc.property(anyWrite, ({ judged, locked }) => {
        // No fact is shown a memory that an earlier one would have ended.
        const named = judged.map(({ verdict }) => verdict.superseded?.id);
        const once = judged.filter(({ verdict }, index) => {
          const id = verdict.superseded?.id;
          return id === undefined || named.indexOf(id) === index;
        });
        const shadow = settleWrite(once, locked, "shadow", NOW);
        expect(shadow.ended).toEqual([]);
        expect(shadow.events).toEqual([]);
        expect(shadow.facts.map(({ memory }) => memory)).toEqual(once.map(({ memory }) => memory));
        expect(outcomesOf(shadow)).toEqual(
          outcomesOf(settleWrite(once, locked, "act", NOW)).map(notApplied),
        );
      }),
    );
  });
});

function byId(memory: Memory): [MemoryId, Memory] {
  return [memory.id, memory];
}
