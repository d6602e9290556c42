import { type HistoryEvent, KEYLESS_ACTORS } from "./audit-event.ts";
import { invalidField } from "./failure.ts";
import { creationMsOf, isUuid, type MemoryId } from "./ids.ts";
import { earlier, type Instant, MINUTE } from "./instant.ts";
import { HISTORY_BYTES_A_WRITE, MAX_VALID_FROM_AHEAD_MINUTES } from "./limits.ts";
import { codePointsIn, type Memory, type Provenance } from "./memory.ts";
import { checkDetail, type RecordedEnd, recordedEnd } from "./recorded-end.ts";

/** A memory with all that is kept of it, but for what is made of its text. */
export interface ExportedMemory {
  readonly memory: Memory;
  readonly provenance: Provenance;
  /** When it was stated: the time of its conversation, or the start that its writer gave. */
  readonly statedAt: Instant;
  /** The excluded category that the extraction put it in; null: in none. */
  readonly category: string | null;
  /** From its first event on. */
  readonly history: readonly HistoryEvent[];
}

/** A memory of an import, and the line that it came on, counted from 1. */
export interface ImportedLine {
  readonly number: number;
  readonly memory: ExportedMemory;
}

const MILLISECOND = 1_000n;
/** The clocks of two servers are not the same. */
const CLOCKS = `give or take ${MAX_VALID_FROM_AHEAD_MINUTES} minutes`;

/** Checks that writes and supersessions could have made a memory. Throws `invalid_field`. */
export function checkExportedMemory(exported: ExportedMemory, now: Instant): void {
  for (const [index, event] of exported.history.entries()) {
    const field = `history[${index}]`;
    if (!KEYLESS_ACTORS.includes(event.actor) && !isUuid(event.actor)) {
      throw invalidField(`${field}.actor`, `must be a UUID or one of ${KEYLESS_ACTORS.join(", ")}`);
    }
    checkDetail(event, field);
  }
  checkTimes(exported, now);
  checkMode(exported);
  checkSpan(exported.memory);
  checkEnd(exported, recordedEnd(exported.history));
}

/** All times are in the past, but for a clock that is a little ahead. */
function checkTimes({ memory, statedAt, history }: ExportedMemory, now: Instant): void {
  const clocks = BigInt(MAX_VALID_FROM_AHEAD_MINUTES) * MINUTE;
  const past = (field: string, instant: Instant | null) => {
    if (instant === null || instant <= now + clocks) return;
    const rule = `must not be more than ${MAX_VALID_FROM_AHEAD_MINUTES} minutes ahead`;
    throw invalidField(field, rule);
  };
  const idMs = creationMsOf(memory.id);
  if (idMs === null) throw invalidField("id", "must be a UUIDv7");
  past("id", BigInt(idMs) * MILLISECOND);
  past("created_at", memory.createdAt);
  past("valid_from", memory.validFrom);
  past("stated_at", statedAt);
  past("superseded_at", memory.supersededAt);
  const createdAhead = memory.createdAt - BigInt(idMs) * MILLISECOND;
  if (createdAhead > clocks || createdAhead < -clocks) {
    throw invalidField("created_at", `must be the time in \`id\`, ${CLOCKS}`);
  }
  for (const [index, { at }] of history.entries()) {
    past(`history[${index}].at`, at);
    const before = history[index - 1];
    if (before !== undefined && at < before.at - clocks) {
      throw invalidField(`history[${index}].at`, `must be behind the event before it, ${CLOCKS}`);
    }
  }
  if (memory.validFrom > statedAt) {
    throw invalidField("valid_from", "must not be later than `stated_at`");
  }
  const [created] = history;
  if (created !== undefined && created.at !== memory.createdAt) {
    throw invalidField("history[0].at", "must be `created_at`");
  }
}

/** A fact that was given is kept as it was given, and nothing was extracted. */
function checkMode({ memory, provenance }: ExportedMemory): void {
  const { mode, messageIndex, extraction } = provenance;
  const isExtracted = mode === "messages";
  const of = (what: string) => `must ${isExtracted ? "" : "not "}be given with ${what}`;
  if ((messageIndex !== null) !== isExtracted) {
    throw invalidField("provenance.message_index", of(`the mode \`${mode}\``));
  }
  if ((extraction !== null) !== isExtracted) {
    throw invalidField("provenance.extraction", of(`the mode \`${mode}\``));
  }
  if (isExtracted) return;
  const same = "must be the text of `decision` in the mode `content`";
  if (memory.summary !== memory.decision) throw invalidField("summary", same);
  if (memory.originalMessage !== memory.decision) {
    throw invalidField("provenance.original_message", same);
  }
}

