import type { ApiKey } from "../../domain/account.ts";
import { Failure } from "../../domain/failure.ts";
import { revokeApiKey as revokeStoredApiKey } from "../../storage/api-keys.ts";
import type { ServiceContext } from "../context.ts";

/**
 * Revokes a key for good. Other servers that have just seen the key serve it for as
 * long as they remember a caller (CALLER_CACHE_MS). Revoking it again changes
 * nothing. Throws `api_key_not_found`.
 */
export async function revokeApiKey(context: ServiceContext, id: string): Promise<ApiKey> {
  const apiKey = await revokeStoredApiKey(context.db, id, context.now());
  if (apiKey === null) {
    throw new Failure("api_key_not_found", `no API key has the ID ${id}`, { field: "id" });
  }
  context.callers.forget(apiKey.companyId);
  return apiKey;
}
