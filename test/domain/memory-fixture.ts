import type { Memory } from "../../src/domain/memory.ts";

/** A current memory; `overrides` say what the test is about. */
export function memoryFixture(overrides: Partial<Memory> = {}): Memory {
  return {
    id: "0190a000-0000-7000-8000-000000000001",
    companyId: "acme",
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
    ...overrides,
  };
}
