import { DEFAULT_SETTINGS, type Settings } from "../domain/settings.ts";
import { changeSettings, findSettings } from "../storage/settings.ts";
import { transaction } from "../storage/transaction.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { admitReader } from "./plan.ts";

/** The settings of the calling key, the defaults where it never changed them (4.5). */
export async function getSettings(context: ServiceContext, caller: Caller): Promise<Settings> {
  await admitReader(context, caller);
  return settingsOf(context, caller);
}

/** Changes the given settings of the calling key and returns all of them (4.6). */
export async function updateSettings(
  context: ServiceContext,
  caller: Caller,
  change: Partial<Settings>,
): Promise<Settings> {
  await admitReader(context, caller);
  return transaction(context.db, (trx) =>
    changeSettings(trx, caller.companyId, caller.apiKeyId, change),
  );
}

/** As getSettings, for use cases that have admitted the caller already. */
export async function settingsOf(context: ServiceContext, caller: Caller): Promise<Settings> {
  const stored = await findSettings(context.db, caller.companyId, caller.apiKeyId);
  return stored ?? DEFAULT_SETTINGS;
}
