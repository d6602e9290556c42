import { fold } from "@agent-memory/text";
import type { EmbeddingSpace } from "./embedding.ts";
import type { MemoryId } from "./ids.ts";
import type { Instant } from "./instant.ts";
import { MAX_SUPERSESSION_CANDIDATES } from "./limits.ts";
import { type Memory, temporalFlags } from "./memory.ts";

/** Why automatic supersession ended nothing (D23). */
export type SkippedReason =
  | "disabled"
  | "excluded_category"
  | "no_candidates"
  | "not_superseding"
  | "below_min_confidence"
  | "classifier_unavailable";

/** What a classifier says of one memory that it ended, or would have. */
export interface Judgement {
  /** 0 to 1. */
  readonly confidence: number;
  /** One sentence. */
  readonly reason: string;
  readonly model: string;
}

interface AutomaticEnd extends Judgement {
  readonly memoryId: MemoryId;
  readonly validTo: Instant;
  /** False when the decision was recorded but not acted on. */
  readonly applied: boolean;
}

/** One automatic supersession (D23). */
export interface AutoSupersession extends AutomaticEnd {
  readonly supersededBy: MemoryId;
}

/** The outcome of automatic supersession for one new memory (4.1). */
export interface AutoSupersedeOutcome {
  /** True when the new memory was compared with others. */
  readonly ran: boolean;
  /** null where a supersession took place. */
  readonly skippedReason: SkippedReason | null;
  /** The excluded category that it is in, as the settings spell it; undefined: it is in none. */
  readonly category?: string;
  /** Number of memories that the new one was compared with. */
  readonly candidatesExamined: number;
  /** The surest first. */
  readonly supersessions: readonly AutoSupersession[];
}

/** The end of a memory that a user took back (D25a). */
export interface Retraction extends AutomaticEnd {
  /** The retracted fact, as a statement. */
  readonly text: string;
  /** The message that took it back, counted from 0. */
  readonly messageIndex: number;
}

/** A retraction that ended no memory (D25a, D27a). */
export interface IgnoredRetraction extends Pick<Retraction, "text" | "messageIndex"> {
  readonly reason: SkippedReason;
}

/** A memory that a new fact may replace, as the gate and the classifier see it. */
export interface Candidate extends Pick<Memory, "id" | "decision" | "topic"> {
  /** The time of its conversation, or the start that its writer gave. */
  readonly statedAt: Instant;
}

export interface RankedCandidate {
  readonly candidate: Candidate;
  /** Cosine similarity to the fact, clipped to 0 and 1. */
  readonly similarity: number;
  /** It is about the same attribute of the same subject. */
  readonly hasSameAttribute: boolean;
}

export interface NamedCandidate extends Omit<Judgement, "model"> {
  /** Position among the candidates it was shown, from 0. */
  readonly index: number;
}

/** A classifier's answer about a fact and its candidates: its decision is that there are no others. */
export interface Classification extends Judgement {
  /** The candidates that the fact makes untrue or says again; empty: none. */
  readonly superseded: readonly NamedCandidate[];
}

export interface SupersededCandidate extends Judgement {
  readonly candidate: Candidate;
}

/** The decision about one new fact, before anything is stored. */
export interface Verdict {
  /** The memories that the fact was compared with; empty: none. */
  readonly candidates: readonly Candidate[];
  /** The decision on the surest candidate, or why none was named; null: nobody decided. */
  readonly decision: Judgement | null;
  /** The candidates to end, the surest first. */
  readonly superseded: readonly SupersededCandidate[];
  /** Why none is ended; null where one is. */
  readonly skippedReason: SkippedReason | null;
  /** The excluded category that the fact is in; undefined: it is in none. */
  readonly category?: string;
}

/** The verdict on a fact for which the classifier is not asked. */
export function notAsked(skippedReason: SkippedReason, category?: string): Verdict {
  const isHeld = skippedReason === "excluded_category" && category !== undefined;
  const skipped = { skippedReason, ...(isHeld && { category }) };
  return { candidates: [], decision: null, superseded: [], ...skipped };
}

/**
 * Why a fact never reaches the classifier; null: it may. Its category is excluded (D24), or it does
 * not hold now and so ends nothing. `excludedIds`: memories in excluded categories.
 */
export function reasonNotToAsk(
  fact: Memory,
  excludedIds: Pick<ReadonlySet<MemoryId>, "has">,
): SkippedReason | null {
  if (excludedIds.has(fact.id)) return "excluded_category";
  return temporalFlags(fact, fact.createdAt).isCurrent ? null : "no_candidates";
}

interface DatedStatement {
  readonly statedAt: Instant;
  readonly memory: Pick<Memory, "validFrom">;
}

/**
 * Whether `other`, of the same write, is newer (D23): a backdated fact cannot end it. Facts of one
 * conversation are stated at once. Where both state a start, the starts decide.
 */
export function isNewerThan(fact: DatedStatement, other: DatedStatement): boolean {
  if (other.statedAt !== fact.statedAt) return other.statedAt > fact.statedAt;
  const statesStart = other.memory.validFrom < other.statedAt;
  return statesStart && other.memory.validFrom > fact.memory.validFrom;
}

/**
 * What a fact is compared with (D23, D24): of what the same write did not end, what is about the
 * same attribute, then the nearest, and none in an excluded category.
 */
