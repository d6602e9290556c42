import { type Selectable, sql } from "kysely";
import type { Account, ApiKey } from "../domain/account.ts";
import type { Instant } from "../domain/instant.ts";
import { ACCOUNT_COLUMNS, toAccount } from "./accounts.ts";
import { bytesSoFar, fitsPage, hasMoreBehind, type PageLimits } from "./memory-page.ts";
import type { AccountDb, Executor, Schema } from "./schema.ts";

const API_KEY_COLUMNS = [
  "api_keys.id",
  "api_keys.company_id",
  "api_keys.prefix",
  "api_keys.name",
  "api_keys.created_at",
  "api_keys.expires_at",
  "api_keys.revoked_at",
  "api_keys.rights",
  "api_keys.tenants",
] as const;

function selectKeys(db: AccountDb | Executor) {
  return (db as Executor)
    .selectFrom("api_keys")
    .leftJoin("api_key_uses", (join) =>
      join
        .onRef("api_key_uses.company_id", "=", "api_keys.company_id")
        .onRef("api_key_uses.api_key_id", "=", "api_keys.id"),
    )
    .select("api_key_uses.last_used_at");
}

/** `digest`: 32 bytes of SHA-256. */
export async function insertApiKey(
  db: AccountDb,
  apiKey: ApiKey,
  digest: Uint8Array,
): Promise<void> {
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
 * The key of a digest with its account, revoked or expired or neither.
 *
 * Across accounts: the digest is what tells the account.
 */
export async function findApiKeyByDigest(
  db: Executor,
  digest: Uint8Array,
): Promise<{
  apiKey: ApiKey;
  digest: Uint8Array;
  account: Account;
} | null> {
  const row = await selectKeys(db)
    .innerJoin("accounts", "accounts.company_id", "api_keys.company_id")
    .select(ACCOUNT_COLUMNS)
    .select([
      "api_keys.id",
      "api_keys.digest",
      "api_keys.prefix",
      "api_keys.name",
      "api_keys.created_at as key_created_at",
      "api_keys.expires_at",
      "api_keys.revoked_at",
      "api_keys.rights",
      "api_keys.tenants",
    ])
    .where("api_keys.digest", "=", digest)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    apiKey: toApiKey({ ...row, created_at: row.key_created_at }),
    digest: row.digest,
    account: toAccount(row),
  };
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

/** A place in the order of an account's keys: behind this one. */
export type ApiKeyPosition = Pick<ApiKey, "createdAt" | "id">;

/** Of what a key is told of, as far as it can be long. */
const keyBytes = sql<number>`octet_length(array_to_string(tenants, ''))`;

/**
 * Oldest first, behind `after` (null: from the oldest), revoked ones too: as many as the two
 * limits allow (D37).
 */
export async function selectApiKeys(
  db: AccountDb,
  { after, ...page }: PageLimits & { readonly after: ApiKeyPosition | null },
): Promise<{ readonly apiKeys: readonly ApiKey[]; readonly hasMore: boolean }> {
  const oldestFirst = sql`order by created_at, id`;
  let candidates = db
    .selectFrom("api_keys")
    .select(["company_id", "id"])
    .select([
      keyBytes.as("text_bytes"),
      bytesSoFar(keyBytes, oldestFirst).as("text_bytes_so_far"),
      hasMoreBehind(oldestFirst).as("has_more"),
    ])
    .where("company_id", "=", db.companyId)
    .orderBy("created_at")
    .orderBy("id")
    .limit(page.limit);
  if (after !== null) {
    candidates = candidates.where(
      sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    );
  }
  const rows = await selectKeys(db)
    .innerJoin(candidates.as("page"), (join) =>
      join
        .onRef("page.company_id", "=", "api_keys.company_id")
        .onRef("page.id", "=", "api_keys.id"),
    )
    .select(API_KEY_COLUMNS)
    .select("page.has_more")
    .where("api_keys.company_id", "=", db.companyId)
    .where(fitsPage(page))
    .orderBy("api_keys.created_at")
    .orderBy("api_keys.id")
    .execute();
  return { apiKeys: rows.map(toApiKey), hasMore: rows.at(-1)?.has_more ?? false };
}

/**
 * The key as revoked; a key that was revoked before keeps its time. null: no such key.
 *
 * Across accounts: the operator names a key by its ID alone.
 */
export async function markRevoked(db: Executor, id: string, at: Instant): Promise<ApiKey | null> {
  await db
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
  const row = await selectKeys(db)
    .select(API_KEY_COLUMNS)
    .where("api_keys.id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : toApiKey(row);
}

/** As `markRevoked`, of a key of the account; null too for a key of another one. */
export async function markOwnRevoked(
  db: AccountDb,
  id: string,
  at: Instant,
): Promise<ApiKey | null> {
  await db
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("company_id", "=", db.companyId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
  const row = await selectKeys(db)
    .select(API_KEY_COLUMNS)
    .where("api_keys.company_id", "=", db.companyId)
    .where("api_keys.id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : toApiKey(row);
}

/** Whether the account has a key of this ID, revoked or not. */
export async function hasApiKey(db: AccountDb, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("api_keys")
    .select("id")
    .where("company_id", "=", db.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes every key of an account. */
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

type ApiKeyRow = Omit<Selectable<Schema["api_keys"]>, "digest"> & {
  /** null: never. */
  readonly last_used_at: Instant | null;
};

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    companyId: row.company_id,
    prefix: row.prefix,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    rights: row.rights,
    tenants: row.tenants,
  };
}
