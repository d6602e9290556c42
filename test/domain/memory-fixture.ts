import { type MemoryId, toCompanyId, toMemoryId } from "../../src/domain/ids.ts";
import type { Memory } from "../../src/domain/memory.ts";

/** An ID for each number, in their order. */
export function memoryId(number: number): MemoryId {
  return toMemoryId(`0190a000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
}

/** A current memory; `overrides` say what the test is about. */
export function memoryFixture(overrides: Partial<Memory> = {}): Memory {
  return {
    id: memoryId(1),
    companyId: toCompanyId("acme"),
    tenantId: null,
    decision: "Alice lives in Berlin",
    summary: "Alice lives in Berlin",
    topic: "General",
    importanceScore: 5,
    source: "agent",
    createdAt: 1_000n,
    validFrom: 1_000n,
    validTo: null,
    supersededBy: null,
    supersededAt: null,
    originalMessage: "Alice lives in Berlin",
    metadata: {},
    ...overrides,
  };
}
