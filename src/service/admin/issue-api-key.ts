import type { ApiKey } from "../../domain/account.ts";
import { API_KEY_RANDOM_BYTES, apiKeyPrefix, formatApiKey } from "../../domain/api-key-format.ts";
import type { CompanyId } from "../../domain/ids.ts";
import { insertApiKey } from "../../storage/api-keys.ts";
import type { Trx } from "../../storage/schema.ts";
import { apiKeyDigest } from "../authenticate.ts";
import type { ServiceContext } from "../context.ts";

export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  /** The key itself. It is stored nowhere: whoever loses it needs another one. */
  readonly secret: string;
}

/** Makes and stores a key of an account that exists. */
export async function issueApiKey(
  context: ServiceContext,
  trx: Trx,
  companyId: CompanyId,
): Promise<IssuedApiKey> {
  const secret = formatApiKey(context.randomBytes(API_KEY_RANDOM_BYTES));
  const apiKey: ApiKey = {
    id: context.newId(),
    companyId,
    prefix: apiKeyPrefix(secret),
    createdAt: context.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertApiKey(trx, apiKey, apiKeyDigest(secret));
  return { apiKey, secret };
}
