import { expect, test } from "vitest";
import {
  type ChainMember,
  type ExportedMemory,
  ImportedChains,
} from "../../src/domain/exported-memory.ts";
import type { MemoryId } from "../../src/domain/ids.ts";
import { formatInstant } from "../../src/domain/instant.ts";
import { memoryFixture, memoryId } from "./memory-fixture.ts";

/** Memory `number`, which holds from `start`; `by` replaced it, when it was given `given`. */
function version(
  number: number,
  start: bigint,
  by: number | null = null,
  given = start,
  validTo: bigint | null = by === null ? null : given,
  tenantId: string | null = null,
): ExportedMemory {
  const supersededBy = by === null ? null : memoryId(by);
  const created = { event: "created", at: 1n, actor: "classifier", detail: {} } as const;
  const detail = {
    superseded_by: supersededBy,
    valid_to: formatInstant(given),
    previous_valid_to: null,
  };
  const superseded = { ...created, event: "superseded", detail } as const;
  const supersededAt = by === null ? null : 1n;
  const end = { validTo, supersededBy, supersededAt };
  return {
    memory: memoryFixture({ id: memoryId(number), validFrom: start, tenantId, ...end }),
    provenance: { mode: "content", sessionId: null, messageIndex: null, extraction: null },
    statedAt: start,
    category: null,
    history: by === null ? [created] : [created, superseded],
  };
}

function add(versions: ExportedMemory[], stored: [MemoryId, ChainMember][] = []) {
  const chains = new ImportedChains(new Map(stored));
  return () => versions.forEach((each) => void chains.add(each));
}

const refused = (field: string) => expect.objectContaining({ reason: "invalid_field", field });

test("each behind its replacement, which may be older, and several behind one", () => {
  expect(
    add([
      version(5, 50n),
      version(4, 40n, 5, 50n),
      version(7, 45n, 4, 45n),
      version(1, 10n, 4, 40n),
    ]),
  ).not.toThrow();
});

test("a replacement that comes later, in another tenant or never is refused", () => {
  const head = version(2, 20n);
  const old = version(1, 10n, 2, 20n);
  expect(add([old, head])).toThrow(refused("superseded_by"));
  expect(add([old])).toThrow(refused("superseded_by"));
  const other = version(1, 10n, 2, 20n, 20n, "other");
  expect(add([head, other])).toThrow(refused("superseded_by"));
});

test("D18a: no version ends past the start of what follows its replacement", () => {
  // 3 begins before 2, which had replaced 1.
  const later = [version(3, 15n), version(2, 20n, 3, 15n)];
  expect(add([...later, version(1, 10n, 2, 20n)])).toThrow(refused("valid_to"));
  expect(add([...later, version(1, 10n, 2, 20n, 15n)])).not.toThrow();
  // Not shorter either than what took from it.
  expect(add([...later, version(1, 10n, 2, 20n, 12n)])).toThrow(refused("valid_to"));
});

test("D18a: what follows a replacement that is stored counts", () => {
  const stored = (followedBy: bigint | null): [MemoryId, ChainMember][] => [
    [memoryId(2), { tenantId: null, validFrom: 20n, followedBy }],
  ];
  const old = version(1, 10n, 2, 20n);
  expect(add([old], stored(null))).not.toThrow();
  expect(add([old], stored(15n))).toThrow(refused("valid_to"));
  const [second, first] = [version(1, 10n, 2, 20n, 15n), version(4, 5n, 1, 30n, 15n)];
  expect(add([second, first], stored(15n))).not.toThrow();
});
