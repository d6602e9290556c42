import { describe, expect, test } from "vitest";
import type { AuditEventKind, HistoryEvent, JsonValue } from "../../src/domain/audit-event.ts";
import { recordedEnd } from "../../src/domain/recorded-end.ts";
import { memoryId } from "./memory-fixture.ts";

const at = (second: number) => `1970-01-01T00:00:0${second}.000000Z`;
const instant = (second: number) => BigInt(second) * 1_000_000n;
const event = (
  event: AuditEventKind,
  second: number,
  detail: Record<string, JsonValue> = {},
): HistoryEvent => ({ event, at: instant(second), actor: "classifier", detail });

const [a, b] = [memoryId(1), memoryId(2)];
const created = event("created", 1);
const classified = event("classified", 1);
const superseded = event("superseded", 2, {
  superseded_by: a,
  valid_to: at(5),
  previous_valid_to: null,
});
const trimmed = event("trimmed", 3, { from: at(5), to: at(4), by: b });
const restored = event("restored", 4, { superseded_by: a, valid_to: null });

test("a memory that nothing ended", () => {
  expect(recordedEnd([created, classified])).toMatchObject({
    validTo: undefined,
    writtenEnd: undefined,
    givenEnd: null,
    supersededBy: null,
    supersededAt: null,
  });
});

test("a replaced memory, whose end a later version moved", () => {
  expect(recordedEnd([created, superseded, trimmed])).toMatchObject({
    validTo: instant(4),
    writtenEnd: null,
    givenEnd: instant(5),
    supersededBy: a,
    supersededAt: instant(2),
  });
});

test("a memory that was restored, and then taken back", () => {
  expect(recordedEnd([created, superseded, trimmed, restored])).toMatchObject({
    validTo: null,
    supersededBy: null,
    supersededAt: null,
  });
  const retracted = event("retracted", 5, { valid_to: at(6), previous_valid_to: null });
  expect(recordedEnd([created, superseded, restored, retracted])).toMatchObject({
    validTo: instant(6),
    givenEnd: instant(6),
    supersededBy: null,
    supersededAt: instant(5),
  });
});

test("a known end before it was superseded is what it was written with", () => {
  const ended = event("superseded", 2, {
    superseded_by: null,
    valid_to: at(5),
    previous_valid_to: at(9),
  });
  expect(recordedEnd([created, ended])).toMatchObject({
    writtenEnd: instant(9),
    validTo: instant(5),
  });
});

describe("a history that could not have been written is refused, by its event", () => {
  const with_ = ({ detail, ...rest }: HistoryEvent, more: Record<string, JsonValue>) => {
    return { ...rest, detail: { ...detail, ...more } };
  };
  test.each<[string, readonly HistoryEvent[], string]>([
    ["is empty", [], "history"],
    ["begins with something else", [superseded], "history"],
    ["is created twice", [created, created], "history[1]"],
    ["is restored while it holds", [created, restored], "history[1]"],
    ["is trimmed while it holds", [created, trimmed], "history[1]"],
    [
      "is trimmed without a replacement",
      [created, with_(superseded, { superseded_by: null }), trimmed],
      "history[2]",
    ],
    [
      "is trimmed from another end",
      [created, superseded, with_(trimmed, { from: at(6) })],
      "history[2].detail.from",
    ],
    [
      "is trimmed by nobody",
      [created, superseded, with_(trimmed, { by: null })],
      "history[2].detail.by",
    ],
    [
      "is restored from another replacement",
      [created, superseded, with_(restored, { superseded_by: b })],
      "history[2].detail.superseded_by",
    ],
    [
      "is restored to another end",
      [created, superseded, with_(restored, { valid_to: at(1) })],
      "history[2].detail.valid_to",
    ],
    [
      "is retracted with a replacement",
      [created, { ...superseded, event: "retracted" }],
      "history[1].detail.superseded_by",
    ],
    ["has no end", [created, with_(superseded, { valid_to: null })], "history[1].detail.valid_to"],
    [
      "has an end in another form",
      [created, with_(superseded, { valid_to: "1970-01-01T00:00:05Z" })],
      "history[1].detail.valid_to",
    ],
  ])("it %s", (_, history, field) => {
    expect(() => recordedEnd(history)).toThrow(
      expect.objectContaining({ reason: "invalid_field", field }),
    );
  });
});
