import { type Kysely, sql } from "kysely";
import type { Account, ApiKey } from "../domain/account.ts";
import type { Instant } from "../domain/instant.ts";
import { DEFAULT_SETTINGS, type Settings } from "../domain/settings.ts";
import { ACCOUNT_COLUMNS } from "./accounts.ts";
import { type PageLimits, selectPage } from "./memory-row.ts";
import type { AccountDb, Executor, Schema } from "./schema.ts";

/** What a call depends on. */
const CALL_COLUMNS = [
  "api_keys.id",
  "api_keys.expires_at as expiresAt",
  "api_key_uses.last_used_at as lastUsedAt",
  "api_keys.revoked_at as revokedAt",
  "api_keys.rights",
  "api_keys.tenants",
] as const;

/** What is selected is an `ApiKey`. */
const API_KEY_COLUMNS = [
  ...CALL_COLUMNS,
  "api_keys.company_id as companyId",
  "api_keys.prefix",
  "api_keys.name",
  "api_keys.created_at as createdAt",
] as const;

function selectKeys(db: Kysely<Schema>) {
  return db
    .selectFrom("api_keys")
    .leftJoin("api_key_uses", (join) =>
      join
        .onRef("api_key_uses.company_id", "=", "api_keys.company_id")
        .onRef("api_key_uses.api_key_id", "=", "api_keys.id"),
    );
}

/** `digest`: 32 bytes of SHA-256. */
export async function insertApiKey(db: AccountDb, apiKey: ApiKey, digest: Uint8Array) {
  await db
    .insertInto("api_keys")
    .values({
      company_id: db.companyId,
      id: apiKey.id,
      digest,
      prefix: apiKey.prefix,
      name: apiKey.name,
      created_at: apiKey.createdAt,
      expires_at: apiKey.expiresAt,
      revoked_at: apiKey.revokedAt,
      rights: apiKey.rights,
      tenants: apiKey.tenants,
    })
    .execute();
}

/**
 * What a call depends on of the key of a digest, with its account, revoked or expired or neither.
 *
 * Across accounts: the digest is what tells the account.
 */
export async function findApiKeyByDigest(db: Executor, digest: Uint8Array) {
  const row = await selectKeys(db)
    .innerJoin("accounts", "accounts.company_id", "api_keys.company_id")
    .select(ACCOUNT_COLUMNS)
    .select([...CALL_COLUMNS, "api_keys.digest"])
    .where("api_keys.digest", "=", digest)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { digest: found, id, expiresAt, lastUsedAt, revokedAt, rights, tenants, ...account } = row;
  const apiKey = { id, expiresAt, lastUsedAt, revokedAt, rights, tenants };
  return { ...apiKey, digest: found, account: account satisfies Account };
}

