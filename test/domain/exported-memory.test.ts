import { describe, expect, test } from "vitest";
import type { HistoryEvent } from "../../src/domain/audit-event.ts";
import {
  checkExportedMemory,
  EVENT_BYTES,
  type ExportedMemory,
  isSameMemory,
  writesOf,
} from "../../src/domain/exported-memory.ts";
import { toMemoryId } from "../../src/domain/ids.ts";
import { formatInstant, MINUTE } from "../../src/domain/instant.ts";
import { HISTORY_BYTES_A_WRITE } from "../../src/domain/limits.ts";
import { memoryFixture, memoryId } from "./memory-fixture.ts";

/** The time in the IDs. */
const START = BigInt(0x0190_a000_0000) * 1_000n;
const NOW = START + 60n * MINUTE;
const ACTOR = "0190a000-0000-7000-8000-000000000009";

const created: HistoryEvent = { event: "created", at: START, actor: ACTOR, detail: {} };
const imported: HistoryEvent = { event: "imported", at: NOW, actor: ACTOR, detail: {} };
const classified: HistoryEvent = {
  event: "classified",
  at: START,
  actor: "classifier",
  detail: { candidates: [memoryId(2), {}] },
};
const OLD = START - 5n * MINUTE - 1n;
const superseded: HistoryEvent = {
  event: "superseded",
  at: NOW,
  actor: "classifier",
  detail: { superseded_by: memoryId(2), valid_to: formatInstant(NOW), previous_valid_to: null },
};

type Changes = Partial<Omit<ExportedMemory, "memory">> & {
  readonly memory?: Partial<ExportedMemory["memory"]>;
};

function exported({ memory, ...rest }: Changes = {}): ExportedMemory {
  return {
    memory: memoryFixture({ createdAt: START, validFrom: START, ...memory }),
    provenance: { mode: "content", sessionId: null, messageIndex: null, extraction: null },
    statedAt: START,
    category: null,
    history: [created],
    ...rest,
  };
}

const replaced = { validTo: NOW, supersededBy: memoryId(2), supersededAt: NOW };
const extraction = { provider: "local", model: "rules", byoLlm: false };
const extracted = { mode: "messages", sessionId: "s", messageIndex: 0, extraction } as const;

test("what writes, supersessions and conversations leave behind is taken", () => {
  const ahead = NOW + 5n * MINUTE;
  const skewed = START + 5n * MINUTE;
  for (const each of [
    exported(),
    exported({ memory: { validTo: ahead } }),
    exported({ memory: replaced, history: [created, superseded] }),
    exported({ provenance: extracted, memory: { summary: "Short", originalMessage: "Said" } }),
    exported({ memory: { validFrom: START - MINUTE, validTo: START } }),
    exported({ memory: { createdAt: skewed }, history: [{ ...created, at: skewed }] }),
    exported({ memory: replaced, history: [created, superseded, imported] }),
  ]) {
    expect(() => checkExportedMemory(each, NOW)).not.toThrow();
  }
});

describe("what could not have come about is refused, by its field", () => {
  const late = NOW + 5n * MINUTE + 1n;
  test.each<[string, Changes]>([
    ["id", { memory: { id: toMemoryId("0190a000-0000-4000-8000-000000000001") } }],
    ["id", { memory: { id: toMemoryId("ffffffff-ffff-7fff-8fff-ffffffffffff") } }],
    ["created_at", { memory: { createdAt: late }, history: [{ ...created, at: late }] }],
    ["stated_at", { statedAt: late }],
    ["valid_from", { statedAt: START - 1n }],
    ["valid_to", { memory: { validTo: START } }],
    ["created_at", { memory: { createdAt: OLD }, history: [{ ...created, at: OLD }] }],
    ["history[1].at", { history: [created, { ...imported, at: OLD }] }],
    ["history[0].detail.p", { history: [{ ...created, detail: { p: [{}] } }] }],
    ["history[1].detail.a", { history: [created, { ...imported, detail: { a: null } }] }],
    ["history[1].detail.candidates[1]", { history: [created, classified] }],
    ["history[0].at", { history: [{ ...created, at: NOW }] }],
    ["history[0].actor", { history: [{ ...created, actor: "somebody" }] }],
    ["history[1].at", { history: [created, { ...superseded, at: late }], memory: replaced }],
    ["history", { history: [] }],
    ["superseded_by", { memory: { ...replaced, supersededBy: memoryId(3) } }],
    ["superseded_at", { memory: { ...replaced, supersededAt: START } }],
    ["valid_to", { memory: { ...replaced, validTo: START } }],
    ["superseded_by", { memory: { ...replaced, id: memoryId(2) } }],
    ["provenance.extraction", { provenance: { ...extracted, extraction: null } }],
    ["provenance.message_index", { provenance: { ...extracted, messageIndex: null } }],
    [
      "provenance.extraction",
      { provenance: { ...extracted, messageIndex: null, mode: "content" } },
    ],
    ["summary", { memory: { summary: "Other" } }],
    ["provenance.original_message", { memory: { originalMessage: "Other" } }],
  ])("%s", (field, changes) => {
    const history =
      changes.memory?.supersededAt === undefined ? {} : { history: [created, superseded] };
    expect(() => checkExportedMemory(exported({ ...history, ...changes }), NOW)).toThrow(
      expect.objectContaining({ reason: "invalid_field", field }),
    );
  });
});

test("D42a: 32 KiB of history cost a write more", () => {
  const event = { ...created, detail: { source: "x".repeat(1_000) } };
  const bytes = EVENT_BYTES + JSON.stringify(event.detail).length;
  const most = Math.floor(HISTORY_BYTES_A_WRITE / bytes);
  for (const [events, writes] of [
    [1, 1],
    [most, 1],
    [most + 1, 2],
    [2 * most + 2, 3],
  ] as const) {
    expect(writesOf(exported({ history: Array.from({ length: events }, () => event) }))).toBe(
      writes,
    );
  }
});

test("two are the same in every respect, but for imports and the order of names", () => {
  expect(isSameMemory(exported({ history: [created, imported] }), exported())).toBe(true);
  const detail = { a: 1, b: [{ c: null, d: "x" }] };
  const one = exported({ history: [{ ...created, detail }] });
  const turned = { b: [{ d: "x", c: null }], a: 1 };
  expect(isSameMemory(one, exported({ history: [{ ...created, detail: turned }] }))).toBe(true);
  expect(isSameMemory(one, exported({ history: [{ ...created, detail: { a: 1 } }] }))).toBe(false);
  expect(isSameMemory(exported(), exported({ category: "health" }))).toBe(false);
  expect(isSameMemory(exported(), exported({ statedAt: NOW }))).toBe(false);
  expect(isSameMemory(exported(), exported({ memory: { metadata: { a: "b" } } }))).toBe(false);
});
