import type { AuditEvent } from "./audit-event.ts";
import { CLASSIFIER_ACTOR } from "./audit-event.ts";
import type { CategoryGate } from "./category-gate.ts";
import type { MemoryId } from "./ids.ts";
import type { Instant } from "./instant.ts";
import { MAX_SUPERSESSION_CANDIDATES, MIN_CANDIDATE_SIMILARITY } from "./limits.ts";
import { type Memory, temporalFlags } from "./memory.ts";
import type { AutoSupersedeMode } from "./settings.ts";
import { planSupersession, supersededEvent } from "./supersession.ts";
import { zip } from "./zip.ts";

/** Why automatic supersession ended nothing (D23). */
export type SkippedReason =
  | "disabled"
  | "excluded_category"
  | "no_candidates"
  | "not_superseding"
  | "below_min_confidence"
  | "classifier_unavailable";

/** One automatic supersession (D23). */
export interface AutoSupersession {
  /** The memory that ended. */
  readonly memoryId: MemoryId;
  readonly supersededBy: MemoryId;
  readonly validTo: Instant;
  /** 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
  readonly model: string;
  /** False when the decision was recorded but not acted on. */
  readonly applied: boolean;
}

/** What automatic supersession did for one new memory (4.1). */
export interface AutoSupersedeOutcome {
  /** True when the classifier ran. */
  readonly ran: boolean;
  /** null where a supersession took place. */
  readonly skippedReason: SkippedReason | null;
  /** Number of memories that the classifier was shown. */
  readonly candidatesExamined: number;
  readonly supersession: AutoSupersession | null;
}

/** A memory that a new fact may replace, as the gate and the classifier see it. */
export type Candidate = Pick<Memory, "id" | "decision" | "topic" | "validFrom">;

/** What a classifier says: whether a fact is a newer value of what one candidate says. */
export interface Classification {
  /** Position among the candidates it was shown, from 0; null: the fact replaces none. */
  readonly supersededIndex: number | null;
  /** 0 to 1. */
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
  /** The model that decided. */
  readonly model: string;
}

/** What is decided for one new fact before anything is stored. */
export interface Verdict {
  /** What the classifier was shown; empty: it was not asked. */
  readonly candidates: readonly Candidate[];
  /** null: the classifier was not asked, or it did not answer. */
  readonly classification: Classification | null;
  /** The candidate to end; null: none. */
  readonly superseded: Candidate | null;
  /** Why none is ended; null where one is. */
  readonly skippedReason: SkippedReason | null;
}

/** The verdict on a fact for which the classifier is not asked. */
export function notAsked(skippedReason: SkippedReason): Verdict {
  return { candidates: [], classification: null, superseded: null, skippedReason };
}

/**
 * Why a new fact never reaches the classifier: its category is excluded (D24), or
 * it does not hold now and so ends nothing that does. null: it may.
 */
export function reasonNotToAsk(fact: Memory, gate: CategoryGate): SkippedReason | null {
  if (gate.excludedCategory(fact) !== null) return "excluded_category";
  return temporalFlags(fact, fact.createdAt).isCurrent ? null : "no_candidates";
}

/**
 * What the classifier is shown of all that is near to a fact: the nearest ones
 * that were not ended before in the same write, and of these none in an excluded
 * category (D23, D24).
 */
export function chooseCandidates(
  near: readonly { readonly candidate: Candidate; readonly similarity: number }[],
  gate: CategoryGate,
  endedIds: ReadonlySet<MemoryId>,
): Candidate[] {
  return near
    .filter(({ similarity }) => similarity >= MIN_CANDIDATE_SIMILARITY)
    .filter(({ candidate }) => !endedIds.has(candidate.id))
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_SUPERSESSION_CANDIDATES)
    .map(({ candidate }) => candidate)
    .filter((candidate) => gate.excludedCategory(candidate) === null);
}

/**
 * The verdict that a classification comes to (D23). `classification` null: the
 * classifier failed. What a model returns is untrusted: a confidence out of range
 * is none, and a position that it was not shown names no candidate.
 */
