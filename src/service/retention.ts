import { RETENTION_ACTOR } from "../domain/audit-event.ts";
import { invalidField } from "../domain/failure.ts";
import { HOUR } from "../domain/instant.ts";
import { MAX_RETENTION_RULES } from "../domain/limits.ts";
import { dueScopes, type RetentionRule } from "../domain/retention.ts";
import { countErasable } from "../storage/memory-erasure.ts";
import {
  claimDueRule,
  type DueRule,
  findDueRules,
  listRetentionRules,
  storeRetentionRule,
} from "../storage/retention-rules.ts";
import type { AccountDb } from "../storage/schema.ts";
import type { EmbeddingContext, ServiceContext } from "./context.ts";
import { erase } from "./erasure.ts";

/** How often a rule is applied, and how long a server that applies it may take. */
const RUN_EVERY = HOUR;
const LOOK_EVERY_MS = 10 * 60 * 1_000;
const RULES_A_LOOK = 1_000;

/** The rules of an account, by tenant and source. */
export function retentionRules(db: AccountDb): Promise<RetentionRule[]> {
  return listRetentionRules(db);
}

/**
 * Counts what a rule would erase today, and sets it where that is confirmed (D44). Throws
 * `invalid_field`.
 */
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
  const stop = new AbortController();
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => applyRetention(context, stop.signal));
  }, LOOK_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}

/** Applies every rule that no server has applied for an hour. Never rejects. */
export async function applyRetention(
  context: EmbeddingContext,
  signal: AbortSignal,
): Promise<void> {
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

async function applyRule(
  context: EmbeddingContext,
  rule: DueRule,
  signal: AbortSignal,
): Promise<void> {
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
    context.log.warn({ err, companyId }, "a rule of retention could not be applied; it will be");
  }
}
