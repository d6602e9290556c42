import { runEvery } from "../concurrency/bounds.ts";
import {
  DASHBOARD_ACTOR,
  KEYLESS_ACTORS,
  type OPERATOR_ACTOR,
  RETENTION_ACTOR,
} from "../domain/audit-event.ts";
import { dueScopes, type ErasureScope, type RetentionRule } from "../domain/erasure.ts";
import { invalidField } from "../domain/failure.ts";
import { HOUR } from "../domain/instant.ts";
import { MAX_RETENTION_RULES } from "../domain/limits.ts";
import { countErasable, type ErasureCounts, eraseMemories } from "../storage/memory-erasure.ts";
import {
  claimDueRule,
  type DueRule,
  findDueRules,
  listRetentionRules,
  storeRetentionRule,
} from "../storage/retention-rules.ts";
import type { AccountDb } from "../storage/schema.ts";
import type { Caller, EmbeddingContext, ServiceContext } from "./context.ts";

export { listRetentionRules } from "../storage/retention-rules.ts";

/** Erases a scope's memories and all that holds their text, on every plan (4.3, D22, D30, D43). */
export function deleteMemories(
  context: EmbeddingContext,
  { db, companyId, apiKeyId, credential }: Caller,
  scope: ErasureScope,
): Promise<number> {
  const actor = credential === "session" ? DASHBOARD_ACTOR : apiKeyId;
  const { tenantId } = scope;
  const ofTenant =
    tenantId === undefined ? { wholeAccount: true } : { wholeAccount: false, tenantId };
  return erase(context, db, scope, actor, { companyId, apiKeyId, ...ofTenant });
}

/** Erases step by step until it `isOver`. The log says who did it, and what `told` holds. */
export async function erase(
  context: EmbeddingContext,
  db: AccountDb,
  scope: ErasureScope,
  actor: string,
  told: object,
  isOver: (deletedCount: number) => boolean = () => false,
): Promise<number> {
  let deletedCount = 0;
  try {
    return await context.tracer.span("write", {}, async () => {
      for await (const deleted of eraseMemories(db, scope, { actor, now: () => context.now() })) {
        deletedCount += deleted;
        if (isOver(deletedCount)) break;
      }
      return deletedCount;
    });
  } finally {
    context.metrics.erased(deletedCount, KEYLESS_ACTORS.includes(actor) ? actor : "api_key");
    // A deletion that fails, or whose client leaves, may have done a part.
    context.log.info({ ...told, deletedCount }, "memories were deleted");
  }
}

/** Of one call, so that it ends in time. */
const MEMORIES_A_CALL = 5_000;

/** Counts what an erasure takes, and erases it once confirmed (D43). `isPartial`: there is more. */
export async function eraseConfirmed(
  context: EmbeddingContext,
  db: AccountDb,
  actor: typeof DASHBOARD_ACTOR | typeof OPERATOR_ACTOR,
  scope: ErasureScope,
  isConfirmed: boolean,
): Promise<ErasureCounts & { readonly isPartial: boolean }> {
  if (!isConfirmed) return { ...(await countErasable(db, [scope])), isPartial: false };
  const isOver = (deleted: number) => deleted >= MEMORIES_A_CALL;
  const { tenantId, memoryId } = scope;
  const told = { companyId: db.companyId, actor, tenantId, memoryId };
  const memoryCount = await erase(context, db, scope, actor, told, isOver);
  return { memoryCount, rejectedFactCount: 0, isPartial: isOver(memoryCount) };
}

/** How often a rule is applied, and how long a server that applies it may take. */
const RUN_EVERY = HOUR;
const LOOK_EVERY_MS = 10 * 60 * 1_000;
const RULES_A_LOOK = 1_000;

/** Counts what a rule would erase, and sets it once confirmed (D44). Throws `invalid_field`. */
export async function setRetentionRule(
  context: Pick<ServiceContext, "now">,
  db: AccountDb,
  rule: RetentionRule,
  isConfirmed: boolean,
): Promise<number> {
  const rules = await listRetentionRules(db);
  const isNew = !rules.some(
    ({ tenantId, source }) => tenantId === rule.tenantId && source === rule.source,
  );
  if (isNew && rules.length >= MAX_RETENTION_RULES) {
    throw invalidField("rule", `must not be one of more than ${MAX_RETENTION_RULES} of an account`);
  }
  const { memoryCount } = await countErasable(db, dueScopes(rule, context.now()));
  if (isConfirmed) await storeRetentionRule(db, rule);
  return memoryCount;
}

/** Applies the rules that are due, every few minutes, until the returned function is called. */
export function startRetention(context: EmbeddingContext): () => Promise<void> {
  return runEvery(LOOK_EVERY_MS, (signal) => applyRetention(context, signal));
}

/** Applies every rule that no server has applied for an hour. Never rejects. */
export async function applyRetention(context: EmbeddingContext, signal: AbortSignal) {
  try {
    for (let isLast = false; !isLast; ) {
      const claimedBefore = context.now() - RUN_EVERY;
      const due = await findDueRules(context.db, claimedBefore, RULES_A_LOOK);
      for (const rule of due) await applyRule(context, rule, signal);
      isLast = due.length < RULES_A_LOOK || signal.aborted;
    }
  } catch (err) {
    context.log.warn({ err }, "rules of retention could not be looked for");
  }
}

async function applyRule(context: EmbeddingContext, rule: DueRule, signal: AbortSignal) {
  const { companyId, tenantId, source } = rule;
  const db = context.db.of(companyId);
  const startedAt = context.now();
  const isOver = () => signal.aborted || context.now() >= startedAt + RUN_EVERY;
  try {
    if (isOver() || !(await claimDueRule(db, rule, startedAt))) return;
    for (const scope of dueScopes(rule, startedAt)) {
      const by = { companyId, tenantId, source };
      await erase(context, db, scope, RETENTION_ACTOR, by, isOver);
    }
  } catch (err) {
    context.log.warn(
      { err, account: companyId },
      "a rule of retention could not be applied; it will be",
    );
  }
}
