import { sql } from "kysely";
import type { Account } from "../domain/account.ts";
import type { Instant } from "../domain/instant.ts";
import type { ProviderSession, Session } from "../domain/session.ts";
import { ACCOUNT_COLUMNS } from "./accounts.ts";
import type { AccountDb, AccountTrx, Executor } from "./schema.ts";

/** `digest`: 32 bytes of SHA-256. `provider` null: no identity provider began it. */
export async function insertSession(
  db: AccountDb,
  session: Session,
  digest: Uint8Array,
  provider: ProviderSession | null,
): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      company_id: db.companyId,
      id: session.id,
      digest,
      created_at: session.createdAt,
      last_used_at: session.lastUsedAt,
      provider_session_id: provider?.sessionId ?? null,
      id_token: provider?.idToken ?? null,
    })
    .execute();
}

/** The account's link that signs in; the one before it ends. `digest`: 32 bytes of SHA-256. */
export async function putSignInLink(trx: AccountTrx, digest: Uint8Array, expiresAt: Instant) {
  const row = { digest, expires_at: expiresAt };
  await trx
    .insertInto("sign_in_links")
    .values({ company_id: trx.companyId, ...row })
    .onConflict((conflict) => conflict.column("company_id").doUpdateSet(row))
    .execute();
}

/**
 * Takes a link, so that nobody else can. Returns whose it is; null: there is none, or it ended.
 *
 * Across accounts: the digest is what tells the account.
 */
export async function takeSignInLink(db: Executor, digest: Uint8Array, now: Instant) {
  const row = await db
    .deleteFrom("sign_in_links")
    .where("digest", "=", digest)
    .returning(["company_id", "expires_at"])
    .executeTakeFirst();
  return row !== undefined && row.expires_at > now ? row.company_id : null;
}

/**
 * The session of a digest with its account, ended or not; null: there is none.
 *
 * Across accounts: the digest is what tells the account.
 */
export async function findSessionByDigest(db: Executor, digest: Uint8Array) {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.company_id", "sessions.company_id")
    .select(ACCOUNT_COLUMNS)
    .select([
      "sessions.id",
      "sessions.digest",
      "sessions.created_at as begunAt",
      "sessions.last_used_at as lastUsedAt",
    ])
    .where("sessions.digest", "=", digest)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, digest: found, begunAt, lastUsedAt, ...account } = row;
  const session: Session = { id, createdAt: begunAt, lastUsedAt };
  return { session, digest: found, account: account satisfies Account };
}

/** Notes that a session was used; of several notes the latest stays. */
export async function touchSession(db: AccountDb, id: string, at: Instant): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ last_used_at: at })
    .where(({ and }) => and({ company_id: db.companyId, id }))
    .where("last_used_at", "<", at)
    .execute();
}

/** Ends a session. Returns its ID token; null: it has none, or had ended. */
export async function deleteSession(db: AccountDb, id: string): Promise<string | null> {
  const row = await db
    .deleteFrom("sessions")
    .where(({ and }) => and({ company_id: db.companyId, id }))
    .returning("id_token")
    .executeTakeFirst();
  return row?.id_token ?? null;
}

/**
 * The account with a session that the identity provider calls so; null: there is none.
 *
 * Across accounts: the provider may name the session alone.
 */
export async function findAccountOfProviderSession(db: Executor, providerSessionId: string) {
  const row = await db
    .selectFrom("sessions")
    .select("company_id")
    .where("provider_session_id", "=", providerSessionId)
    .limit(1)
    .executeTakeFirst();
  return row?.company_id ?? null;
}

/** Ends the sessions that the provider calls so, and those of which it did not say what it calls them. */
export async function deleteProviderSessions(db: AccountDb, providerSessionId: string) {
  await db
    .deleteFrom("sessions")
    .where("company_id", "=", db.companyId)
    .where(
      sql<boolean>`(provider_session_id is null or provider_session_id = ${providerSessionId})`,
    )
    .execute();
}

/** Ends all but the `kept` sessions of an account that were used last. */
export async function deleteSessionsBut(db: AccountDb, kept: number): Promise<void> {
  const stale = db
    .selectFrom("sessions")
    .select("id")
    .where("company_id", "=", db.companyId)
    .orderBy("last_used_at", "desc")
    .orderBy("id", "desc")
    .offset(kept);
  await db
    .deleteFrom("sessions")
    .where("company_id", "=", db.companyId)
    .where("id", "in", stale)
    .execute();
}

/** Notes a logout token by its SHA-256 and forgets expired ones; false: it was used before. */
export async function noteLogoutToken(
  trx: AccountTrx,
  token: { readonly digest: Uint8Array; readonly expiresAt: Instant },
  now: Instant,
): Promise<boolean> {
  await trx
    .deleteFrom("logout_tokens")
    .where("company_id", "=", trx.companyId)
    .where("expires_at", "<=", now)
    .execute();
  const row = await trx
    .insertInto("logout_tokens")
    .values({ company_id: trx.companyId, digest: token.digest, expires_at: token.expiresAt })
    .onConflict((conflict) => conflict.columns(["company_id", "digest"]).doNothing())
    .returning("digest")
    .executeTakeFirst();
  return row !== undefined;
}
