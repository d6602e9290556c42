import { Failure } from "../domain/failure.ts";
import type { Settings } from "../domain/settings.ts";
import { changeSettings, findSettings, hasApiKey } from "../storage/api-keys.ts";
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

/** The settings of a key of the caller's account. Throws `api_key_not_found`. */
export async function findOwnSettings({ db }: Caller, id: string): Promise<Settings> {
  if (!(await hasApiKey(db, id))) throw keyNotFound(id);
  return findSettings(db, id);
}

/** Changes the given settings of a key of the caller's account. Throws `api_key_not_found`. */
export async function changeOwnSettings(
  { db }: Caller,
  id: string,
  change: Partial<Settings>,
): Promise<Settings> {
  if (!(await hasApiKey(db, id))) throw keyNotFound(id);
  return changeSettings(db, id, change);
}

/** A key that does not exist, or is another account's (404). */
export function keyNotFound(id: string): Failure {
  return new Failure("api_key_not_found", `no API key has the ID ${id}`, { field: "id" });
}
