import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  AutoSupersedeOutcome,
  Candidate,
  Verdict,
} from "../../src/domain/auto-supersession.ts";
import type { MemoryId } from "../../src/domain/ids.ts";
import { type Memory, temporalFlags } from "../../src/domain/memory.ts";
import { type JudgedStatement, previousEnd, settleWrite } from "../../src/domain/supersession.ts";
import { memoryFixture, memoryId } from "./memory-fixture.ts";

const NOW = 10_000n;
const DECISION = { confidence: 0.9, reason: "The user has moved.", model: "rules" };

describe("what comes of a write's verdicts", () => {
  const STORED = memoryFixture({ id: memoryId(1) });
  const factOf = (number: number, fields: Partial<Memory> = {}) =>
    memoryFixture({ id: memoryId(number), createdAt: NOW, validFrom: 5_000n, ...fields });
  /** A verdict that ends these memories. */
  const ends = (...superseded: readonly Memory[]): Verdict => ({
    candidates: (superseded.length === 0 ? [STORED] : superseded).map(asCandidate),
    decision: DECISION,
    superseded: superseded.map((memory) => ({ candidate: asCandidate(memory), ...DECISION })),
    skippedReason: superseded.length === 0 ? "not_superseding" : null,
  });
  const stating = (memory: Memory, verdict: Verdict): JudgedStatement => ({
    memory,
    statedAt: memory.validFrom,
    verdict,
    retractedBy: null,
  });
  const outcomesOf = ({ facts }: { facts: readonly { outcome: AutoSupersedeOutcome }[] }) =>
    facts.map(({ outcome }) => outcome);

  test.each<[string, Partial<Memory>, Partial<Memory>, bigint]>([
    ["the fact's start", {}, {}, 5_000n],
    ["the fact's start, where the memory starts later", { validFrom: 6_000n }, {}, 5_000n],
    [
      "the memory's own end, where the fact starts after it",
      { validTo: NOW + 1n },
      { validFrom: NOW + 2n },
      NOW + 1n,
    ],
  ])("the end is %s", (_, stored, fact, validTo) => {
    const candidate = { ...STORED, ...stored };
    const facts = [stating(factOf(2, fact), ends(candidate))];
    const { ended, events } = settleWrite(facts, [candidate], "act", NOW);
    expect(ended.map((memory) => memory.validTo)).toEqual([validTo]);
    expect(previousEnd(events[0]?.detail ?? {})).toBe(candidate.validTo);
  });

  test.each<[string, readonly Memory[]]>([
    ["superseded", [{ ...STORED, validTo: 9n, supersededAt: 9n, supersededBy: memoryId(9) }]],
    ["expired", [{ ...STORED, validTo: NOW }]],
    ["erased", []],
  ])("a candidate that was %s meanwhile stays as it is", (_, locked) => {
    const facts = [stating(factOf(2), ends(STORED))];
    const write = settleWrite(facts, locked, "act", NOW);
    expect(outcomesOf(write)).toMatchObject([
      { ran: true, candidatesExamined: 1, skippedReason: "no_candidates", supersessions: [] },
    ]);
    expect({ ended: write.ended, events: write.events }).toEqual({ ended: [], events: [] });
  });

  test("D23 all candidates: a fact ends every memory that it replaces, but those that ended meanwhile", () => {
    const [second, gone] = [2, 3].map((number) => memoryFixture({ id: memoryId(number) }));
    if (second === undefined || gone === undefined) throw new Error("two are made above");
    const locked = [STORED, second, { ...gone, validTo: 9n, supersededAt: 9n }];
    const facts = [stating(factOf(7), ends(second, gone, STORED))];
    const write = settleWrite(facts, locked, "act", NOW);
    expect(outcomesOf(write)[0]?.supersessions.map((each) => each.memoryId)).toEqual([
      second.id,
      STORED.id,
    ]);
    expect(write.ended.map(({ id, supersededBy }) => [id, supersededBy])).toEqual([
      [STORED.id, memoryId(7)],
      [second.id, memoryId(7)],
    ]);
  });

  describe("D25a: what is taken back", () => {
    const takingBack = (verdict: Verdict, statedAt = 5_000n): JudgedStatement => ({
      ...stating(factOf(9, { decision: "Alice lives in Berlin" }), verdict),
      statedAt,
      retractedBy: 3,
    });

    test.each<[string, Partial<Memory>, bigint, bigint]>([
      ["its own end, where that is earlier", { validTo: NOW + 1n }, NOW + 5n, NOW + 1n],
      ["its start, where that is later", { validFrom: 6_000n }, 5_000n, 6_000n],
    ])("ends at %s", (_, fields, statedAt, validTo) => {
      const stored = { ...STORED, ...fields };
      const { ended } = settleWrite([takingBack(ends(stored), statedAt)], [stored], "act", NOW);
      expect(ended).toMatchObject([{ validTo, supersededBy: null }]);
    });
  });

  test("a fact that a later fact of the write replaces is stored as superseded by it", () => {
    const [first, second, third] = [factOf(2), factOf(3, { validFrom: 6_000n }), factOf(4)];
    const facts = [
      stating(first, ends(STORED)),
      stating(second, ends(first)),
      stating(third, ends(second)),
    ];
    const write = settleWrite(facts, [STORED], "act", NOW);
    expect(write.facts.map(({ memory }) => memory)).toEqual([
      // The third starts before the second: the first holds no longer than until then.
      { ...first, validTo: 5_000n, supersededBy: second.id, supersededAt: NOW },
      { ...second, validTo: 5_000n, supersededBy: third.id, supersededAt: NOW },
      third,
    ]);
    expect(write.ended.map(({ id, supersededBy }) => [id, supersededBy])).toEqual([
      [STORED.id, first.id],
    ]);
    expect(write.events.map(({ memoryId, event }) => [memoryId, event])).toEqual([
      [STORED.id, "superseded"],
      [first.id, "superseded"],
      [second.id, "superseded"],
      [first.id, "trimmed"],
    ]);
    expect([...write.laterStarts].map(([id, start]) => [id, start?.id])).toEqual([
      [STORED.id, first.id],
    ]);
  });

  const notApplied = (outcome: AutoSupersedeOutcome): AutoSupersedeOutcome => ({
    ...outcome,
    supersessions: outcome.supersessions.map((each) => ({ ...each, applied: false })),
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
          targets: fc.uniqueArray(fc.nat(12), { maxLength: 3 }),
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
      const judged: JudgedStatement[] = [];
      for (const [index, { targets, validFrom, isEnding }] of facts.entries()) {
        const earlier = [...memories, ...judged.map(({ memory }) => memory)];
        const superseded = targets.flatMap((target) => earlier[target] ?? []);
        const validTo = isEnding ? validFrom + 3n * NOW : null;
        const memory = factOf(index + 20, { validFrom, validTo });
        judged.push(stating(memory, ends(...superseded)));
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
        const supersessions = outcomesOf(write).flatMap(({ supersessions, skippedReason }) => {
          expect(supersessions.length === 0).toBe(skippedReason !== null);
          return supersessions;
        });
        const endedIds = supersessions.map((supersession) => supersession.memoryId);
        expect(new Set(endedIds).size).toBe(endedIds.length);
        const told = write.events.filter(({ event }) => event === "superseded");
        expect(told.map(({ memoryId }) => memoryId)).toEqual(endedIds);

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
          const starts = startsBehind(after, supersededBy);
          const end = starts.reduce((least, start) => (start < least ? start : least), validTo);
          expect(memory).toEqual({ ...earlier, validTo: end, supersededBy, supersededAt: NOW });
          const trims = write.events.filter(
            ({ memoryId, event }) => memoryId === id && event === "trimmed",
          );
          expect(trims).toHaveLength(end < validTo ? 1 : 0);
          expect(temporalFlags(earlier ?? memory, NOW).isCurrent).toBe(true);
          expect(ofFacts.has(supersededBy) && supersededBy > id).toBe(true);
          expect(supersession.applied).toBe(true);
        }
      }),
    );
  });

  test("whatever the verdicts, shadow mode changes nothing and tells the same", () => {
    fc.assert(
      fc.property(anyWrite, ({ judged, locked }) => {
        // No fact is shown a memory that an earlier one would have ended.
        const named = new Set<MemoryId>();
        const once = judged.map(({ memory, verdict }) => {
          const superseded = verdict.superseded.filter(({ candidate }) => !named.has(candidate.id));
          for (const { candidate } of superseded) named.add(candidate.id);
          const skippedReason = superseded.length === 0 ? "not_superseding" : null;
          return stating(memory, { ...verdict, superseded, skippedReason });
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

/** The starts of all that followed the memory of this ID. */
function startsBehind(memories: ReadonlyMap<MemoryId, Memory>, id: MemoryId): bigint[] {
  const next = memories.get(memories.get(id)?.supersededBy ?? id);
  return next === undefined || next.id === id
    ? []
    : [next.validFrom, ...startsBehind(memories, next.id)];
}

function byId(memory: Memory): [MemoryId, Memory] {
  return [memory.id, memory];
}

/** Stated at its start. */
function asCandidate(memory: Memory): Candidate {
  return { ...memory, statedAt: memory.validFrom };
}
