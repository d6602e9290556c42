import { CLASSIFIER_ACTOR } from "../domain/audit-event.ts";
import type { AutoSupersedeOutcome, Retraction } from "../domain/auto-supersession.ts";
import type { MemoryId } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { Extraction } from "../domain/memory.ts";
import { type PlanUsage, writeQuotaExceeded } from "../domain/plan.ts";
import type { KeptRejectedFact } from "../domain/rejected-fact.ts";
import type { Settings } from "../domain/settings.ts";
import { type SettledWrite, settleWrite } from "../domain/settled-write.ts";
import { trimEarlier } from "../domain/trimming.ts";
import { findEarlierVersions } from "../storage/earlier-versions.ts";
import { writeMemories } from "../storage/memory-writes.ts";
import { keepRejectedFacts } from "../storage/rejected-facts.ts";
import type { AccountTrx } from "../storage/schema.ts";
import { transaction } from "../storage/transaction.ts";
import { writeWhole } from "../storage/whole-writes.ts";
import { admitWrites } from "../storage/write-usage.ts";
import type { JudgedStatement } from "./classify-facts.ts";
import type { Caller, MemoryContext } from "./context.ts";
import type { Claim, KeptAbout } from "./idempotency.ts";
import { lockSuperseded, trimRest } from "./move-ends.ts";
import type { Statement } from "./near-facts.ts";
import type { FactsInWrite, FoundFact, MemoryWrite } from "./prepare-facts.ts";
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

/** What a write knows when its facts are ready to be stored. */
export interface WriteInHand {
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
export async function storeFacts(
  context: MemoryContext,
  caller: Caller,
  judged: readonly JudgedStatement[],
  inHand: WriteInHand,
): Promise<CreatedMemories> {
  return context.tracer.span("write", {}, async () => {
    const whole = await storeWhole(context, caller, judged, inHand, null);
    if (whole !== null) return whole;
    for (let offered = judged; ; ) {
      try {
        return await transaction(caller.db, (trx) =>
          storeOffered(context, trx, caller, offered, inHand),
        );
      } catch (error) {
        if (!(error instanceof QuotaEnds)) throw error;
        offered = withFirstFacts(offered, error.admitted);
      }
    }
  });
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

/**
 * Stores facts that end nothing, in one round trip. null: something may end or was rejected,
 * or things are not as they were when the write was admitted; then nothing was stored.
 * `withoutSupersession`: the key for which automatic supersession must be off by default.
 */
export async function storeWhole(
  context: MemoryContext,
  caller: Caller,
  judged: readonly JudgedStatement[],
  inHand: WriteInHand,
  withoutSupersession: string | null,
): Promise<CreatedMemories | null> {
  const now = context.now();
  const { plan, settings, claim } = inHand;
  if (!judged.some(isFact)) return null;
  if (judged.some(({ verdict }) => verdict.superseded.length > 0)) return null;
  const settled = settleWrite(judged, [], settings.autoSupersedeMode, now);
  const { result, rejected, kept, about } = outcomeOf(context, settled, inHand, now);
  if (rejected.length > 0) return null;
  const isStored = await writeWhole(caller.db, {
    write: {
      created: settled.facts,
      ended: [],
      moved: [],
      events: settled.facts.flatMap((fact) => historyOf(fact, caller.apiKeyId)),
      lastSequences: new Map(),
    },
    admission: admissionOf(plan, settled.facts.length, now),
    kept: claim.kept(kept, about),
    withoutSupersession,
  });
  return isStored ? result : null;
}

/** Stores them step by step, in a transaction that ends what they supersede. */
async function storeOffered(
  context: MemoryContext,
  trx: AccountTrx,
  caller: Caller,
  offered: readonly JudgedStatement[],
  inHand: WriteInHand,
): Promise<CreatedMemories> {
  const now = context.now();
  const { plan, settings, claim, stated } = inHand;
  // Nothing was done, so there is nothing that a repeat would do twice.
  if (!offered.some(isFact) && stated.found.length > 0) throw writeQuotaExceeded(plan);
  const locked = await lockSuperseded(trx, offered);
  const mode = settings.autoSupersedeMode;
  const settled = settleWrite(offered, locked, mode, now);
  const { facts, ended, laterStarts } = settled;
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
  const { result, rejected, kept, about } = outcomeOf(context, settled, inHand, now);
  await keepRejectedFacts(trx, rejected);
  await claim.keep(trx, kept, about);
  // Last, because all writers of the account share the row of the quota, and from
  // here to the commit it is locked.
  if (facts.length > 0) {
    const admitted = await admitWrites(trx, admissionOf(plan, facts.length, now));
    if (admitted < facts.length) throw new QuotaEnds(admitted);
  }
  return result;
}

function admissionOf({ periodStart, writesLimit }: PlanUsage, wanted: number, now: Instant) {
  return { periodStart, writesLimit, wanted, now };
}

/** What comes of a write when all of it is stored. */
interface WriteOutcome {
  /** What the call answers. */
  readonly result: CreatedMemories;
  /** What is kept to be reviewed. */
  readonly rejected: readonly KeptRejectedFact[];
  /** What is kept of the answer, for a repeat. */
  readonly kept: CreatedMemories;
  readonly about: KeptAbout;
}

function outcomeOf(
  context: MemoryContext,
  settled: SettledWrite<JudgedStatement>,
  { plan, write, stated, disabled }: WriteInHand,
  now: Instant,
): WriteOutcome {
  const { found, extraction } = stated;
  const { facts, retractions } = settled;
  const rejected = [...stated.rejected, ...unheeded(disabled, settled.unheeded)];
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
  const isOfOneTenant = others.length === 0;
  return {
    result,
    rejected: rejectedToKeep(context, write, rejected, now),
    kept: isOfOneTenant ? result : withoutReasons(result),
    about: {
      textOfTenant: isOfOneTenant ? textOfTenant : undefined,
      quotaExceededUntil: cutShortBy?.periodEnd ?? null,
    },
  };
}

function withoutReasons(result: CreatedMemories): CreatedMemories {
  const saved = result.saved.map(({ memoryId, autoSupersede }) => {
    const supersessions = autoSupersede.supersessions.map((each) => ({ ...each, reason: "" }));
    return { memoryId, autoSupersede: { ...autoSupersede, supersessions } };
  });
  return { ...result, saved };
}
