import { type AuditEvent, CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import { type AutoSupersedeOutcome, settleWrite } from "../domain/auto-supersession.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Extraction } from "../domain/memory.ts";
import { type PlanUsage, writeQuotaExceeded } from "../domain/plan.ts";
import type { Settings } from "../domain/settings.ts";
import type { RejectedFact } from "../providers/extractor.ts";
import { findLastSequences } from "../storage/audit-events.ts";
import { lockMemories } from "../storage/memories.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import type { Trx } from "../storage/schema.ts";
import { transaction } from "../storage/transaction.ts";
import { admitWrites } from "../storage/write-usage.ts";
import { classifyFacts, type JudgedFact } from "./classify-facts.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type Answer, type Claim, claimRequest, type IdempotencyRequest } from "./idempotency.ts";
import { countClassifications, startModelDeadline, startUsageLog } from "./model-calls.ts";
import { admitWriter } from "./plan.ts";
import {
  checkKnownEnd,
  embedFacts,
  type FactsInWrite,
  findFacts,
  type MemoryWrite,
} from "./prepare-facts.ts";

/** What came of a write. */
export interface CreatedMemories {
  /** The facts found, in the order of the conversation; in content mode the content. */
  readonly found: readonly string[];
  /** The memories stored: of the first facts, as many as the quota admitted. */
  readonly saved: readonly CreatedMemory[];
  /** The model that extracted the facts; null in content mode. */
  readonly extraction: Extraction | null;
  /** What was not believed or not read. */
  readonly rejected: readonly RejectedFact[];
  /** The plan whose quota admitted fewer facts than were found (D29); null: all were stored. */
  readonly cutShortBy: PlanUsage | null;
}

export interface CreatedMemory {
  readonly memoryId: MemoryId;
  readonly autoSupersede: AutoSupersedeOutcome;
}

/**
 * Stores one fact as given, or the facts that a conversation states, each as its
 * own memory (4.1). All of it is done when the call returns.
 *
 * Throws `invalid_field` for an end that is not after the start (D17) and for a
 * model of the caller's own that must not be called (D27); `plan_canceled`,
 * `plan_blocked`, and `write_quota_exceeded` where the quota admits nothing;
 * `model_unavailable` when a model does not answer, and `overloaded` when it is
 * asked too much. Then nothing is stored and no quota is spent.
 */
export async function createMemories(
  context: MemoryContext,
  caller: Caller,
  write: MemoryWrite,
  idempotency: IdempotencyRequest<CreatedMemories> | null,
  signal: AbortSignal,
): Promise<Answer<CreatedMemories>> {
  const claim = await claimRequest(context, caller, idempotency);
  if (claim.kind === "repeated") return claim;
  using _held = claim;
  try {
    // Not before: a repeat gets its first result also when the end has passed since.
    checkKnownEnd(write, context.now());
    const extractor =
      write.mode === "messages" && write.llm !== null
        ? context.extractorOf(write.llm)
        : context.extractor;
    const { plan, settings } = await admitWriter(context, caller);

    using deadline = startModelDeadline(context, signal);
    const usage = startUsageLog(context, write.mode === "messages" && write.llm !== null);
    const stated = await findFacts(context, extractor, write, usage, deadline.signal);
    // Facts beyond the quota are reported but not stored, so no model need see them.
    const admissible = stated.found.slice(0, plan.writesRemaining);
    const embedded = await embedFacts(context, caller, write, admissible, usage, deadline.signal);
    const judged = await classifyFacts(context, caller, write, embedded, settings, deadline);
    const result = await storeFacts(context, caller, judged, {
      plan,
      settings,
      claim,
      write,
      stated,
    });
    // So that reads are refused at once where there is no grace.
    if (result.saved.length >= plan.writesRemaining) context.callers.forget(caller.companyId);
    countClassifications(
      context.metrics,
      result.saved.map(({ autoSupersede }) => autoSupersede),
    );
    return { kind: "result", result };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** What a write knows when its facts are ready to be stored. */
interface WriteInHand {
  readonly plan: PlanUsage;
  readonly settings: Settings;
  readonly claim: Claim<CreatedMemories>;
  readonly write: MemoryWrite;
  readonly stated: FactsInWrite;
}

/**
 * Stores as many of the facts as the quota admits, the first ones, with their
 * history, what they supersede and the kept response, in one transaction.
 */
async function storeFacts(
  context: MemoryContext,
  caller: Caller,
  judged: readonly JudgedFact[],
  inHand: WriteInHand,
): Promise<CreatedMemories> {
  let offered = judged;
  for (;;) {
    try {
      return await transaction(context.db, (trx) =>
        storeOffered(trx, caller, offered, inHand, context.now()),
      );
    } catch (error) {
      if (!(error instanceof QuotaEnds)) throw error;
      offered = offered.slice(0, error.admitted);
    }
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

async function storeOffered(
  trx: Trx,
  caller: Caller,
  offered: readonly JudgedFact[],
  { plan, settings, claim, write, stated }: WriteInHand,
  now: Instant,
): Promise<CreatedMemories> {
  const { companyId } = caller;
  const { found, extraction, rejected } = stated;
  // Nothing was done, so there is nothing that a repeat would do twice.
  if (offered.length === 0 && found.length > 0) throw writeQuotaExceeded(plan);
  const superseded = offered.flatMap(({ verdict }) => verdict.superseded?.id ?? []);
  const locked =
    superseded.length === 0 ? [] : await lockMemories(trx, companyId, [...new Set(superseded)]);
  const { facts, ended, events } = settleWrite(offered, locked, settings.autoSupersedeMode, now);
  const endedIds = ended.map(({ id }) => id);
  await writeMemories(trx, {
    companyId,
    created: facts,
    ended,
    events: [...facts.flatMap((fact) => historyOf(fact, caller.apiKeyId)), ...events],
    lastSequences:
      ended.length === 0 ? new Map() : await findLastSequences(trx, companyId, endedIds),
  });

  const cutShortBy = facts.length < found.length ? plan : null;
  const result = {
    found: found.map(({ decision }) => decision),
    saved: facts.map(({ memory, outcome }) => ({ memoryId: memory.id, autoSupersede: outcome })),
    extraction,
    rejected,
    cutShortBy,
  };
  // Of a content write, only a classifier's reason can hold text of a memory. A response
  // without one outlives an erasure, so that a repeat after it writes nothing (D33).
  const holdsText =
    write.mode === "messages" || facts.some(({ outcome }) => outcome.supersession !== null);
  await claim.keep(trx, result, {
    textOfTenant: holdsText ? write.tenantId : undefined,
    quotaExceededUntil: cutShortBy?.periodEnd ?? null,
  });

  // Last, because all writers of the account share the row of the quota, and from
  // here to the commit it is locked.
  if (facts.length > 0) {
    const { periodStart, writesLimit } = plan;
    const wanted = facts.length;
    const admitted = await admitWrites(trx, { companyId, periodStart, writesLimit, wanted, now });
    if (admitted < wanted) throw new QuotaEnds(admitted);
  }
  return result;
}

type SettledFact = JudgedFact & { readonly outcome: AutoSupersedeOutcome };

function historyOf(fact: SettledFact, apiKeyId: string): AuditEvent[] {
  const { memory, provenance, modelCalls, verdict, classifyCalls, outcome } = fact;
  const created = {
    memoryId: memory.id,
    event: "created",
    at: memory.createdAt,
    actor: apiKeyId,
    detail: { mode: provenance.mode, source: memory.source, model_calls: modelCalls },
  } as const;
  if (verdict.classification === null) return [created];
  const { confidence, reason, model } = verdict.classification;
  return [
    created,
    {
      memoryId: memory.id,
      event: "classified",
      at: memory.createdAt,
      actor: CLASSIFIER_ACTOR,
      detail: {
        candidates: verdict.candidates.map(({ id }) => id),
        superseded: outcome.supersession?.memoryId ?? null,
        applied: outcome.supersession?.applied ?? false,
        skipped_reason: outcome.skippedReason,
        confidence,
        reason,
        model,
        model_calls: classifyCalls,
      },
    },
  ];
}