function checkSpan({ span, originalMessage }: Memory): void {
  if (span === undefined) return;
  const { start, end } = span;
  if (start >= 0 && start < end && end <= codePointsIn(originalMessage)) return;
  const rule = "must be a part of `original_message`, in code points, and not empty";
  throw invalidField("provenance.span", rule);
}

function checkEnd({ memory }: ExportedMemory, recorded: RecordedEnd): void {
  const { validFrom, validTo, supersededBy, supersededAt } = memory;
  if (supersededBy === memory.id) {
    throw invalidField("superseded_by", "must not be the memory itself");
  }
  const asRecorded = "must be as the last event of `history` that ended the memory says";
  if (supersededAt !== recorded.supersededAt) throw invalidField("superseded_at", asRecorded);
  if (supersededBy !== recorded.supersededBy) throw invalidField("superseded_by", asRecorded);
  if (recorded.validTo !== undefined && validTo !== recorded.validTo) {
    throw invalidField("valid_to", asRecorded);
  }
  const writtenEnd = recorded.validTo === undefined ? validTo : (recorded.writtenEnd ?? null);
  if (writtenEnd !== null && writtenEnd <= validFrom) {
    throw invalidField(
      "valid_to",
      "must be later than `valid_from` where nothing ended the memory",
    );
  }
}

/**
 * Checks where a replaced memory ends: as its supersession said, or earlier at `followedBy`, the
 * first start behind its replacement (D18a); null: none. It may end sooner where what trimmed it,
 * or stood beside it, was erased (D43). Throws `invalid_field`.
 */
function checkTrimmedEnd(
  { validTo }: Memory,
  { givenEnd, trimmedBy, isBesideErased }: RecordedEnd,
  followedBy: Instant | null,
  isThere: (id: MemoryId) => boolean,
): void {
  if (givenEnd === null) return;
  const end = followedBy === null ? givenEnd : earlier(givenEnd, followedBy);
  if (validTo === end) return;
  const mayEndSooner = isBesideErased || ![...trimmedBy].every(isThere);
  if (mayEndSooner && validTo !== null && validTo < end) return;
  throw invalidField(
    "valid_to",
    "must be the end that its supersession gave, or the earliest start behind its replacement",
  );
}

export interface ChainMember extends Pick<Memory, "tenantId" | "validFrom"> {
  /** The earliest start of what follows it, all the way to the head; null: nothing does. */
  readonly followedBy: Instant | null;
}

/** The chains of memories that come one after the other, each behind its replacement. */
export class ImportedChains {
  readonly #members: Map<MemoryId, ChainMember>;

  /** `stored`: what came before, as far as one that comes names it: its replacement, and what trimmed it. */
  constructor(stored: ReadonlyMap<MemoryId, ChainMember>) {
    this.#members = new Map(stored);
  }

  /**
   * Adds the next one, which ended as its history `recorded`. Throws `invalid_field` unless its
   * replacement came before, in the same tenant, and it ends where the chain has it end (D18a, D20).
   */
  add(memory: Memory, recorded: RecordedEnd): void {
    const { id, tenantId, validFrom, supersededBy } = memory;
    const replacement = supersededBy === null ? null : this.#members.get(supersededBy);
    if (replacement === undefined || (replacement && replacement.tenantId !== tenantId)) {
      throw invalidField(
        "superseded_by",
        "must be a memory of the same tenant that stands on a line before",
      );
    }
    const behind = replacement?.followedBy ?? null;
    checkTrimmedEnd(memory, recorded, behind, (member) => this.#members.has(member));
    const start = replacement?.validFrom ?? null;
    const followedBy = start === null || behind === null ? start : earlier(start, behind);
    this.#members.set(id, { tenantId, validFrom, followedBy });
  }
}

/** Of an event beside its detail. */
export const EVENT_BYTES = 100;

/** What it costs to import a memory (D42a). */
export function writesOf({ history }: ExportedMemory): number {
  const bytes = history.reduce(
    (sum, { detail }) => sum + EVENT_BYTES + Buffer.byteLength(JSON.stringify(detail)),
    0,
  );
  return 1 + Math.floor(bytes / HISTORY_BYTES_A_WRITE);
}

/** Whether two are the same, but for later imports (D42a) and the order of names in objects. */
export function isSameMemory(a: ExportedMemory, b: ExportedMemory): boolean {
  return canonicalText(a) === canonicalText(b);
}

function canonicalText(value: ExportedMemory): string {
  const history = value.history.filter(({ event }) => event !== "imported");
  return JSON.stringify({ ...value, history }, (_, each: unknown) => {
    if (typeof each === "bigint") return String(each);
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