export function chooseCandidates<Ranked extends RankedCandidate>(
  near: readonly Ranked[],
  excludedIds: Pick<ReadonlySet<MemoryId>, "has">,
  endedIds: ReadonlySet<MemoryId>,
): Ranked[] {
  return near
    .filter(({ candidate }) => !endedIds.has(candidate.id))
    .toSorted(
      (a, b) =>
        Number(b.hasSameAttribute) - Number(a.hasSameAttribute) || b.similarity - a.similarity,
    )
    .slice(0, MAX_SUPERSESSION_CANDIDATES)
    .filter(({ candidate }) => !excludedIds.has(candidate.id));
}

/** A fact, and what it is compared with. */
interface ComparedFact {
  readonly fact: { readonly memory: Pick<Memory, "id"> };
  readonly near: readonly RankedCandidate[];
}

/**
 * The facts in groups, each in order, so that no two groups share a candidate and
 * none has a candidate in another: what one decides then changes nothing for another.
 */
export function groupsOf<Compared extends ComparedFact>(facts: readonly Compared[]): Compared[][] {
  // Each ID leads to another of its group, and the last one names the group.
  const leads = new Map<MemoryId, MemoryId>();
  const nameOf = (id: MemoryId): MemoryId => {
    let name = id;
    for (let next = leads.get(name); next !== undefined; next = leads.get(name)) name = next;
    if (name !== id) leads.set(id, name);
    return name;
  };
  for (const { fact, near } of facts) {
    let name = nameOf(fact.memory.id);
    for (const { candidate } of near) {
      const other = nameOf(candidate.id);
      if (name !== other) leads.set(name, other);
      name = other;
    }
  }
  return [...Map.groupBy(facts, ({ fact }) => nameOf(fact.memory.id)).values()];
}

const SAME_WORDS: Judgement = {
  confidence: 1,
  reason: "It says the same in the same words.",
  model: "same-words",
};

/** Two texts with one spelling are the same but for case, accents, white space and a last full stop. */
export function spellingOf(text: string): string {
  // Tried at the first of a row of stops alone.
  return fold(text)
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/ ?(?<![.!])[.!]+$/u, "");
}

/** The verdict once the candidates that say the same in the same words are added to it. */
export function withRepeats(verdict: Verdict, repeats: readonly Candidate[]): Verdict {
  if (repeats.length === 0) return verdict;
  return {
    candidates: [...repeats, ...verdict.candidates],
    decision: SAME_WORDS,
    superseded: [
      ...repeats.map((candidate) => ({ candidate, ...SAME_WORDS })),
      ...verdict.superseded,
    ],
    skippedReason: null,
  };
}

/**
 * The verdict of a classification (D23); null: the classifier failed. It is untrusted: a confidence
 * out of range is none, an unknown position no candidate, and of two on one the surer counts.
 */
export function judge(
  candidates: readonly Candidate[],
  classification: Classification | null,
  minConfidence: number,
): Verdict {
  if (classification === null) {
    return { candidates, decision: null, superseded: [], skippedReason: "classifier_unavailable" };
  }
  const { model, reason } = classification;
  const named = new Map<MemoryId, SupersededCandidate & { readonly isSure: boolean }>();
  for (const { index, confidence, reason } of classification.superseded) {
    const candidate = candidates[index];
    if (candidate === undefined) continue;
    const believed = believedConfidence(confidence);
    const isSure = believed === confidence && believed >= minConfidence;
    if (believed <= (named.get(candidate.id)?.confidence ?? -1)) continue;
    named.set(candidate.id, { candidate, confidence: believed, reason, model, isSure });
  }
  const surestFirst = [...named.values()].toSorted((a, b) => b.confidence - a.confidence);
  const superseded = surestFirst.filter(({ isSure }) => isSure).map(({ isSure, ...each }) => each);
  const [surest] = surestFirst;
  return {
    candidates,
    decision:
      surest === undefined
        ? { confidence: believedConfidence(classification.confidence), reason, model }
        : { confidence: surest.confidence, reason: surest.reason, model },
    superseded,
    skippedReason:
      surest === undefined
        ? "not_superseding"
        : superseded.length === 0
          ? "below_min_confidence"
          : null,
  };
}

function believedConfidence(stated: number): number {
  return stated >= 0 && stated <= 1 ? stated : 0;
}

/**
 * The cosine similarity from which on a memory may be about the same as a new fact, by embedding
 * model (D23): models differ in how alike they find what has nothing in common. `npm run quality --
 * --only "candidate bar"` says what the bar of a model lets pass, and finds the highest one that
 * keeps every pair of the development set of which one fact replaces the other.
 */
const BARS: ReadonlyMap<string, number> = new Map([
  // Measured: 0.14 keeps every pair of facts, and loses one in seven facts that people end in
  // words of their own, which share few words with it; 0.01 one in thirteen, and this bar none.
  ["local/hashed-text-1", -0.02],
  // Not measured here: low, since of what passes the classifier decides.
  ["gemini/gemini-embedding-001", 0.6],
  ["openai/text-embedding-ada-002", 0.75],
]);

/**
 * The bar of a model that nobody measured. It is low: the ten nearest are few. Of a sentence
 * encoder, 0.3 loses one in six facts that people end in words of their own, and this one in forty.
 */
const UNKNOWN_MODEL_BAR = 0.1;

/** The similarity, -1 to 1, that makes a memory a candidate in an embedding space. */
export function candidateBar({ provider, model }: EmbeddingSpace): number {
  return BARS.get(`${provider}/${model}`) ?? UNKNOWN_MODEL_BAR;
}
