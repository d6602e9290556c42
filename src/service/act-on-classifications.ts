import { type AuditEvent, CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome } from "../domain/auto-supersede.ts";
import type { Instant } from "../domain/instant.ts";
import { type Memory, temporalFlags } from "../domain/memory.ts";
import { planSupersession, type SupersessionRequest } from "../domain/supersession.ts";
import { lockMemories, markSuperseded } from "../storage/memories.ts";
import type { Executor } from "../storage/schema.ts";
import type { FactVerdict } from "./classify-facts.ts";
import { supersededEvent } from "./supersession-event.ts";

/** A fact that was just stored, and what the classifier made of it before. */
export interface StoredClassification {
  readonly memory: Memory;
  readonly classified: FactVerdict;
}

/** What came of one fact's classification, and the event of the memory that it ended. */
export interface ClassificationResult {
  readonly outcome: AutoSupersedeOutcome;
  readonly events: readonly AuditEvent[];
}

/**
 * Acts on the classifier's decisions, one result for each fact, in order. The
 * decisions were made before the transaction, so each candidate is locked and
 * looked at again: one that another call ended in the meantime stays as that
 * call left it.
 */
export async function actOnClassifications(
  trx: Executor,
  companyId: string,
  facts: readonly StoredClassification[],
  now: Instant,
): Promise<ClassificationResult[]> {
  const candidateIds = facts.flatMap(({ classified }) =>
    classified.kind === "classified" && classified.superseded !== null
      ? classified.superseded.id
      : [],
  );
  const locked =
    candidateIds.length === 0 ? [] : await lockMemories(trx, companyId, [...new Set(candidateIds)]);
  const results: ClassificationResult[] = [];
  for (const { memory, classified } of facts) {
    results.push(await actOn(trx, memory, classified, locked, now));
  }
  return results;
}

async function actOn(
  trx: Executor,
  memory: Memory,
  classified: FactVerdict,
  locked: readonly Memory[],
  now: Instant,
): Promise<ClassificationResult> {
  if (classified.kind === "skipped") return { outcome: classified.outcome, events: [] };
  const { superseded, candidates, mode } = classified;
  const { confidence, reason, model } = classified.classification;
  const ran = { ran: true, candidatesExamined: candidates.length, supersession: null };
  if (superseded === null) {
    return { outcome: { ...ran, skippedReason: classified.skippedReason }, events: [] };
  }
  const candidate = locked.find(({ id }) => id === superseded.id);
  if (candidate === undefined || !temporalFlags(candidate, now).isCurrent) {
    return { outcome: { ...ran, skippedReason: "no_candidates" }, events: [] };
  }

  const request: SupersessionRequest = { supersededBy: memory.id, validTo: null };
  const replacement = { memory, chainHeadId: memory.id };
  const plan = planSupersession(
    { memory: candidate, earlierRequest: null, replacement },
    request,
    now,
  );
  const { validTo } = plan.kind === "change" ? plan.change : plan.stored;
  const applied = mode === "act" && plan.kind === "change";
  const decision = { confidence, reason, model };
  const outcome: AutoSupersedeOutcome = {
    ...ran,
    skippedReason: null,
    supersession: {
      memoryId: candidate.id,
      supersededBy: memory.id,
      validTo,
      ...decision,
      applied,
    },
  };
  if (!applied) return { outcome, events: [] };
  await markSuperseded(trx, memory.companyId, candidate.id, plan.change);
  const by = { actor: CLASSIFIER_ACTOR, decision };
  return { outcome, events: [supersededEvent(candidate, request, plan.change, by)] };
}
