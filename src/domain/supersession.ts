import { type AuditEvent, CLASSIFIER_ACTOR } from "./audit-event.ts";
import type {
  AutoSupersedeOutcome,
  IgnoredRetraction,
  Judgement,
  Retraction,
  Verdict,
} from "./auto-supersession.ts";
import { type Start, trimWithin } from "./chain.ts";
import { Failure, type FailureReason } from "./failure.ts";
import { isMemoryId, type MemoryId } from "./ids.ts";
import { earlier, formatInstant, type Instant, later, parseInstant } from "./instant.ts";
import { type Memory, temporalFlags } from "./memory.ts";
import type { AutoSupersedeMode } from "./settings.ts";

/** The request of a supersession. At least one of the two is given. */
export interface SupersessionRequest {
  readonly supersededBy: MemoryId | null;
  readonly validTo: Instant | null;
}

/** What a supersession writes: the only change a memory ever sees (1.4). */
export interface SupersessionChange {
  readonly validTo: Instant;
  readonly supersededBy: MemoryId | null;
  readonly supersededAt: Instant;
}

/** The memory's end; `isRepeat`: it had ended so before, and that is the answer again. */
export interface StoredSupersession extends SupersessionChange {
  readonly isRepeat: boolean;
}

/** The locked state that a supersession is decided on. */
export interface SupersessionState {
  readonly memory: Memory;
  /** The request that ended the memory before; null: it was not ended. */
  readonly earlierRequest: SupersessionRequest | null;
  /** null: the request names none. */
  readonly replacement: {
    readonly memory: Memory;
    /** Last memory of the chain that the replacement belongs to. */
    readonly chainHeadId: MemoryId;
  } | null;
}

/**
 * Decides what a supersession changes (4.8, D18).
 *
 * Throws a `Failure`: `already_superseded`, `supersedes_itself`, `different_tenant`,
 * `supersession_cycle` or `replacement_ended` for a request that contradicts what is stored.
 */
export function planSupersession(
  state: SupersessionState,
  request: SupersessionRequest,
  now: Instant,
): StoredSupersession {
  const { memory, earlierRequest, replacement } = state;
  if (memory.supersededAt !== null) {
    const { validTo, supersededBy, supersededAt } = memory;
    if (validTo !== null && earlierRequest !== null && isSame(earlierRequest, request)) {
      return { validTo, supersededBy, supersededAt, isRepeat: true };
    }
    throw new Failure(
      "already_superseded",
      "the memory is already superseded, by a request with other values; supersede the head of its chain instead",
    );
  }
  if (replacement !== null) checkReplacement(memory, replacement, now);

  const validTo = request.validTo ?? (replacement && endBy(replacement.memory.validFrom, memory));
  if (validTo === null) throw new Error("a supersession needs a replacement or an end");
  return { validTo, supersededBy: request.supersededBy, supersededAt: now, isRepeat: false };
}

function checkReplacement(
  memory: Memory,
  replacement: NonNullable<SupersessionState["replacement"]>,
  now: Instant,
): void {
  const refused = (reason: FailureReason, rule: string) =>
    new Failure(reason, `\`superseded_by\` ${rule}`, { field: "superseded_by" });
  const { id, tenantId, supersededBy } = replacement.memory;
  if (id === memory.id) throw refused("supersedes_itself", "must not be the memory itself");
  if (tenantId !== memory.tenantId) {
    throw refused("different_tenant", "must be a memory of the same tenant");
  }
  // The memory is the head of its own chain. A replacement whose chain ends in
  // the memory is one of its predecessors, and the link would close a circle.
  if (replacement.chainHeadId === memory.id) {
    const rule = "must not be an earlier version of the memory: the chain would be a circle";
    throw refused("supersession_cycle", rule);
  }
  if (supersededBy === null && !temporalFlags(replacement.memory, now).isCurrent) {
    throw refused(
      "replacement_ended",
      "must not be a memory that was itself ended without a replacement, or that has expired",
    );
  }
}

