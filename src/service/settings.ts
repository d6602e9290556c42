import type { Settings } from "../domain/settings.ts";
import { changeSettings, findSettings } from "../storage/settings.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { admitReader } from "./plan.ts";

/** The settings of the calling key, the defaults where it never changed them (4.5). */
export async function getSettings(context: ServiceContext, caller: Caller): Promise<Settings> {
  admitReader(context, caller);
  return findSettings(caller.db, caller.apiKeyId);
}

/** Changes the given settings of the calling key and returns all of them (4.6). */
export async function updateSettings(
  context: ServiceContext,
  caller: Caller,
  change: Partial<Settings>,
): Promise<Settings> {
  admitReader(context, caller);
  return changeSettings(caller.db, caller.apiKeyId, change);
}