export function judge(
  candidates: readonly Candidate[],
  classification: Classification | null,
  minConfidence: number,
): Verdict {
  if (classification === null) {
    return {
      candidates,
      classification,
      superseded: null,
      skippedReason: "classifier_unavailable",
    };
  }
  const { supersededIndex, confidence: stated } = classification;
  const isConfidence = stated >= 0 && stated <= 1;
  const confidence = isConfidence ? stated : 0;
  const named = supersededIndex === null ? undefined : candidates[supersededIndex];
  const isSure = isConfidence && confidence >= minConfidence;
  return {
    candidates,
    classification: { ...classification, confidence },
    superseded: named !== undefined && isSure ? named : null,
    skippedReason: named === undefined ? "not_superseding" : isSure ? null : "below_min_confidence",
  };
}

/** A new memory and the verdict on it. */
export interface JudgedMemory {
  readonly memory: Memory;
  readonly verdict: Verdict;
}

/** What a write does besides storing its facts. */
export interface SettledWrite<Fact extends JudgedMemory> {
  /** In order; a fact that a later one replaces is stored as superseded. */
  readonly facts: readonly (Fact & { readonly outcome: AutoSupersedeOutcome })[];
  /** The stored memories that end, as they are afterwards. */
  readonly ended: readonly Memory[];
  /** The supersessions, in order, for the histories of the memories that ended. */
  readonly events: readonly AuditEvent[];
}

/**
 * What comes of the verdicts on the facts of one write, in order, once the stored
 * candidates are locked. The verdicts were made before, so each candidate is looked
 * at again: one that another call ended in the meantime stays as that call left it.
 * In `shadow` mode the outcome says what would have been, and nothing ends.
 */
export function settleWrite<Fact extends JudgedMemory>(
  facts: readonly Fact[],
  locked: readonly Memory[],
  mode: AutoSupersedeMode,
  now: Instant,
): SettledWrite<Fact> {
  const states = new Map(locked.map((memory) => [memory.id, memory]));
  const outcomes: AutoSupersedeOutcome[] = [];
  const endedIds = new Set<MemoryId>();
  const events: AuditEvent[] = [];
  for (const { memory, verdict } of facts) {
    const candidate = verdict.superseded === null ? undefined : states.get(verdict.superseded.id);
    const { outcome, ended, event } = settle(memory, verdict, candidate, mode, now);
    outcomes.push(outcome);
    states.set(memory.id, memory);
    if (ended === null) continue;
    states.set(ended.id, ended);
    endedIds.add(ended.id);
    events.push(event);
  }
  return {
    facts: zip(facts, outcomes).map(([fact, outcome]) => ({
      ...fact,
      memory: states.get(fact.memory.id) ?? fact.memory,
      outcome,
    })),
    ended: locked.flatMap(({ id }) => (endedIds.has(id) ? (states.get(id) ?? []) : [])),
    events,
  };
}

type Settlement = { readonly outcome: AutoSupersedeOutcome } & (
  | { readonly ended: Memory; readonly event: AuditEvent }
  | { readonly ended: null; readonly event: null }
);

/** `candidate`: the one that the verdict names, as it is now; undefined: none, or it is gone. */
function settle(
  fact: Memory,
  verdict: Verdict,
  candidate: Memory | undefined,
  mode: AutoSupersedeMode,
  now: Instant,
): Settlement {
  const { candidates, classification, superseded, skippedReason } = verdict;
  const ran = { ran: candidates.length > 0, candidatesExamined: candidates.length };
  const nothing = (reason: SkippedReason | null): Settlement => ({
    outcome: { ...ran, skippedReason: reason, supersession: null },
    ended: null,
    event: null,
  });
  if (superseded === null || classification === null) return nothing(skippedReason);
  if (candidate === undefined || !temporalFlags(candidate, now).isCurrent) {
    return nothing("no_candidates");
  }

  const request = { supersededBy: fact.id, validTo: null };
  const replacement = { memory: fact, chainHeadId: fact.id };
  const plan = planSupersession(
    { memory: candidate, earlierRequest: null, replacement },
    request,
    now,
  );
  if (plan.kind === "repeat") throw new Error("a current memory has no supersession to repeat");
  const { confidence, reason, model } = classification;
  const decision = { confidence, reason, model };
  const applied = mode === "act";
  const supersession: AutoSupersession = {
    memoryId: candidate.id,
    supersededBy: fact.id,
    validTo: plan.change.validTo,
    ...decision,
    applied,
  };
  const outcome = { ...ran, skippedReason: null, supersession };
  if (!applied) return { outcome, ended: null, event: null };
  return {
    outcome,
    ended: { ...candidate, ...plan.change },
    event: supersededEvent(candidate, request, plan.change, { actor: CLASSIFIER_ACTOR, decision }),
  };
}
