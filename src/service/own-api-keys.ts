import type { ApiKey } from "../domain/account.ts";
import { Failure } from "../domain/failure.ts";
import type { Settings } from "../domain/settings.ts";
import { hasApiKey, markOwnRevoked } from "../storage/api-keys.ts";
import { changeSettings, findSettings } from "../storage/settings.ts";
import type { Caller, ServiceContext } from "./context.ts";

/**
 * Revokes a key of the caller's account, as the operator's `revokeApiKey` does. Throws
 * `api_key_not_found`, also for a key of another account.
 */
export async function revokeOwnKey(
  context: ServiceContext,
  { db, companyId }: Caller,
  id: string,
): Promise<ApiKey> {
  const apiKey = await markOwnRevoked(db, id, context.now());
  if (apiKey === null) throw notFound(id);
  context.callers.forget(companyId);
  return apiKey;
}

/** The settings of a key of the caller's account. Throws `api_key_not_found`. */
export async function findOwnSettings({ db }: Caller, id: string): Promise<Settings> {
  if (!(await hasApiKey(db, id))) throw notFound(id);
  return findSettings(db, id);
}

/** Changes the given settings of a key of the caller's account. Throws `api_key_not_found`. */
export async function changeOwnSettings(
  { db }: Caller,
  id: string,
  change: Partial<Settings>,
): Promise<Settings> {
  if (!(await hasApiKey(db, id))) throw notFound(id);
  return changeSettings(db, id, change);
}

function notFound(id: string): Failure {
  return new Failure("api_key_not_found", `the account has no API key with the ID ${id}`, {
    field: "id",
  });
}
