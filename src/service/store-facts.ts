import { type PlanUsage, writeQuotaExceeded } from "../domain/account.ts";
import { type AuditEvent, CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import type {
  AutoSupersedeOutcome,
  IgnoredRetraction,
  Retraction,
  SkippedReason,
} from "../domain/auto-supersession.ts";
import { trim } from "../domain/chain.ts";
import { overtaken } from "../domain/failure.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Extraction } from "../domain/memory.ts";
import type { MemoryWrite } from "../domain/memory-write.ts";
import {
  type KeptRejectedFact,
  MAX_REJECTED_FACT_CHARACTERS,
  MAX_REJECTED_MESSAGE_CHARACTERS,
  shortened,
} from "../domain/rejected-fact.ts";
import { type SettledWrite, settleWrite } from "../domain/supersession.ts";
import type { RejectedFact } from "../providers/extractor.ts";
import { holdsBasis, type JudgementBasis } from "../storage/candidates.ts";
import type { TextOf } from "../storage/idempotency-keys.ts";
import { lockEarlierVersions, trimRemaining } from "../storage/memory-chains.ts";
import { lockMemories, lockPresent } from "../storage/memory-locks.ts";
import { writeMemories, writeWhole } from "../storage/memory-writes.ts";
import { keepRejectedFacts } from "../storage/rejected-facts.ts";
import type { AccountTrx } from "../storage/schema.ts";
import { RolledBack, transaction } from "../storage/transaction.ts";
import { admitWrites } from "../storage/write-usage.ts";
import { confirmCaller } from "./authenticate.ts";
import type { MemoryContext } from "./context.ts";
import type { Claim } from "./idempotency.ts";
import {
  type EmbeddedStatement,
  type JudgedStatement,
  judgeStatements,
  type WriteRun,
} from "./judge-statements.ts";
import { countClassifications, type RequestUsage } from "./model-calls.ts";

/** Something that was said and came to nothing (D27a). */
export interface Rejected extends Omit<RejectedFact, "reason"> {
  readonly reason: RejectedFact["reason"] | SkippedReason;
}

/** What a write states. */
export interface FoundFacts {
  /** The texts of all facts, in order, also of those beyond the quota; in content mode the content. */
  readonly found: readonly string[];
  /** The model that extracted the facts; null in content mode. */
  readonly extraction: Extraction | null;
  /** Facts that were not believed or not read, then retractions that ended nothing (D27a). */
  readonly rejected: readonly Rejected[];
}

/** The result of a write. */
export interface CreatedMemories extends FoundFacts {
  /** The memories stored: of the first facts, as many as the quota admitted. */
  readonly saved: readonly CreatedMemory[];
  /** The memories that users took back. */
  readonly retractions: readonly Retraction[];
  /** The plan whose quota admitted fewer facts than were found (D29); null: all were stored. */
  readonly cutShortBy: PlanUsage | null;
  /** null: no provider was called. */
  readonly usage: RequestUsage | null;
}

export interface CreatedMemory {
  readonly memoryId: MemoryId;
  readonly autoSupersede: AutoSupersedeOutcome;
}

/** A write whose statements are ready to be stored. */
export interface PreparedWrite extends WriteRun {
  readonly facts: FoundFacts;
  readonly claim: Claim<CreatedMemories>;
}

interface JudgedWrite extends PreparedWrite {
  readonly judged: readonly JudgedStatement[];
  /** What the judgement rests on; empty: none may end others. */
  readonly basis: readonly JudgementBasis[];
}

/** Of others that store the same, one is done each time: an account has fewer in progress. */
const MAX_JUDGEMENTS = 100;

/**
 * Judges the statements of a moment, and stores as many of the facts as the quota admits, the
 * first ones, with their history, what they supersede, what was rejected and the response for a
 * repeat, in one transaction. It judges again where others have stored what may be of the same
 * attribute meanwhile, so that one is current (D20, D23).
 *
 * Throws `write_quota_exceeded` where the quota admits nothing, and `SettingsChanged`.
 */
export async function storeFacts(
  prepared: PreparedWrite,
  statementsAt: (createdAt: Instant) => EmbeddedStatement[],
) {
  const { context, caller } = prepared;
  for (let judgements = 0; judgements < MAX_JUDGEMENTS; judgements++) {
    const { judged, basis } = await judgeStatements(prepared, statementsAt(context.now()));
    // The models took their time; the key may have been revoked meanwhile.
    await confirmCaller(context, caller);
    const judgedWrite = { ...prepared, judged, basis };
    const result = await context.tracer.span("write", {}, async () => {
      const whole = await storeWhole(judgedWrite);
      return whole ?? storeInSteps({ ...judgedWrite, writer: await prepared.confirmed() });
    });
    if (result === null) continue;
    // So that reads are refused at once where there is no grace.
    const { writesRemaining } = prepared.writer.plan;
    if (result.saved.length >= writesRemaining) context.callers.forget(caller.companyId);
    caller.notes.writtenAt ??= judged[0]?.memory.createdAt ?? null;
    caller.notes.savedCount = result.saved.length;
    const outcomes = result.saved.map(({ autoSupersede }) => autoSupersede);
    countClassifications(context.metrics, outcomes, result.retractions);
    return result;
  }
  throw overtaken("others write of the same too fast");
}

/**
 * Stores facts that end nothing, in one round trip. null: something may end or was rejected, or the
 * quota, the settings or the embedding space are not as they were; then nothing was stored.
 */
async function storeWhole(prepared: JudgedWrite) {
  const { context, caller, writer, claim, judged, basis } = prepared;
  const now = context.now();
  const { plan, settings, isPresumed } = writer;
  if (!judged.some(isFact)) return null;
  if (judged.some(({ verdict }) => verdict.superseded.length > 0)) return null;
  const settled = settleWrite(judged, [], settings.autoSupersedeMode, now);
  const { result, rejected, about } = outcomeOf(prepared, settled, judged, now);
  if (rejected.length > 0) return null;
  const isStored = await writeWhole(caller.db, {
    write: {
      created: settled.facts,
      ended: [],
      moved: [],
      events: settled.facts.flatMap((fact) => firstEvents(fact, caller.apiKeyId)),
      lastSequences: new Map(),
    },
    admission: admissionOf(plan, settled.facts.length, now),
    kept: claim.kept(result, about),
    presumed: isPresumed ? { apiKeyId: caller.apiKeyId, settings } : null,
    spokenOf: spokenOf(judged),
    basis,
  });
  return isStored ? result : null;
}

/** Stores the facts step by step, in a transaction that ends what they supersede. */
async function storeInSteps(prepared: JudgedWrite) {
  for (let offered = prepared.judged; ; ) {
    const stored = await transaction(prepared.caller.db, (trx) =>
      storeOffered(trx, prepared, offered),
    );
    if (!(stored instanceof RolledBack)) return stored;
    if (stored.result === null) return null;
    offered = withFirstFacts(offered, stored.result);
  }
}

/** Without the facts after the first ones. What is taken back is no write (D29). */
function withFirstFacts(statements: readonly JudgedStatement[], count: number): JudgedStatement[] {
  const facts = statements.filter(isFact).slice(0, count);
  return statements.filter((statement) => !isFact(statement) || facts.includes(statement));
}

function isFact({ retractedBy }: JudgedStatement): boolean {
  return retractedBy === null;
}

/** Rolled back where what was judged is not as it was (null), or the quota admits fewer facts. */
async function storeOffered(
  trx: AccountTrx,
  prepared: JudgedWrite,
  offered: readonly JudgedStatement[],
): Promise<CreatedMemories | RolledBack<number | null>> {
  const { context, caller, writer, claim, basis } = prepared;
  const now = context.now();
  const { plan, settings } = writer;
  // Nothing was done, so there is nothing that a repeat would do twice.
  if (!offered.some(isFact) && prepared.facts.found.length > 0) throw writeQuotaExceeded(plan);
  if (!(await holdsBasis(trx, basis, now))) return new RolledBack(null);
  // All at once: who locks some and then others can wait for a write that waits for the first.
  const spoken = spokenOf(offered);
  const present = await lockPresent(trx, spoken);
  const ids = offered.flatMap(({ verdict }) => verdict.superseded.map((each) => each.candidate.id));
  const locked = await lockMemories(trx, ids);
  const isOvertaken = locked.some(({ supersededAt }) => supersededAt !== null);
  if (isOvertaken || present.size < spoken.length) return new RolledBack(null);
  const settled = settleWrite(offered, locked, settings.autoSupersedeMode, now);
  const { facts, ended, laterStarts } = settled;
  const mover = { actor: CLASSIFIER_ACTOR, at: now };
  const found = await lockEarlierVersions(trx, laterStarts);
  const trimmed = trim(found.earlier, ({ rootId }) => laterStarts.get(rootId), mover);
  const created = facts.flatMap((fact) => firstEvents(fact, caller.apiKeyId));
  await writeMemories(trx, {
    created: facts,
    ended,
    moved: trimmed.ends,
    events: [...created, ...settled.events, ...trimmed.events],
    lastSequences: found.lastSequences,
  });
  await trimRemaining(trx, found, laterStarts, mover);
  const { result, rejected, about } = outcomeOf(prepared, settled, offered, now);
  await keepRejectedFacts(trx, rejected);
  caller.notes.writtenAt = rejected[0]?.rejectedAt ?? null;
  await claim.keep(trx, result, about);
  // Last, because all writers of the account share the row of the quota, and from
  // here to the commit it is locked.
  if (facts.length > 0) {
    const admitted = await admitWrites(trx, admissionOf(plan, facts.length, now));
    if (admitted < facts.length) return new RolledBack(admitted);
  }
  return result;
}

/** The stored memories that a decision was about: its reason may quote them. */
function spokenOf(statements: readonly JudgedStatement[]): MemoryId[] {
  const own = new Set(statements.map(({ memory }) => memory.id));
  const decided = statements.filter(({ verdict }) => verdict.decision !== null);
  const candidates = decided.flatMap(({ verdict }) => verdict.candidates.map(({ id }) => id));
  return [...new Set(candidates)].filter((id) => !own.has(id));
}

function admissionOf({ periodStart, writesLimit }: PlanUsage, wanted: number, now: Instant) {
  return { periodStart, writesLimit, wanted, now };
}

/** The first events of a new memory. */
function firstEvents(
  fact: JudgedStatement & { readonly outcome: AutoSupersedeOutcome },
  apiKeyId: string,
): AuditEvent[] {
  const { memory, provenance, modelCalls, verdict, classifyCalls, outcome } = fact;
  const { id: memoryId, createdAt: at, source } = memory;
  const detail = { mode: provenance.mode, source, model_calls: modelCalls };
  const created = { memoryId, event: "created", at, actor: apiKeyId, detail } as const;
  if (verdict.decision === null) return [created];
  const { confidence, reason, model } = verdict.decision;
  const [surest] = outcome.supersessions;
  const classified = {
    memoryId,
    event: "classified",
    at,
    actor: CLASSIFIER_ACTOR,
    detail: {
      candidates: verdict.candidates.map(({ id }) => id),
      superseded: surest?.memoryId ?? null,
      supersessions: outcome.supersessions.map((each) => ({
        memory_id: each.memoryId,
        confidence: each.confidence,
        reason: each.reason,
      })),
      applied: surest?.applied ?? false,
      skipped_reason: outcome.skippedReason,
      confidence,
      reason,
      model,
      model_calls: classifyCalls,
    },
  } as const;
  return [created, classified];
}

/**
 * The outcome of a write when all of it is stored: the answer, which is stored for a repeat of
 * the call, and the rejected facts that are stored for a review.
 */
function outcomeOf(
  { context, write, writer, models, facts: stated }: PreparedWrite,
  settled: SettledWrite<JudgedStatement>,
  judged: readonly JudgedStatement[],
  now: Instant,
) {
  const { facts, retractions } = settled;
  const rejected = [...stated.rejected, ...settled.ignoredRetractions.map(rejectedRetraction)];
  const cutShortBy = facts.length < stated.found.length ? writer.plan : null;
  const result = {
    ...stated,
    saved: facts.map(({ memory, outcome }) => ({ memoryId: memory.id, autoSupersede: outcome })),
    rejected,
    retractions,
    cutShortBy,
    usage: models.usage.total(),
  };
  // One moment for all of a write: by it an erasure of the memories finds what was rejected.
  const writtenAt = judged[0]?.memory.createdAt ?? now;
  return {
    result,
    rejected: rejectedToStore(context, write, rejected, writtenAt),
    about: {
      textOf: textOf(result, judged, write, writtenAt),
      quotaExceededUntil: cutShortBy?.periodEnd ?? null,
    },
  };
}

/**
 * Of a content write, only a classifier's reason can hold text of a memory. A response
 * without one outlives an erasure, so that a repeat after it writes nothing (D33).
 */
function textOf(
  { saved }: CreatedMemories,
  judged: readonly JudgedStatement[],
  write: MemoryWrite,
  createdAt: Instant,
): TextOf | null {
  const decided = judged.filter(({ verdict }) => verdict.superseded.length > 0);
  if (write.mode !== "messages" && decided.length === 0) return null;
  const memoryIds = [...saved.map(({ memoryId }) => memoryId), ...spokenOf(decided)];
  return { memoryIds, write: write.mode === "messages" ? { ...write, createdAt } : null };
}

function rejectedRetraction({ text: fact, ...rest }: IgnoredRetraction): Rejected {
  return { fact, isRetraction: true, ...rest };
}

/**
 * What of a write is stored to be reviewed: all that it rejected, in bounded words; nothing
 * where nobody can see it.
 */
function rejectedToStore(
  { keepsRejectedFacts, newId }: Pick<MemoryContext, "keepsRejectedFacts" | "newId">,
  write: MemoryWrite,
  rejected: readonly Rejected[],
  now: Instant,
): KeptRejectedFact[] {
  if (!keepsRejectedFacts || write.mode !== "messages") return [];
  const { tenantId, sessionId, source, metadata, messages } = write;
  return rejected.map(({ fact, isRetraction, messageIndex, reason }) => {
    const text = fact === null ? null : shortened(fact, MAX_REJECTED_FACT_CHARACTERS);
    const message = messageIndex === null ? undefined : messages[messageIndex]?.content;
    return {
      id: newId(),
      ...{ tenantId, sessionId, source, metadata },
      rejectedAt: now,
      saidAt: write.validFrom ?? now,
      fact: text,
      isFactCut: text !== fact,
      isRetraction,
      message: message === undefined ? null : shortened(message, MAX_REJECTED_MESSAGE_CHARACTERS),
      messageIndex,
      reason,
    };
  });
}
