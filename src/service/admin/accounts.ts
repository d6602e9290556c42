import {
  type Account,
  billingPeriod,
  effectiveLimits,
  type OwnLimits,
  planUsage,
  type WriteUsage,
} from "../../domain/account.ts";
import { RIGHTS } from "../../domain/api-key.ts";
import { OPERATOR_ACTOR } from "../../domain/audit-event.ts";
import { WHOLE_ACCOUNT } from "../../domain/erasure.ts";
import { Failure, invalidField } from "../../domain/failure.ts";
import { type CompanyId, toCompanyId } from "../../domain/ids.ts";
import type { Instant } from "../../domain/instant.ts";
import {
  deleteAccountWithoutMemories,
  findAccount,
  hasAccounts,
  insertAccount,
  lockAccount,
  selectAccounts,
  setSuspension,
  storeAccount,
} from "../../storage/accounts.ts";
import { markAllRevoked } from "../../storage/api-keys.ts";
import { countMemories } from "../../storage/memories.ts";
import type { AccountDb, AccountTrx } from "../../storage/schema.ts";
import { deleteSessionsBut } from "../../storage/sessions.ts";
import { transaction } from "../../storage/transaction.ts";
import {
  admitWrites,
  findWriteUsage,
  findWriteUsages,
  updateWriteUsage,
} from "../../storage/write-usage.ts";
import type { EmbeddingContext, ServiceContext } from "../context.ts";
import { erase } from "../erasure.ts";
import { type PageRequest, pageOf, readPageToken } from "../page-token.ts";
import { currentUsage } from "../plan.ts";
import { accountDb, accountNotFound, issueApiKey } from "./api-keys.ts";

/** The account of a fresh machine. */
export const LOCAL_COMPANY_ID = toCompanyId("local");

/** An account as the operator sees it: with the limits that apply and what it has used. */
export type AccountOverview = ReturnType<typeof overview>;

/** Changes of an account. Fields that are left out stay. */
export interface AccountChange extends AccountFields {
  /**
   * The end of grace in the current billing period (after `periodStart` took
   * effect), whether the quota is reached already or later in that period. In
   * the past: grace has ended. null: as the grace days say.
   */
  readonly graceEndsAt?: Instant | null;
}

/**
 * Creates an account, by default an active starter one whose first billing period starts now.
 * Throws `invalid_field` and `account_exists`: of several calls at once one succeeds.
 */
export async function createAccount(
  context: ServiceContext,
  { companyId, ...fields }: AccountFields & { readonly companyId: CompanyId },
): Promise<AccountOverview> {
  const now = context.now();
  const account = withFields(newAccount(companyId, context.newId(), now), fields, now);
  if (!(await insertAccount(context.db.of(companyId), account))) {
    throw new Failure("account_exists", `an account with the company_id ${companyId} exists`, {
      field: "company_id",
    });
  }
  return overview(account, null, now);
}

/**
 * Gives an empty database the account `local` with an API key, so that a fresh machine can be used.
 * Returns the key, this once; null: there are accounts. Of two servers at once one inserts it.
 */
export async function ensureLocalAccount(context: ServiceContext): Promise<string | null> {
  if (await hasAccounts(context.db)) return null;
  return transaction(context.db.of(LOCAL_COMPANY_ID), async (trx) => {
    const account = newAccount(LOCAL_COMPANY_ID, context.newId(), context.now());
    if (!(await insertAccount(trx, account))) return null;
    return (await issueApiKey(context, trx, { rights: RIGHTS })).secret;
  });
}

/** Whether the account of a fresh machine is there; who serves others may have deleted it. */
export async function hasLocalAccount({ db }: ServiceContext): Promise<boolean> {
  return (await findAccount(db.of(LOCAL_COMPANY_ID))) !== null;
}

/** One account. Throws `account_not_found`. */
export async function getAccount(context: ServiceContext, companyId: CompanyId) {
  const db = context.db.of(companyId);
  const account = await findAccount(db);
  if (account === null) throw accountNotFound(companyId);
  return overviewOf(db, account, context.now());
}

