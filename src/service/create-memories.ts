import { CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome, Retraction } from "../domain/auto-supersession.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Extraction } from "../domain/memory.ts";
import { type PlanUsage, writeQuotaExceeded } from "../domain/plan.ts";
import type { Settings } from "../domain/settings.ts";
import { settleWrite } from "../domain/settled-write.ts";
import { trimEarlier } from "../domain/trimming.ts";
import { findEarlierVersions } from "../storage/earlier-versions.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import { keepRejectedFacts } from "../storage/rejected-facts.ts";
import type { AccountTrx } from "../storage/schema.ts";
import { transaction } from "../storage/transaction.ts";
import { admitWrites } from "../storage/write-usage.ts";
import { confirmCaller } from "./authenticate.ts";
import { type JudgedStatement, judgeStatements } from "./classify-facts.ts";
import type { Caller, MemoryContext } from "./context.ts";
import { type Answer, type Claim, claimRequest, type IdempotencyRequest } from "./idempotency.ts";
import { countClassifications, startModelDeadline, startUsageLog } from "./model-calls.ts";
import { lockSuperseded, trimRest } from "./move-ends.ts";
import type { Statement } from "./near-facts.ts";
import { admitWriter } from "./plan.ts";
import {
  checkKnownEnds,
  type EmbeddedFact,
  embedFacts,
  type FactsInWrite,
  type FoundFact,
  findFacts,
  type MemoryWrite,
} from "./prepare-facts.ts";
import { type Rejected, rejectedToKeep, unheeded } from "./rejected.ts";
import { historyOf } from "./write-history.ts";

/** What came of a write. */
export interface CreatedMemories {
  /** The facts found, in the order of the conversation; in content mode the content. */
  readonly found: readonly string[];
  /** The memories stored: of the first facts, as many as the quota admitted. */
  readonly saved: readonly CreatedMemory[];
  /** The model that extracted the facts; null in content mode. */
  readonly extraction: Extraction | null;
  /** What was not believed or not read, then what was taken back and ended nothing (D27a). */
  readonly rejected: readonly Rejected[];
  /** The memories that users took back. */
  readonly retractions: readonly Retraction[];
  /** The plan whose quota admitted fewer facts than were found (D29); null: all were stored. */
  readonly cutShortBy: PlanUsage | null;
}

export interface CreatedMemory {
  readonly memoryId: MemoryId;
  readonly autoSupersede: AutoSupersedeOutcome;
}

/**
 * Stores one fact as given, many of them, or the facts that a conversation states, each
 * as its own memory (4.1, D41). All of it is done when the call returns.
 *
 * Throws `invalid_field` for an end that is not after the start (D17) and for a
 * model of the caller's own that must not be called (D27); `plan_canceled`,
 * `plan_blocked`, and `write_quota_exceeded` where the quota admits nothing;
 * `model_unavailable` when a model does not answer, `overloaded` when it is asked too
 * much, and `unauthenticated` when the key was revoked meanwhile (D36). Then nothing is stored and no quota is spent.
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
    checkKnownEnds(write, context.now());
    const extractor =
      write.mode === "messages" && write.llm !== null
        ? context.extractorOf(write.llm)
        : context.extractor;
    const { plan, settings } = await admitWriter(context, caller);

    using deadline = startModelDeadline(context, signal);
    const usage = startUsageLog(context, write.mode === "messages" && write.llm !== null);
    const { remainingMs } = deadline;
    const call = { ...usage.modelCall(caller.companyId, deadline.signal), remainingMs };
    const { excludedCategories } = settings;
    // Side by side with the write's own calls, so that it does not wait for them as well.
    if (isClassified(write, settings)) context.categoryExamples.prepare(context.embedders);
    const stated = await findFacts(context, extractor, write, excludedCategories, call);
    // Facts beyond the quota are reported but not stored, so no model need see them.
    const admissible = stated.found.slice(0, plan.writesRemaining);
    const { true: takenBack = [], false: disabled = [] } = Object.groupBy(
      stated.retractions,
      ({ scope }) => `${scope.autoSupersede ?? settings.autoSupersedeDefault}`,
    );
    const stating = [...admissible, ...takenBack];
    const embedded = await embedFacts(context, caller, write, stating, usage, call);
    const statements = inOrder(
      embedded.slice(0, admissible.length),
      embedded.slice(admissible.length),
    );
    const judged = await judgeStatements(context, caller, statements, settings, deadline);
    // The models took their time; the key may have been revoked meanwhile.
    await confirmCaller(context, caller);
    const result = await storeFacts(context, caller, judged, {
      plan,
      settings,
      claim,
      write,
      stated,
      disabled,
    });
    // So that reads are refused at once where there is no grace.
    if (result.saved.length >= plan.writesRemaining) context.callers.forget(caller.companyId);
    countClassifications(
      context.metrics,
      result.saved.map(({ autoSupersede }) => autoSupersede),
      result.retractions,
    );
    return { kind: "result", result };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** Whether facts of the write may be shown to the classifier. */
function isClassified(write: MemoryWrite, { autoSupersedeDefault }: Settings): boolean {
  const scopes = write.mode === "batch" ? write.memories : [write];
  return scopes.some(({ autoSupersede }) => autoSupersede ?? autoSupersedeDefault);
}

/**
 * What a write states, in order, and what it takes back, each before the facts of the
 * same message: what a message states is to hold.
 */
