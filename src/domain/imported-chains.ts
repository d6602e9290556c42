import { checkTrimmedEnd, type ExportedMemory } from "./exported-memory.ts";
import { invalidField } from "./failure.ts";
import type { MemoryId } from "./ids.ts";
import { earlier, type Instant } from "./instant.ts";
import type { Memory } from "./memory.ts";

/** A memory that others may lead to. */
export interface ChainMember extends Pick<Memory, "tenantId" | "validFrom"> {
  /** The earliest start of what follows it, all the way to the head; null: nothing does. */
  readonly followedBy: Instant | null;
}

/** The chains of memories that come one after the other, each behind its replacement. */
export class ImportedChains {
  readonly #members: Map<MemoryId, ChainMember>;

  /** `stored`: what came before, as far as it is the replacement of one that comes. */
  constructor(stored: ReadonlyMap<MemoryId, ChainMember>) {
    this.#members = new Map(stored);
  }

  /**
   * Adds the next one. Throws `invalid_field` unless its replacement came before, in the
   * same tenant, and it ends where the chain has it end (D18a, D20).
   */
  add(exported: ExportedMemory): void {
    const { id, tenantId, validFrom, supersededBy } = exported.memory;
    const replacement = supersededBy === null ? null : this.#members.get(supersededBy);
    if (replacement === undefined || (replacement && replacement.tenantId !== tenantId)) {
      throw invalidField(
        "superseded_by",
        "must be a memory of the same tenant that stands on a line before",
      );
    }
    checkTrimmedEnd(exported, replacement?.followedBy ?? null);
    this.#members.set(id, { tenantId, validFrom, followedBy: earliestStartFrom(replacement) });
  }
}

/** Of a memory and what follows it. */
function earliestStartFrom(member: ChainMember | null): Instant | null {
  if (member === null) return null;
  const { validFrom, followedBy } = member;
  return followedBy === null ? validFrom : earlier(validFrom, followedBy);
}
