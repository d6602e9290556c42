import { describe, expect, test } from "vitest";
import type { HistoryEvent } from "../../src/domain/audit-event.ts";
import {
  checkExportedMemory,
  type ExportedMemory,
  isSameMemory,
} from "../../src/domain/exported-memory.ts";
import { toMemoryId } from "../../src/domain/ids.ts";
import { formatInstant, MINUTE } from "../../src/domain/instant.ts";
import { memoryFixture, memoryId } from "./memory-fixture.ts";

const NOW = 1_800_000_000_000_000n;
const START = NOW - 60n * MINUTE;
const ACTOR = "0190a000-0000-7000-8000-000000000009";

const created: HistoryEvent = { event: "created", at: START, actor: ACTOR, detail: {} };
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
  for (const each of [
    exported(),
    exported({ memory: { validTo: ahead } }),
    exported({ memory: replaced, history: [created, superseded] }),
    exported({ provenance: extracted, memory: { summary: "Short", originalMessage: "Said" } }),
    exported({ memory: { validFrom: START - MINUTE, validTo: START } }),
    exported({ memory: { createdAt: ahead }, history: [{ ...created, at: ahead }] }),
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
    ["valid_from", { memory: { validFrom: late }, statedAt: late }],
    ["stated_at", { statedAt: late }],
    ["valid_from", { statedAt: START - 1n }],
    ["valid_to", { memory: { validTo: START } }],
    ["history[0].at", { history: [{ ...created, at: NOW }] }],
    ["history[0].actor", { history: [{ ...created, actor: "somebody" }] }],
    ["history[1].at", { history: [created, { ...superseded, at: late }], memory: replaced }],
    ["history", { history: [] }],
    ["superseded_by", { memory: { ...replaced, supersededBy: memoryId(3) } }],
    ["superseded_at", { memory: { ...replaced, supersededAt: START } }],
    ["superseded_at", { memory: { ...replaced, supersededAt: null } }],
    ["valid_to", { memory: { ...replaced, validTo: START } }],
    ["superseded_by", { memory: { ...replaced, id: memoryId(2) } }],
    ["provenance.extraction", { provenance: { ...extracted, extraction: null } }],
    ["provenance.message_index", { provenance: { ...extracted, messageIndex: null } }],
    [
      "provenance.extraction",
      { provenance: { ...extracted, messageIndex: null, mode: "content" } },
    ],
    ["provenance.message_index", { provenance: { ...extracted, mode: "content" } }],
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

test("two are the same in every respect, but for the order of names", () => {
  const detail = { a: 1, b: [{ c: null, d: "x" }] };
  const one = exported({ history: [{ ...created, detail }] });
  const turned = { b: [{ d: "x", c: null }], a: 1 };
  expect(isSameMemory(one, exported({ history: [{ ...created, detail: turned }] }))).toBe(true);
  expect(isSameMemory(one, exported({ history: [{ ...created, detail: { a: 1 } }] }))).toBe(false);
  expect(isSameMemory(exported(), exported({ category: "health" }))).toBe(false);
  expect(isSameMemory(exported(), exported({ statedAt: NOW }))).toBe(false);
  expect(isSameMemory(exported(), exported({ memory: { metadata: { a: "b" } } }))).toBe(false);
});