function inOrder(
  facts: readonly EmbeddedFact[],
  retractions: readonly EmbeddedFact[],
): Statement[] {
  const saidIn = ({ provenance }: EmbeddedFact) => provenance.messageIndex ?? 0;
  const rest = retractions.map((each) => ({ ...each, retractedBy: saidIn(each) }));
  const statements = facts.flatMap((fact): Statement[] => {
    const later = rest.findIndex(({ retractedBy }) => retractedBy > saidIn(fact));
    const before = rest.splice(0, later === -1 ? rest.length : later);
    return [...before, { ...fact, retractedBy: null }];
  });
  return [...statements, ...rest];
}

/** What a write knows when its facts are ready to be stored. */
interface WriteInHand {
  readonly plan: PlanUsage;
  readonly settings: Settings;
  readonly claim: Claim<CreatedMemories>;
  readonly write: MemoryWrite;
  readonly stated: FactsInWrite;
  /** What is taken back where automatic supersession is off. */
  readonly disabled: readonly FoundFact[];
}

/**
 * Stores as many of the facts as the quota admits, the first ones, with their
 * history, what they supersede, what was rejected and the kept response, in one transaction.
 */
async function storeFacts(
  context: MemoryContext,
  caller: Caller,
  judged: readonly JudgedStatement[],
  inHand: WriteInHand,
): Promise<CreatedMemories> {
  let offered = judged;
  for (;;) {
    try {
      return await context.tracer.span("write", {}, () =>
        transaction(caller.db, (trx) => storeOffered(context, trx, caller, offered, inHand)),
      );
    } catch (error) {
      if (!(error instanceof QuotaEnds)) throw error;
      offered = withFirstFacts(offered, error.admitted);
    }
  }
}

/** Without the facts after the first ones. What is taken back is no write (D29). */
function withFirstFacts(
  statements: readonly JudgedStatement[],
  count: number,
): readonly JudgedStatement[] {
  const facts = statements.filter(isFact).slice(0, count);
  return statements.filter((statement) => !isFact(statement) || facts.includes(statement));
}

function isFact({ retractedBy }: Statement): boolean {
  return retractedBy === null;
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
  context: MemoryContext,
  trx: AccountTrx,
  caller: Caller,
  offered: readonly JudgedStatement[],
  { plan, settings, claim, write, stated, disabled }: WriteInHand,
): Promise<CreatedMemories> {
  const now = context.now();
  const { found, extraction } = stated;
  // Nothing was done, so there is nothing that a repeat would do twice.
  if (!offered.some(isFact) && found.length > 0) throw writeQuotaExceeded(plan);
  const locked = await lockSuperseded(trx, offered);
  const mode = settings.autoSupersedeMode;
  const settled = settleWrite(offered, locked, mode, now);
  const { facts, retractions, ended, laterStarts } = settled;
  const mover = { actor: CLASSIFIER_ACTOR, at: now };
  const { earlier, lastSequences, hasMore } = await findEarlierVersions(trx, laterStarts);
  const trimmed = trimEarlier(earlier, laterStarts, mover);
  const created = facts.flatMap((fact) => historyOf(fact, caller.apiKeyId));
  await writeMemories(trx, {
    created: facts,
    ended,
    moved: trimmed.ends,
    events: [...created, ...settled.events, ...trimmed.events],
    lastSequences,
  });
  if (hasMore) await trimRest(trx, laterStarts, mover);
  const rejected = [...stated.rejected, ...unheeded(disabled, settled.unheeded)];
  await keepRejectedFacts(trx, rejectedToKeep(context, write, rejected, now));

  const cutShortBy = facts.length < found.length ? plan : null;
  const result = {
    found: found.map(({ decision }) => decision),
    saved: facts.map(({ memory, outcome }) => ({ memoryId: memory.id, autoSupersede: outcome })),
    extraction,
    rejected,
    retractions,
    cutShortBy,
  };
  // Of a content write, only a classifier's reason can hold text of a memory. A response
  // without one outlives an erasure, so that a repeat after it writes nothing (D33).
  const tenantsWithText =
    write.mode === "messages"
      ? [write.tenantId]
      : facts
          .filter(({ outcome }) => outcome.supersessions.length > 0)
          .map(({ memory }) => memory.tenantId);
  const [textOfTenant, ...others] = new Set(tenantsWithText);
  // A kept response can be erased with the text of one tenant only.
  const kept = others.length === 0 ? result : withoutReasons(result);
  await claim.keep(trx, kept, {
    textOfTenant: others.length === 0 ? textOfTenant : undefined,
    quotaExceededUntil: cutShortBy?.periodEnd ?? null,
  });

  // Last, because all writers of the account share the row of the quota, and from
  // here to the commit it is locked.
  if (facts.length > 0) {
    const { periodStart, writesLimit } = plan;
    const wanted = facts.length;
    const admitted = await admitWrites(trx, { periodStart, writesLimit, wanted, now });
    if (admitted < wanted) throw new QuotaEnds(admitted);
  }
  return result;
}

function withoutReasons(result: CreatedMemories): CreatedMemories {
  const saved = result.saved.map(({ memoryId, autoSupersede }) => {
    const supersessions = autoSupersede.supersessions.map((each) => ({ ...each, reason: "" }));
    return { memoryId, autoSupersede: { ...autoSupersede, supersessions } };
  });
  return { ...result, saved };
}
