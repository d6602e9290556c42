import { type AuditEvent, CLASSIFIER_ACTOR, type JsonValue } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome } from "../domain/auto-supersede.ts";
import type { Instant } from "../domain/instant.ts";
import type { Memory, Provenance } from "../domain/memory.ts";
import type { PlanUsage } from "../domain/plan.ts";
import { appendAuditEvents } from "../storage/audit-events.ts";
import { insertMemories } from "../storage/memories.ts";
import type { Executor } from "../storage/schema.ts";
import { transaction } from "../storage/transaction.ts";
import { admitWrites } from "../storage/write-usage.ts";
import { actOnClassifications } from "./act-on-classifications.ts";
import type { FactVerdict, NewFact } from "./classify-facts.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** A fact that is ready to be stored. */
export interface PreparedFact extends NewFact {
  readonly provenance: Provenance;
  readonly classified: FactVerdict;
  /** The model calls that it took to find and embed the write's facts, for the history. */
  readonly modelCalls: { readonly extract: JsonValue[]; readonly embed: JsonValue[] };
}

/** A fact as it was stored. */
export interface StoredFact {
  readonly memory: Memory;
  readonly autoSupersede: AutoSupersedeOutcome;
}

/** What a write still has to do in its transaction, once its facts are stored. */
export type FinishWrite<T> = (trx: Executor, stored: readonly StoredFact[]) => Promise<T>;

/**
 * Stores as many of the facts as the quota admits, the first ones, with their
 * history and with what they supersede, in one transaction with `finish`.
 */
export async function storeFacts<T>(
  context: ServiceContext,
  caller: Caller,
  plan: PlanUsage,
  facts: readonly PreparedFact[],
  finish: FinishWrite<T>,
): Promise<T> {
  let offered = facts;
  for (;;) {
    try {
      return await transaction(context.db, (trx) => storeAll(trx, offered));
    } catch (error) {
      if (!(error instanceof QuotaEnds)) throw error;
      offered = offered.slice(0, error.admitted);
    }
  }

  async function storeAll(trx: Executor, offered: readonly PreparedFact[]): Promise<T> {
    const now = context.now();
    const result = await finish(trx, await insertFacts(trx, caller, offered, now));
    if (offered.length === 0) return result;
    // Last, because all writers of the account share the row of the quota, and
    // from here to the commit it is locked.
    const admitted = await admitWrites(trx, {
      companyId: caller.companyId,
      periodStart: plan.periodStart,
      writesLimit: plan.writesLimit,
      wanted: offered.length,
      now,
    });
    if (admitted < offered.length) throw new QuotaEnds(admitted);
    return result;
  }
}

/** Takes back a transaction that stored more than the quota admits. */
class QuotaEnds extends Error {
  readonly admitted: number;

  constructor(admitted: number) {
    super(`the quota admits ${admitted} of the writes`);
    this.admitted = admitted;
  }
}

async function insertFacts(
  trx: Executor,
  caller: Caller,
  facts: readonly PreparedFact[],
  now: Instant,
): Promise<StoredFact[]> {
  if (facts.length === 0) return [];
  await insertMemories(trx, facts);
  const results = await actOnClassifications(trx, caller.companyId, facts, now);
  const storedFacts = facts.flatMap((fact, index) => {
    const result = results[index];
    return result === undefined ? [] : { ...fact, autoSupersede: result.outcome };
  });
  await appendAuditEvents(trx, caller.companyId, [
    ...storedFacts.flatMap((fact) => [
      createdEvent(fact, caller.apiKeyId),
      ...classifiedEvents(fact),
    ]),
    ...results.flatMap(({ events }) => events),
  ]);
  return storedFacts;
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
