import type { AuditEvent } from "../domain/audit-event.ts";
import { CLASSIFIER_ACTOR, type JsonValue } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome } from "../domain/auto-supersede.ts";
import type { Instant } from "../domain/instant.ts";
import { type Memory, type Provenance, temporalFlags } from "../domain/memory.ts";
import type { PlanUsage } from "../domain/plan.ts";
import { planSupersession, type SupersessionRequest } from "../domain/supersession.ts";
import { appendAuditEvents } from "../storage/audit-events.ts";
import { insertMemories, lockMemories, markSuperseded } from "../storage/memories.ts";
import type { Executor } from "../storage/schema.ts";
import { admitWrites } from "../storage/write-usage.ts";
import type { ClassifiedFact, NewFact } from "./classify-facts.ts";
import type { Caller } from "./context.ts";
import { supersededEvent } from "./supersession-event.ts";

/** A fact that is ready to be stored. */
export interface PreparedFact extends NewFact {
  readonly provenance: Provenance;
  readonly classified: ClassifiedFact;
  /** The model calls that it took to find and embed the write's facts, for the history. */
  readonly modelCalls: { readonly extract: JsonValue[]; readonly embed: JsonValue[] };
}

/** A fact as it was stored. */
export interface StoredFact {
  readonly memory: Memory;
  readonly autoSupersede: AutoSupersedeOutcome;
}

/**
 * Stores as many of the facts as the quota admits, the first ones, with their
 * history and with what they supersede. Runs in the caller's transaction.
 */
export async function storeFacts(
  trx: Executor,
  caller: Caller,
  plan: PlanUsage,
  facts: readonly PreparedFact[],
  now: Instant,
): Promise<StoredFact[]> {
  const admitted = await admitWrites(trx, {
    companyId: caller.companyId,
    periodStart: plan.periodStart,
    writesLimit: plan.writesLimit,
    wanted: facts.length,
    now,
  });
  const stored = facts.slice(0, admitted);
  if (stored.length === 0) return [];
  await insertMemories(trx, stored);

  const { outcomes, events } = await supersedeCandidates(trx, caller.companyId, stored, now);
  const storedFacts = stored.map((fact) => ({
    ...fact,
    autoSupersede: outcomes.get(fact.memory.id) ?? outcomeOf(fact.classified),
  }));
  await appendAuditEvents(trx, caller.companyId, [
    ...storedFacts.flatMap((fact) => [
      createdEvent(fact, caller.apiKeyId),
      ...classifiedEvents(fact),
    ]),
    ...events,
  ]);
  return storedFacts;
}

/**
 * Acts on the classifier's decisions. They were made before the transaction, so
 * each candidate is locked and looked at again: one that another call ended in
 * the meantime stays as that call left it.
 */
async function supersedeCandidates(
  trx: Executor,
  companyId: string,
  facts: readonly PreparedFact[],
  now: Instant,
): Promise<{ outcomes: Map<string, AutoSupersedeOutcome>; events: AuditEvent[] }> {
  const outcomes = new Map<string, AutoSupersedeOutcome>();
  const events: AuditEvent[] = [];
  const candidateIds = facts.flatMap(({ classified }) =>
    classified.kind === "classified" && classified.superseded !== null
      ? [classified.superseded.id]
      : [],
  );
  if (candidateIds.length === 0) return { outcomes, events };

  const locked = await lockMemories(trx, companyId, [...new Set(candidateIds)]);
  for (const { memory, classified } of facts) {
    if (classified.kind !== "classified" || classified.superseded === null) continue;
    const { superseded, classification, candidates } = classified;
    const candidate = locked.find(({ id }) => id === superseded.id);
    if (candidate === undefined || !temporalFlags(candidate, now).isCurrent) {
      outcomes.set(memory.id, {
        ...outcomeOf(classified),
        skippedReason: "no_candidates",
      });
      continue;
    }
    const request: SupersessionRequest = { supersededBy: memory.id, validTo: null };
    const plan = planSupersession(
      {
        memory: candidate,
        earlierRequest: null,
        replacement: { memory, chainHeadId: memory.id },
      },
      request,
      now,
    );
    if (plan.kind !== "change") continue;
    const { confidence, reason, model } = classification;
    const applied = classified.mode === "act";
    if (applied) {
      await markSuperseded(trx, companyId, candidate.id, plan.change);
      events.push(
        supersededEvent(candidate, request, plan.change, {
          actor: CLASSIFIER_ACTOR,
          decision: { confidence, reason, model },
        }),
      );
    }
    outcomes.set(memory.id, {
      ran: true,
      skippedReason: null,
      candidatesExamined: candidates.length,
      supersession: {
        memoryId: candidate.id,
        supersededBy: memory.id,
        validTo: plan.change.validTo,
        confidence,
        reason,
        model,
        applied,
      },
    });
  }
  return { outcomes, events };
}

function outcomeOf(classified: ClassifiedFact): AutoSupersedeOutcome {
  if (classified.kind === "skipped") return classified.outcome;
  return {
    ran: true,
    skippedReason: classified.skippedReason,
    candidatesExamined: classified.candidates.length,
    supersession: null,
  };
}

function createdEvent({ memory, provenance, modelCalls }: PreparedFact, actor: string): AuditEvent {
  return {
    memoryId: memory.id,
    event: "created",
    at: memory.createdAt,
    actor,
    detail: { mode: provenance.mode, source: memory.source, model_calls: modelCalls },
  };
}

function classifiedEvents({
  memory,
  classified,
  autoSupersede,
}: PreparedFact & StoredFact): AuditEvent[] {
  if (classified.kind === "skipped") return [];
  const { confidence, reason, model } = classified.classification;
  return [
    {
      memoryId: memory.id,
      event: "classified",
      at: memory.createdAt,
      actor: CLASSIFIER_ACTOR,
      detail: {
        candidates: classified.candidates.map(({ id }) => id),
        superseded: autoSupersede.supersession?.memoryId ?? null,
        applied: autoSupersede.supersession?.applied ?? false,
        skipped_reason: autoSupersede.skippedReason,
        confidence,
        reason,
        model,
        model_calls: classified.modelCalls,
      },
    },
  ];
}
