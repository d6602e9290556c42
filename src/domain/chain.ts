import type { AuditEvent } from "./audit-event.ts";
import type { MemoryId } from "./ids.ts";
import { earlier, formatInstant, type Instant } from "./instant.ts";
import type { Memory } from "./memory.ts";

// When C supersedes B, no version that leads to C by way of another may hold past the
// start of C: its end is brought forward to it (D18a). So the end of a superseded version
// is the one that its supersession gave, or the earliest start of a version behind its
// replacement, whichever comes first.

export type Start = Pick<Memory, "id" | "validFrom">;

export interface VersionEnd {
  readonly id: MemoryId;
  readonly validTo: Instant;
}

/** Ends that move, and the event of each for the history of its version. */
export interface Trimming {
  readonly ends: readonly VersionEnd[];
  readonly events: readonly AuditEvent[];
}

export type Mover = Pick<AuditEvent, "actor" | "at">;

/** The first of them, of equal ones the first named; null: there is none. */
export function earliestStart(starts: readonly (Start | null)[]): Start | null {
  return starts.reduce(
    (first, start) =>
      start !== null && (first === null || start.validFrom < first.validFrom) ? start : first,
    null,
  );
}

/** Brings ends behind the start of a later version forward to it. No `laterStart`: none follows. */
export function trim<Version extends VersionEnd>(
  versions: readonly Version[],
  laterStart: (version: Version) => Start | null | undefined,
  mover: Mover,
): Trimming {
  const moves = versions.flatMap((version) => {
    const later = laterStart(version);
    const isTrimmed = later != null && version.validTo > later.validFrom;
    return isTrimmed ? [{ version, to: later.validFrom, by: later.id }] : [];
  });
  return trimmingOf(moves, mover);
}

/** A version that leads to one that ends, the root. */
export interface EarlierVersion extends VersionEnd {
  readonly rootId: MemoryId;
}

/** A version that a later one, which leaves its chain, had trimmed. */
export interface TrimmedVersion extends VersionEnd {
  /** The end that its own supersession gave it, or an erased version that trims it still. */
  readonly givenEnd: Instant;
  /** The earliest start behind that replacement in what is left of the chain; null: none is. */
  readonly nextStart: Instant | null;
}

/** Gives back what a later version had taken, as far as nothing else takes it; `restored`: what it had replaced. */
export function untrim(versions: readonly TrimmedVersion[], restored: MemoryId, mover: Mover) {
  const moves = versions.flatMap((version) => {
    const { givenEnd, nextStart } = version;
    const to = nextStart === null ? givenEnd : earlier(givenEnd, nextStart);
    return to > version.validTo ? [{ version, to, by: restored }] : [];
  });
  return trimmingOf(moves, mover);
}

/** An end that moves; `by`: the version whose start, or whose return, moves it. */
interface Move {
  readonly version: VersionEnd;
  readonly to: Instant;
  readonly by: MemoryId;
}

function trimmingOf(moves: readonly Move[], mover: Mover): Trimming {
  return {
    ends: moves.map(({ version: { id }, to }) => ({ id, validTo: to })),
    events: moves.map(({ version: { id, validTo }, to, by }) => ({
      memoryId: id,
      event: "trimmed",
      ...mover,
      detail: { from: formatInstant(validTo), to: formatInstant(to), by },
    })),
  };
}

type WrittenVersion = Start & Pick<Memory, "validTo" | "supersededBy">;

/**
 * Trims the versions that a write supersedes one after another. `written`: all that it stores or
 * ends, replacements too. Returns them with their ends, and by each that is superseded the earliest
 * later start (`laterStarts`).
 */
export function trimWithin<Version extends WrittenVersion>(
  written: readonly Version[],
  mover: Mover,
) {
  const versions = new Map(written.map((version) => [version.id, version]));
  const firstStarts = new Map<MemoryId, Start | null>();
  /** The earliest start of a version and of what follows it, read once for each. */
  const startFrom = (id: MemoryId | null): Start | null => {
    const version = id === null ? undefined : versions.get(id);
    if (version === undefined) return null;
    const { supersededBy } = version;
    const start = firstStarts.get(version.id) ?? earliestStart([version, startFrom(supersededBy)]);
    firstStarts.set(version.id, start);
    return start;
  };
  const laterStarts = new Map<MemoryId, Start>();
  const events: AuditEvent[] = [];
  for (const version of versions.values()) {
    const { id, validTo, supersededBy } = version;
    const start = startFrom(supersededBy);
    if (start === null || supersededBy === null || validTo === null) continue;
    laterStarts.set(id, start);
    const behind = startFrom(versions.get(supersededBy)?.supersededBy ?? null);
    const trimming = trim([{ id, validTo }], () => behind, mover);
    for (const end of trimming.ends) versions.set(id, { ...version, ...end });
    events.push(...trimming.events);
  }
  return { versions, events, laterStarts };
}

/** A memory that nothing replaced, among places. */
export const NO_REPLACEMENT = -1;

/**
 * Chain after chain from its head, so that each memory comes behind its replacement: of
 * `replacements`, which have for each memory the place of its own, the places in that order.
 * Heads keep their order; in a chain those come first that are fewest steps from the head,
 * and of these the ones whose replacement does.
 *
 * A list and not a tree of objects: there may be a million of them.
 */
export function chainOrder(replacements: Int32Array): Int32Array {
  const { firstReplaced, nextReplaced } = replacedBy(replacements);
  const order = new Int32Array(replacements.length);
  let count = 0;
  for (const [head, replacement] of replacements.entries()) {
    if (replacement !== NO_REPLACEMENT) continue;
    let done = count;
    order[count++] = head;
    for (; done < count; done++) {
      const next = order[done] ?? head;
      for (let id = firstReplaced[next] ?? -1; id !== -1; id = nextReplaced[id] ?? -1) {
        order[count++] = id;
      }
    }
  }
  if (count < order.length) throw new Error(`${order.length - count} memories are in a circle`);
  return order;
}

/** The memories that each one replaced, as lists: the first of them, and the one after each. */
function replacedBy(replacements: Int32Array) {
  const firstReplaced = new Int32Array(replacements.length).fill(-1);
  const nextReplaced = new Int32Array(replacements.length).fill(-1);
  // Each is put before the others, so the last one comes first.
  for (let place = replacements.length - 1; place >= 0; place--) {
    const replacement = replacements[place] ?? NO_REPLACEMENT;
    if (replacement === NO_REPLACEMENT) continue;
    nextReplaced[place] = firstReplaced[replacement] ?? -1;
    firstReplaced[replacement] = place;
  }
  return { firstReplaced, nextReplaced };
}
