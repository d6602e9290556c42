import { isDeepStrictEqual } from "node:util";
import {
  type Account,
  billingPeriod,
  checkReadAllowed,
  checkWriteAllowed,
  type PlanUsage,
  planUsage,
} from "../domain/account.ts";
import { Failure } from "../domain/failure.ts";
import type { Instant } from "../domain/instant.ts";
import { type MemoryWrite, scopesOf } from "../domain/memory-write.ts";
import type { Settings } from "../domain/settings.ts";
import { changeSettings, hasApiKey } from "../storage/api-keys.ts";
import type { AccountDb } from "../storage/schema.ts";
import { findWriterState, findWriteUsage } from "../storage/write-usage.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** The usage of the account's billing period at a moment; null: it has none. */
export function currentUsage(db: AccountDb, account: Account, now: Instant) {
  return findWriteUsage(db, billingPeriod(account.periodAnchor, now).start);
}

/** The caller's plan at this moment: quota, grace and period (2.7, 4.7, D29 to D31). */
export async function getPlanStatus(context: ServiceContext, { db, account }: Caller) {
  const now = context.now();
  return planUsage(account, await currentUsage(db, account, now), now);
}

/** A caller that may write. */
export interface Writer {
  readonly plan: PlanUsage;
  readonly settings: Settings;
  /**
   * Whether they are those that were read last: `confirmWriter` must read them before a model sees
   * a fact by them, and the statement that stores must check them.
   */
  readonly isPresumed: boolean;
}

/** The settings are not those that were presumed. */
export class SettingsChanged extends Error {}

/**
 * The plan and the settings of a caller that may write, read anew: no model is called once the
 * quota is used up (D29). Throws `plan_canceled`, `write_quota_exceeded` or `plan_blocked`.
 */
export async function admitWriter(context: ServiceContext, caller: Caller): Promise<Writer> {
  const { db, apiKeyId, account } = caller;
  const now = context.now();
  const period = billingPeriod(account.periodAnchor, now);
  const { usage, settings } = await findWriterState(db, apiKeyId, period.start);
  context.lastSettings.set(apiKeyId, settings);
  const plan = planUsage(account, usage, now);
  checkWriteAllowed(plan);
  return { plan, settings, isPresumed: false };
}

/** The same writer, no longer presumed. Throws as `admitWriter` does, and `SettingsChanged`. */
export async function confirmWriter(
  context: ServiceContext,
  caller: Caller,
  writer: Writer,
): Promise<Writer> {
  if (!writer.isPresumed) return writer;
  const admitted = await admitWriter(context, caller);
  if (!isDeepStrictEqual(admitted.settings, writer.settings)) throw new SettingsChanged();
  return admitted;
}

/** Keys whose settings are remembered as they were read last. */
export const MAX_REMEMBERED_SETTINGS = 10_000;

/** With so many writes left a moment ago, some are left now, whatever others wrote meanwhile. */
const WRITES_TO_SPARE = 1_000;

/**
 * What `admitWriter` would mostly read, without asking. null: it is not known, the quota may be
 * used up, or a model is to read a conversation.
 */
export function presumedWriter(
  context: ServiceContext,
  { apiKeyId, account, usage }: Caller,
  write: MemoryWrite,
): Writer | null {
  const settings = context.lastSettings.get(apiKeyId);
  if (settings === undefined || write.mode === "messages") return null;
  const plan = planUsage(account, usage, context.now());
  const isAllowed = plan.planStatus !== "canceled" && !plan.blocked;
  const hasRoom = plan.writesRemaining >= scopesOf(write).length + WRITES_TO_SPARE;
  return isAllowed && hasRoom ? { plan, settings, isPresumed: true } : null;
}

/**
 * Decides on what was read with the caller's key, up to CALLER_CACHE_MS ago, as is everything else
 * that the operator may change. Throws `plan_blocked` once grace has ended.
 */
export function admitReader(context: ServiceContext, { account, usage }: Caller): void {
  checkReadAllowed(planUsage(account, usage, context.now()));
}

/** The key's settings (4.5), once those that are given are changed (4.6). Throws `plan_blocked`. */
export async function settingsOfCaller(
  context: ServiceContext,
  caller: Caller,
  change: Partial<Settings> = {},
): Promise<Settings> {
  admitReader(context, caller);
  return changeSettings(caller.db, caller.apiKeyId, change);
}

/** The same of a key of the caller's account, on every plan. Throws `api_key_not_found`. */
export async function settingsOfKey({ db }: Caller, id: string, change: Partial<Settings> = {}) {
  if (!(await hasApiKey(db, id))) throw keyNotFound(id);
  return changeSettings(db, id, change);
}

/** A key that does not exist, or is another account's (404). */
export function keyNotFound(id: string): Failure {
  return new Failure("api_key_not_found", `no API key has the ID ${id}`, { field: "id" });
}