/**
 * The end that a later start gives a memory, but not after an end that it already had. An end at or
 * before the memory's start says that it never held as recorded.
 */
function endBy(start: Instant, { validTo }: Memory): Instant {
  return validTo === null ? start : earlier(start, validTo);
}

function isSame(a: SupersessionRequest, b: SupersessionRequest): boolean {
  return a.supersededBy === b.supersededBy && a.validTo === b.validTo;
}

/** The event that records a supersession, with what was asked and what it ended. */
export function supersededEvent(
  memory: Memory,
  request: SupersessionRequest,
  change: SupersessionChange,
  by: {
    readonly actor: string;
    /** The classifier's decision; what a caller who decided says of it. */
    readonly decision?: Partial<Judgement>;
    /** What it was shown: its reason may quote all of them. */
    readonly candidates?: readonly MemoryId[];
  },
): AuditEvent {
  return {
    memoryId: memory.id,
    event: "superseded",
    at: change.supersededAt,
    actor: by.actor,
    detail: {
      superseded_by: change.supersededBy,
      valid_to: formatInstant(change.validTo),
      previous_valid_to: formatOptional(memory.validTo),
      requested: {
        superseded_by: request.supersededBy,
        valid_to: formatOptional(request.validTo),
      },
      ...by.decision,
      ...(by.candidates && { candidates: by.candidates }),
    },
  };
}

/** The request that a `superseded` event records; null: it records none. */
export function requestOf(detail: AuditEvent["detail"]): SupersessionRequest | null {
  const { requested } = detail;
  if (typeof requested !== "object" || requested === null || !("superseded_by" in requested)) {
    return null;
  }
  const { superseded_by: by, valid_to: end } = requested;
  return {
    supersededBy: typeof by === "string" && isMemoryId(by) ? by : null,
    validTo: typeof end === "string" ? parseInstant(end) : null,
  };
}

/** The end that a memory had before the supersession that its event records; null: none. */
export function previousEnd({ previous_valid_to: previous }: AuditEvent["detail"]): Instant | null {
  return typeof previous === "string" ? parseInstant(previous) : null;
}