/** Counts the memories of an account. An account that does not exist has none. */
export async function countAccountMemories(context: ServiceContext, companyId: CompanyId) {
  return countMemories(context.db.of(companyId));
}

const ACCOUNT_ORDER = { companyId: toCompanyId };

/** One page of all accounts, by company_id. */
export async function listAccounts(context: ServiceContext, { pageSize, pageToken }: PageRequest) {
  const after = readPageToken(pageToken, ACCOUNT_ORDER);
  const now = context.now();
  const found = await selectAccounts(context.db, after?.companyId ?? null, pageSize + 1);
  const { entries: accounts, nextPageToken } = pageOf(found, pageSize, ACCOUNT_ORDER);
  const periods = accounts.map(
    ({ companyId, periodAnchor }) => [companyId, billingPeriod(periodAnchor, now).start] as const,
  );
  const usages = await findWriteUsages(context.db, new Map(periods));
  const entries = accounts.map((account) =>
    overview(account, usages.get(account.companyId) ?? null, now),
  );
  return { entries, nextPageToken };
}

/**
 * Changes the given fields of an account. A limit above what was used ends the state of a reached
 * quota; one at it or below starts it, and grace, now. Other servers act on what they knew for
 * CALLER_CACHE_MS.
 *
 * Throws `account_not_found` and `invalid_field`.
 */
export async function updateAccount(
  context: ServiceContext,
  companyId: CompanyId,
  change: AccountChange,
): Promise<AccountOverview> {
  const now = context.now();
  const updated = await transaction(context.db.of(companyId), async (trx) => {
    const before = await lockAccount(trx);
    if (before === null) throw accountNotFound(companyId);
    const after = withFields(before, change, now);
    await storeAccount(trx, after);
    if (quotaMoved(before, after)) await settleQuota(trx, after, now);
    if (change.graceEndsAt !== undefined) {
      const { start } = billingPeriod(after.periodAnchor, now);
      await updateWriteUsage(trx, start, { graceEndsAt: change.graceEndsAt });
    }
    return overviewOf(trx, after, now);
  });
  context.callers.forget(companyId);
  return updated;
}

/**
 * Erases an account and all of its own, or `maxMemories` memories and a few more (null: all). It
 * revokes the keys first, so that writes end soon. Returns how many memories went; not `isDeleted`:
 * the account waits for the rest. Throws `account_not_found`.
 */
export async function deleteAccount(
  context: EmbeddingContext,
  companyId: CompanyId,
  maxMemories: number | null = null,
): Promise<{ readonly deletedCount: number; readonly isDeleted: boolean }> {
  const db = await accountDb(context, companyId);
  await markAllRevoked(db, context.now());
  await deleteSessionsBut(db, 0);
  context.callers.forget(companyId);
  const told = { companyId, actor: OPERATOR_ACTOR };
  const isOver = (deleted: number) => maxMemories !== null && deleted >= maxMemories;
  for (let deletedCount = 0; ; ) {
    const before = deletedCount;
    const isEnough = (deleted: number) => isOver(before + deleted);
    deletedCount += await erase(context, db, WHOLE_ACCOUNT, OPERATOR_ACTOR, told, isEnough);
    if (isOver(deletedCount)) return { deletedCount, isDeleted: false };
    // False: a call that began before its key was revoked has written since.
    if (await transaction(db, deleteAccountWithoutMemories)) {
      context.log.info({ account: companyId, deletedCount }, "an account was deleted");
      return { deletedCount, isDeleted: true };
    }
  }
}

function quotaMoved(before: Account, after: Account): boolean {
  return (
    effectiveLimits(before).writesLimit !== effectiveLimits(after).writesLimit ||
    before.periodAnchor !== after.periodAnchor
  );
}

