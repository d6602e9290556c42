import { type AuditEvent, CLASSIFIER_ACTOR } from "./audit-event.ts";
import type {
  AutoSupersedeOutcome,
  Decision,
  Retraction,
  UnheededRetraction,
  Verdict,
} from "./auto-supersession.ts";
import type { MemoryId } from "./ids.ts";
import { earlier, type Instant, later } from "./instant.ts";
import { type Memory, temporalFlags } from "./memory.ts";
import type { AutoSupersedeMode } from "./settings.ts";
import {
  planSupersession,
  type SupersessionChange,
  type SupersessionRequest,
  supersededEvent,
} from "./supersession.ts";
import { type Start, trimWithin } from "./trimming.ts";

/** What a write states or takes back, and the verdict on it. */
export interface JudgedStatement {
  /** What it is stored as; of what is taken back, what it would be. */
  readonly memory: Memory;
  readonly statedAt: Instant;
  readonly verdict: Verdict;
  /** The message that takes it back, counted from 0; null: it is a fact. */
  readonly retractedBy: number | null;
}

/** What a write does besides storing its facts. */
export interface SettledWrite<Fact extends JudgedStatement> {
  /** In order; a fact that a later one replaces is stored as superseded. */
  readonly facts: readonly (Fact & { readonly outcome: AutoSupersedeOutcome })[];
  readonly retractions: readonly Retraction[];
  /** What was taken back and ends nothing. */
  readonly unheeded: readonly UnheededRetraction[];
  /** The stored memories that end, as they are afterwards. */
  readonly ended: readonly Memory[];
  /** The ends, in order, for the histories of the memories that ended. */
  readonly events: readonly AuditEvent[];
  /**
   * By `ended`, where the first of what follows starts: nothing before it holds past that
   * (D18a). null: it has no replacement.
   */
  readonly laterStarts: ReadonlyMap<MemoryId, Start | null>;
}

/**
 * What comes of the verdicts on the statements of one write, in order, once the stored
 * candidates are locked. The verdicts were made before, so each candidate is looked
 * at again: one that another call ended in the meantime stays as that call left it.
 * In `shadow` mode the outcome says what would have been, and nothing ends.
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
  const unheeded: UnheededRetraction[] = [];
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
        // What it named may have ended meanwhile.
        const reason = verdict.skippedReason ?? "no_candidates";
        unheeded.push({ text, messageIndex: retractedBy, reason });
      }
      retractions.push(
        ...ends.map(({ memory: { id: memoryId }, change: { validTo }, decision }) => {
          return { memoryId, text, messageIndex: retractedBy, validTo, ...decision, applied };
        }),
      );
    }
    if (!applied) continue;
    for (const { memory: ended, request, change, decision } of ends) {
      states.set(ended.id, { ...ended, ...change });
      endedIds.add(ended.id);
      const event = supersededEvent(ended, request, change, { actor: CLASSIFIER_ACTOR, decision });
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
    unheeded,
    ended,
    events: [...events, ...trimmed.events],
    laterStarts: new Map(ended.map(({ id }) => [id, trimmed.laterStarts.get(id) ?? null])),
  };
}

/** A memory that ends, as it was before. */
interface End {
  readonly memory: Memory;
  readonly request: SupersessionRequest;
  readonly change: SupersessionChange;
  readonly decision: Decision;
}

/** `states`: the memories that the verdict may name, as they are now; others are gone. */
function endsOf(
  statement: JudgedStatement,
  states: ReadonlyMap<MemoryId, Memory>,
  now: Instant,
): End[] {
  return statement.verdict.superseded.flatMap(({ candidate, ...decision }) => {
    const memory = states.get(candidate.id);
    if (memory === undefined || !temporalFlags(memory, now).isCurrent) return [];
    // A fact may have expired since it was judged.
    const isFact = statement.retractedBy === null;
    if (isFact && !temporalFlags(statement.memory, now).isCurrent) return [];
    const { request, replacement } = requestOf(statement, memory);
    const plan = planSupersession({ memory, earlierRequest: null, replacement }, request, now);
    if (plan.kind === "repeat") throw new Error("a current memory has no supersession to repeat");
    return { memory, request, change: plan.change, decision };
  });
}

function requestOf({ memory: fact, statedAt, retractedBy }: JudgedStatement, memory: Memory) {
  if (retractedBy === null) {
    return {
      request: { supersededBy: fact.id, validTo: null },
      replacement: { memory: fact, chainHeadId: fact.id },
    };
  }
  const end = later(statedAt, memory.validFrom);
  const validTo = memory.validTo === null ? end : earlier(end, memory.validTo);
  return { request: { supersededBy: null, validTo }, replacement: null };
}

function outcomeOf(
  { id: supersededBy }: Memory,
  { candidates, superseded, skippedReason }: Verdict,
  ends: readonly End[],
  applied: boolean,
): AutoSupersedeOutcome {
  const isMeanwhileGone = superseded.length > 0 && ends.length === 0;
  return {
    ran: candidates.length > 0,
    candidatesExamined: candidates.length,
    skippedReason: isMeanwhileGone ? "no_candidates" : skippedReason,
    supersessions: ends.map(({ memory: { id: memoryId }, change: { validTo }, decision }) => {
      return { memoryId, supersededBy, validTo, ...decision, applied };
    }),
  };
}