function formatOptional(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** A statement or a retraction of a write, and the verdict on it. */
export interface JudgedStatement {
  /** The memory that it is stored as, or that a retracted fact would be. */
  readonly memory: Memory;
  readonly statedAt: Instant;
  readonly verdict: Verdict;
  /** The message that takes it back, counted from 0; null: it is a fact. */
  readonly retractedBy: number | null;
}

/** The effects of a write besides storing its facts. */
export interface SettledWrite<Fact extends JudgedStatement> {
  /** In order; a fact that a later one replaces is stored as superseded. */
  readonly facts: readonly (Fact & { readonly outcome: AutoSupersedeOutcome })[];
  readonly retractions: readonly Retraction[];
  /** Retractions that end nothing. */
  readonly ignoredRetractions: readonly IgnoredRetraction[];
  /** The stored memories that end, as they are afterwards. */
  readonly ended: readonly Memory[];
  /** The ends, in order, for the histories of the memories that ended. */
  readonly events: readonly AuditEvent[];
  /** By `ended`, where its replacement starts, which it cannot outlast (D18a). null: none. */
  readonly laterStarts: ReadonlyMap<MemoryId, Start | null>;
}

/**
 * What comes of the verdicts of a write, in order, on locked candidates. One that another call has
 * ended since stays as that left it. In `shadow` mode the outcome says what would have been, and
 * nothing ends.
 */
export function settleWrite<Fact extends JudgedStatement>(
  statements: readonly Fact[],
  locked: readonly Memory[],
  mode: AutoSupersedeMode,
  now: Instant,
): SettledWrite<Fact> {
  const states = new Map(locked.map((memory) => [memory.id, memory]));
  const applied = mode === "act";
  const facts: (Fact & { readonly outcome: AutoSupersedeOutcome })[] = [];
  const retractions: Retraction[] = [];
  const ignoredRetractions: IgnoredRetraction[] = [];
  const endedIds = new Set<MemoryId>();
  const events: AuditEvent[] = [];
  for (const statement of statements) {
    const { memory, verdict, retractedBy } = statement;
    const ends = endsOf(statement, states, now);
    if (retractedBy === null) {
      facts.push({ ...statement, outcome: outcomeOf(memory, verdict, ends, applied) });
      states.set(memory.id, memory);
    } else {
      const { decision: text } = memory;
      if (ends.length === 0) {
        // The memory that it named may have ended meanwhile.
        const reason = verdict.skippedReason ?? "no_candidates";
        ignoredRetractions.push({ text, messageIndex: retractedBy, reason });
      }
      retractions.push(
        ...ends.map(({ memory: { id: memoryId }, change: { validTo }, decision }) => {
          return { memoryId, text, messageIndex: retractedBy, validTo, ...decision, applied };
        }),
      );
    }
    if (!applied) continue;
    const candidates = verdict.candidates.map(({ id }) => id);
    for (const { memory: ended, change, decision } of ends) {
      states.set(ended.id, { ...ended, ...change });
      endedIds.add(ended.id);
      const by = { actor: CLASSIFIER_ACTOR, decision, candidates };
      const { supersededBy, validTo } = change;
      const request = { supersededBy, validTo: supersededBy === null ? validTo : null };
      const event = supersededEvent(ended, request, change, by);
      const detail = { ...event.detail, text: memory.decision };
      events.push(retractedBy === null ? event : { ...event, event: "retracted", detail });
    }
  }
  const stored = facts.map(({ memory: { id } }) => id);
  const written = [...stored, ...endedIds].flatMap((id) => states.get(id) ?? []);
  const trimmed = trimWithin(written, { actor: CLASSIFIER_ACTOR, at: now });
  // In the order of the locks; those that do not end are left out.
  const ended = locked.flatMap(({ id }) =>
    endedIds.has(id) ? (trimmed.versions.get(id) ?? []) : [],
  );
  return {
    facts: facts.map((fact) => ({
      ...fact,
      memory: trimmed.versions.get(fact.memory.id) ?? fact.memory,
    })),
    retractions,
    ignoredRetractions,
    ended,
    events: [...events, ...trimmed.events],
    laterStarts: new Map(ended.map(({ id }) => [id, trimmed.laterStarts.get(id) ?? null])),
  };
}

/** A memory that ends, as it was before. */
interface End {
  readonly memory: Memory;
  readonly change: SupersessionChange;
  readonly decision: Judgement;
}

/** `states`: the memories that the verdict may name, as they are now; others are gone. */
function endsOf(
  { memory: fact, statedAt, verdict, retractedBy }: JudgedStatement,
  states: ReadonlyMap<MemoryId, Memory>,
  now: Instant,
): End[] {
  const isFact = retractedBy === null;
  // A fact may have expired since it was judged.
  if (isFact && !temporalFlags(fact, now).isCurrent) return [];
  return verdict.superseded.flatMap(({ candidate, ...decision }) => {
    const memory = states.get(candidate.id);
    if (memory === undefined || !temporalFlags(memory, now).isCurrent) return [];
    const validTo = isFact
      ? endBy(fact.validFrom, memory)
      : endBy(later(statedAt, memory.validFrom), memory);
    const change = { validTo, supersededBy: isFact ? fact.id : null, supersededAt: now };
    return { memory, change, decision };
  });
}

function outcomeOf(
  { id: supersededBy }: Memory,
  { candidates, superseded, skippedReason, category }: Verdict,
  ends: readonly End[],
  applied: boolean,
): AutoSupersedeOutcome {
  const isMeanwhileGone = superseded.length > 0 && ends.length === 0;
  return {
    ran: candidates.length > 0,
    candidatesExamined: candidates.length,
    skippedReason: isMeanwhileGone ? "no_candidates" : skippedReason,
    ...(category !== undefined && { category }),
    supersessions: ends.map(({ memory: { id: memoryId }, change: { validTo }, decision }) => {
      return { memoryId, supersededBy, validTo, ...decision, applied };
    }),
  };
}