/** Notes now that the quota is reached, or that it no longer is. */
async function settleQuota(trx: AccountTrx, account: Account, now: Instant): Promise<void> {
  const { writesLimit } = effectiveLimits(account);
  const { start: periodStart } = billingPeriod(account.periodAnchor, now);
  // To admit none notes a quota that is reached, and locks the usage until the
  // commit: no write can reach the old limit between here and the note's removal.
  await admitWrites(trx, { periodStart, writesLimit, wanted: 0, now });
  const usage = await findWriteUsage(trx, periodStart);
  if (usage !== null && usage.writesUsed < writesLimit && usage.quotaReachedAt !== null) {
    await updateWriteUsage(trx, periodStart, { quotaReachedAt: null });
  }
}

/** An account with its usage of the present billing period. */
export async function overviewOf(db: AccountDb, account: Account, now: Instant) {
  return overview(account, await currentUsage(db, account, now), now);
}

function overview(account: Account, usage: WriteUsage | null, now: Instant) {
  return { account, limits: effectiveLimits(account), usage: planUsage(account, usage, now) };
}

/**
 * Suspends an account, or lifts that: its requests are refused here at once, and elsewhere after
 * CALLER_CACHE_MS. A write in progress is refused at its end. What it holds stays. Who was
 * suspended before keeps that time. Throws `account_not_found`.
 */
export async function suspendAccount(
  context: ServiceContext,
  companyId: CompanyId,
  isSuspended: boolean,
): Promise<AccountOverview> {
  const now = context.now();
  const db = context.db.of(companyId);
  const account = await setSuspension(db, isSuspended ? now : null);
  if (account === null) throw accountNotFound(companyId);
  context.callers.forget(companyId);
  const what = isSuspended ? "an account was suspended" : "the suspension of an account was lifted";
  context.log.info({ account: companyId }, what);
  return overviewOf(db, account, now);
}

export const MAX_WRITES_LIMIT = 2_147_483_647;
export const MAX_GRACE_DAYS = 365;
/** Requests a second. */
export const MAX_RATE = 1_000_000;
export const MAX_BURST = 1_000_000;

/** The fields of an account that the operator sets. A limit that is null follows the tier. */
export interface AccountFields
  extends Partial<OwnLimits>,
    Partial<Pick<Account, "planTier" | "planStatus">> {
  /**
   * Where billing periods are counted from. A new start begins with `writes_used` 0; what was
   * written before stays counted in the period of its own.
   */
  readonly periodStart?: Instant;
}

/** An active starter account with no limits of its own. */
export function newAccount(companyId: CompanyId, orgId: string, now: Instant): Account {
  return {
    companyId,
    orgId,
    planTier: "starter",
    planStatus: "active",
    writesLimit: null,
    graceDays: null,
    rate: null,
    burst: null,
    periodAnchor: now,
    createdAt: now,
    suspendedAt: null,
  };
}

/** The account with the given fields in place of its own. Throws `invalid_field`. */
export function withFields(account: Account, fields: AccountFields, now: Instant): Account {
  const { writesLimit, graceDays, rate, burst, periodStart, ...plan } = fields;
  checkWholeNumber("writes_limit", 0, MAX_WRITES_LIMIT, writesLimit);
  checkWholeNumber("grace_days", 0, MAX_GRACE_DAYS, graceDays);
  checkWholeNumber("burst", 1, MAX_BURST, burst);
  if (rate != null && !(rate > 0 && rate <= MAX_RATE)) {
    throw invalidField("rate", `must be more than 0 and at most ${MAX_RATE} requests a second`);
  }
  if (periodStart !== undefined && periodStart > now) {
    throw invalidField("period_start", "must not be in the future");
  }
  // Null clears a limit; undefined leaves it.
  const given = Object.entries({ writesLimit, graceDays, rate, burst, ...plan });
  const changed = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return { ...account, ...changed, periodAnchor: periodStart ?? account.periodAnchor };
}

function checkWholeNumber(field: string, least: number, most: number, value?: number | null) {
  if (value == null || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw invalidField(field, `must be a whole number from ${least} to ${most}`);
}