/** Revoked ones too. */
export async function countApiKeys(db: AccountDb): Promise<number> {
  const { count } = await db
    .selectFrom("api_keys")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("company_id", "=", db.companyId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Of what a key is told of, as far as it can be long. */
const keyBytes = sql<number>`octet_length(array_to_string(tenants, ''))`;

/** Keys behind `after`, oldest first, revoked ones too: as many as both limits allow (D37). */
export async function selectApiKeys(
  db: AccountDb,
  { after, ...page }: PageLimits & { readonly after: Pick<ApiKey, "createdAt" | "id"> | null },
): Promise<{ readonly apiKeys: readonly ApiKey[]; readonly hasMore: boolean }> {
  let keys = selectKeys(db)
    .select(API_KEY_COLUMNS)
    .select(keyBytes.as("text_bytes"))
    .where("api_keys.company_id", "=", db.companyId);
  if (after !== null) {
    keys = keys.where(
      sql<boolean>`(api_keys.created_at, api_keys.id)
        > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    );
  }
  const { rows, hasMore } = await selectPage(db, keys, sql`order by "createdAt", id`, page);
  return { apiKeys: rows, hasMore };
}

/**
 * The key as revoked; a key that was revoked before keeps its time. null: no such key, or,
 * in the database of an account, none of that account.
 *
 * Across accounts: the operator names a key by its ID alone.
 */
export async function markRevoked(db: AccountDb | Executor, id: string, at: Instant) {
  const { companyId } = db;
  const own = sql<boolean>`${companyId === undefined ? sql`true` : sql`api_keys.company_id = ${companyId}`}`;
  await (db as Executor)
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where(own)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
  const row = await selectKeys(db)
    .select(API_KEY_COLUMNS)
    .where(own)
    .where("api_keys.id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Gives a key of the account another name; null: none. False: the account has no such key. */
export async function renameApiKey(db: AccountDb, id: string, name: string | null) {
  const { numUpdatedRows } = await db
    .updateTable("api_keys")
    .set({ name })
    .where(({ and }) => and({ company_id: db.companyId, id }))
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

export async function hasApiKey(db: AccountDb, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("api_keys")
    .select("id")
    .where(({ and }) => and({ company_id: db.companyId, id }))
    .executeTakeFirst();
  return row !== undefined;
}

export async function markAllRevoked(db: AccountDb, at: Instant): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("company_id", "=", db.companyId)
    .where("revoked_at", "is", null)
    .execute();
}

/** Notes that a key was used; of several notes the latest stays. */
export async function touchApiKey(db: AccountDb, id: string, at: Instant): Promise<void> {
  await db
    .insertInto("api_key_uses")
    .values({ company_id: db.companyId, api_key_id: id, last_used_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(["company_id", "api_key_id"])
        .doUpdateSet({ last_used_at: at })
        .where("api_key_uses.last_used_at", "<", at),
    )
    .execute();
}

/** A setting that the key never changed is null. */
export type StoredSettings = { readonly [Name in keyof Settings]: Settings[Name] | null };

export const SETTINGS_COLUMNS = [
  "api_key_settings.auto_supersede_default as autoSupersedeDefault",
  "api_key_settings.excluded_categories as excludedCategories",
  "api_key_settings.min_confidence as minConfidence",
  "api_key_settings.classifier_model as classifierModel",
  "api_key_settings.auto_supersede_mode as autoSupersedeMode",
  "api_key_settings.log_questions as logQuestions",
] as const;

/** The settings of a key, the defaults where it never changed them. */
export async function findSettings(db: AccountDb, apiKeyId: string): Promise<Settings> {
  const row = await db
    .selectFrom("api_key_settings")
    .select(SETTINGS_COLUMNS)
    .where(({ and }) => and({ company_id: db.companyId, api_key_id: apiKeyId }))
    .executeTakeFirst();
  return row === undefined ? DEFAULT_SETTINGS : toSettings(row);
}

/**
 * Changes the fields that are given, over what is stored or else the defaults, in one statement, so
 * that two changes at once both take effect; returns all settings.
 */
export async function changeSettings(
  db: AccountDb,
  apiKeyId: string,
  change: Partial<Settings>,
): Promise<Settings> {
  const columns = {
    auto_supersede_default: change.autoSupersedeDefault,
    excluded_categories: change.excludedCategories,
    min_confidence: change.minConfidence,
    classifier_model: change.classifierModel,
    auto_supersede_mode: change.autoSupersedeMode,
    log_questions: change.logQuestions,
  };
  if (Object.values(columns).every((value) => value === undefined)) {
    return findSettings(db, apiKeyId);
  }
  const row = await db
    .insertInto("api_key_settings")
    .values({ company_id: db.companyId, api_key_id: apiKeyId, ...columns })
    .onConflict((conflict) => conflict.columns(["company_id", "api_key_id"]).doUpdateSet(columns))
    .returning(SETTINGS_COLUMNS)
    .executeTakeFirstOrThrow();
  return toSettings(row);
}

/** A setting that the key never changed follows the default, also a later one. */
export function toSettings(stored: StoredSettings): Settings {
  const changed = Object.entries(stored).filter(
    ([name, value]) => name in DEFAULT_SETTINGS && value !== null,
  );
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(changed) };
}
