import type { ApiKey } from "../../domain/account.ts";
import {
  API_KEY_RANDOM_BYTES,
  apiKeyPrefix,
  DEFAULT_RIGHTS,
  formatApiKey,
  type KeyRights,
} from "../../domain/api-key.ts";
import { Failure, invalidField } from "../../domain/failure.ts";
import type { CompanyId } from "../../domain/ids.ts";
import { parseInstant } from "../../domain/instant.ts";
import { MAX_PAGE_TEXT_BYTES } from "../../domain/limits.ts";
import { findAccount, lockAccount } from "../../storage/accounts.ts";
import {
  countApiKeys,
  insertApiKey,
  markRevoked,
  renameApiKey as putName,
  selectApiKeys,
} from "../../storage/api-keys.ts";
import type { AccountDb, AccountTrx } from "../../storage/schema.ts";
import { transaction } from "../../storage/transaction.ts";
import { apiKeyDigest } from "../authenticate.ts";
import type { EmbeddingContext, ServiceContext } from "../context.ts";
import { type Page, type PageRequest, readPageToken, tokenBehind, uuidIn } from "../page-token.ts";
import { keyNotFound } from "../plan.ts";

/** The keys of one account. Revoked keys count: they stay listed, for the audit events that name them. */
export const MAX_API_KEYS = 10_000;

/** The fields that the creator of a key sets. */
export type ApiKeyFields = Pick<ApiKey, "name" | "expiresAt"> & KeyRights;

/** Throws `account_not_found`; `invalid_field` for a past end, or where there are MAX_API_KEYS. */
export async function createApiKey(
  context: ServiceContext,
  companyId: CompanyId,
  fields: Partial<ApiKeyFields> = {},
) {
  if (fields.expiresAt != null && fields.expiresAt <= context.now()) {
    throw invalidField("expires_at", "must be later than now");
  }
  return transaction(context.db.of(companyId), async (trx) => {
    // Locked before the count, so that of two calls at once the second counts the first's key.
    if ((await lockAccount(trx)) === null) throw accountNotFound(companyId);
    if ((await countApiKeys(trx)) >= MAX_API_KEYS) {
      throw invalidField("company_id", `has ${MAX_API_KEYS} API keys, and more are not kept`);
    }
    return issueApiKey(context, trx, fields);
  });
}

/** Makes and stores a key of an account. Its `secret` is stored nowhere. */
export async function issueApiKey(
  context: ServiceContext,
  trx: AccountTrx,
  fields: Partial<ApiKeyFields>,
) {
  const secret = formatApiKey(context.randomBytes(API_KEY_RANDOM_BYTES));
  const apiKey: ApiKey = {
    id: context.newId(),
    companyId: trx.companyId,
    prefix: apiKeyPrefix(secret),
    ...{ name: null, expiresAt: null, rights: DEFAULT_RIGHTS, tenants: [] },
    ...fields,
    createdAt: context.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertApiKey(trx, apiKey, apiKeyDigest(secret));
  return { apiKey, secret };
}

const KEY_ORDER = { createdAt: parseInstant, id: uuidIn };

/** Keys of an account, oldest first, revoked ones too (D37). Throws `account_not_found`. */
export async function listApiKeys(
  context: ServiceContext,
  companyId: CompanyId,
  { pageSize, pageToken }: PageRequest,
): Promise<Page<ApiKey>> {
  const after = readPageToken(pageToken, KEY_ORDER);
  const db = context.db.of(companyId);
  const page = { after, limit: pageSize, maxTextBytes: MAX_PAGE_TEXT_BYTES };
  const { apiKeys: entries, hasMore } = await selectApiKeys(db, page);
  if (entries.length === 0 && (await findAccount(db)) === null) {
    throw accountNotFound(companyId);
  }
  return { entries, nextPageToken: tokenBehind(entries, hasMore, KEY_ORDER) };
}

/**
 * Revokes a key for good: with the `db` of an account, one of its own alone. Other servers
 * that have just seen the key serve it for as long as they remember a caller (CALLER_CACHE_MS).
 * Revoking it again changes nothing. Throws `api_key_not_found`.
 */
export async function revokeApiKey(
  context: ServiceContext,
  db: Parameters<typeof markRevoked>[0],
  id: string,
): Promise<ApiKey> {
  const apiKey = await markRevoked(db, id, context.now());
  if (apiKey === null) throw keyNotFound(id);
  context.callers.forget(apiKey.companyId);
  return apiKey;
}

/** Gives a key of an account another name; null: none. Throws `api_key_not_found`. */
export async function renameApiKey(db: AccountDb, id: string, name: string | null): Promise<void> {
  if (!(await putName(db, id, name))) throw keyNotFound(id);
}

/** The database of an account that there is. Throws `account_not_found`. */
export async function accountDb({ db }: Pick<EmbeddingContext, "db">, companyId: CompanyId) {
  const own = db.of(companyId);
  if ((await findAccount(own)) === null) throw accountNotFound(companyId);
  return own;
}

/** The operator named an account that does not exist (404). */
export function accountNotFound(companyId: CompanyId): Failure {
  return new Failure("account_not_found", `no account has the company_id ${companyId}`, {
    field: "company_id",
  });
}
