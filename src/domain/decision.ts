import type { Judgement } from "./auto-supersession.ts";
import type { MemoryId } from "./ids.ts";
import type { Instant } from "./instant.ts";

export type HumanVerdict = "right" | "wrong";

/** What happens to a memory by a decision; `shadow`: nothing does. */
export type DecisionKind = "superseded" | "retracted" | "shadow";

/** One decision: an event in the history of a memory, and one of the memories that it ends. */
export interface DecisionKey {
  readonly decidedIn: MemoryId;
  readonly sequence: number;
  readonly memoryId: MemoryId;
}

/** A memory that the classifier ended, or would have ended, and what became of it. */
export interface Decision extends DecisionKey, Judgement {
  readonly at: Instant;
  readonly kind: DecisionKind;
  /** null: it was taken back in a conversation. */
  readonly replacementId: MemoryId | null;
  /** Of a retraction the end that it gave; null: another kind. */
  readonly validTo: string | null;
  /** The key that wrote the replacement; null: there is none, or it is not known. */
  readonly apiKeyId: string | null;
  readonly outcome: "applied" | "restored" | "watched" | "accepted" | "settled";
  /** null: nobody said. */
  readonly verdict: HumanVerdict | null;
  /** Whether it waits for a verdict. */
  readonly isOpen: boolean;
  /** Whether the memory can be ended by it, or restored, as things are. */
  readonly isReversible: boolean;
}

/** Which decisions; null: any. */
export interface DecisionFilter {
  readonly onlyOpen: boolean;
  /** "": the default tenant. */
  readonly tenantId: string | null;
  readonly apiKeyId: string | null;
  readonly minConfidence: number | null;
  readonly belowConfidence: number | null;
  readonly kind: DecisionKind | null;
}

/** Whether a verdict changes the memory; without one it is as the classifier left it. */
export function changesMemory(
  { kind, outcome, isReversible }: Decision,
  verdict: HumanVerdict | null,
) {
  const isEnded = outcome === "applied" || outcome === "accepted";
  const shallEnd = verdict === null ? kind !== "shadow" : verdict === "right";
  if (!isReversible || isEnded === shallEnd) return null;
  return shallEnd ? "supersede" : "restore";
}
