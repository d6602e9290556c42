import type { ImportedLine } from "../domain/exported-memory.ts";
import type { MemoryId } from "../domain/ids.ts";

/** The tenants of one import, by what came of them so far. */
export class ImportedTenants {
  readonly #seen = new Map<string | null, number>();
  /** Into which this import has stored: nothing else was in them. */
  readonly #filled = new Set<string | null>();

  /**
   * The tenants into which these lines are the first to store, and how many memories each is
   * to hold by then: those that came before, which were there already. `fresh` are to be stored.
   */
  expected(
    lines: readonly ImportedLine[],
    fresh: ReadonlySet<MemoryId>,
  ): ReadonlyMap<string | null, number> {
    const expected = new Map<string | null, number>();
    const seen = new Map<string | null, number>();
    for (const { memory } of lines) {
      const { id, tenantId } = memory.memory;
      const before = seen.get(tenantId) ?? this.#seen.get(tenantId) ?? 0;
      seen.set(tenantId, before + 1);
      if (fresh.has(id) && !this.#filled.has(tenantId) && !expected.has(tenantId)) {
        expected.set(tenantId, before);
      }
    }
    return expected;
  }

  /** Once these lines are done with. */
  add(lines: readonly ImportedLine[], fresh: ReadonlySet<MemoryId>): void {
    for (const { memory } of lines) {
      const { id, tenantId } = memory.memory;
      this.#seen.set(tenantId, (this.#seen.get(tenantId) ?? 0) + 1);
      if (fresh.has(id)) this.#filled.add(tenantId);
    }
  }
}
