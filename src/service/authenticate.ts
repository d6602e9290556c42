import { hash, timingSafeEqual } from "node:crypto";
import { type ApiKey, checkNotSuspended } from "../domain/account.ts";
import { isWellFormedApiKey } from "../domain/api-key-format.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { type Instant, MINUTE } from "../domain/instant.ts";
import { endOfSession } from "../domain/session.ts";
import { findApiKeyByDigest, touchApiKey } from "../storage/api-keys.ts";
import type { Executor } from "../storage/schema.ts";
import { findSessionByDigest, touchSession } from "../storage/sessions.ts";
import { findLatestUsage } from "../storage/write-usage.ts";
import type { Credential, KnownCaller, ServiceContext } from "./context.ts";

/** How fine `last_used_at` is: a key that is used all the time costs one write in it. */
const LAST_USED_RESOLUTION = MINUTE;

/**
 * Who presents an API key, from which address; null: no key was presented (5.1, 5.3, 5.4).
 *
 * Throws `unauthenticated` for no key, a mistyped, an unknown, a revoked or an expired one, and
 * `too_many_refusals` for a key that this process has not met, where too many of the
 * address were unknown. The sentence never repeats the key.
 */
export async function authenticate(
  context: ServiceContext,
  presentedKey: string | null,
  address: string,
): Promise<KnownCaller> {
  if (presentedKey === null) {
    throw unauthenticated("the header `Authorization: Bearer API_KEY` is required");
  }
  if (!isWellFormedApiKey(presentedKey)) {
    throw unauthenticated(
      "the header `Authorization: Bearer API_KEY` must hold an API key as it was issued, which starts with `svc_`",
    );
  }
  return findCaller(context, "api_key", base64(apiKeyDigest(presentedKey)), address);
}

/** The account whose key this is, as far as this process knows without a look-up; null: it does not. */
export function findKnownAccount(
  { callers }: ServiceContext,
  presentedKey: string,
): CompanyId | null {
  return callers.knownAccount(base64(apiKeyDigest(presentedKey)));
}

/**
 * Whose session of the dashboard a token is, which was presented from an address. Throws as
 * `authenticate` does.
 */
export async function authenticateSession(
  context: ServiceContext,
  token: string,
  address: string,
): Promise<KnownCaller> {
  return findCaller(context, "session", base64(sessionDigest(token)), address);
}

/**
 * Looks at a caller's key or session again, for what is decided at the end of a long piece
 * of work (D36); mostly the look-up is still known. Throws `unauthenticated` where it was
 * revoked meanwhile, and `account_suspended` where the account was suspended.
 */
export async function confirmCaller(
  context: ServiceContext,
  { credential, keyDigest, companyId }: KnownCaller,
): Promise<KnownCaller> {
  const caller = await findCaller(context, credential, keyDigest, companyId);
  checkNotSuspended(caller.account);
  return caller;
}

const UNKNOWN: { readonly [credential in Credential]: string } = {
  api_key:
    "the API key in the header `Authorization: Bearer API_KEY` is unknown, was revoked or has expired",
  session: "the session of the dashboard has ended",
};

async function findCaller(
  context: ServiceContext,
  credential: Credential,
  keyDigest: string,
  address: string,
): Promise<KnownCaller> {
  const lookUp = credential === "session" ? lookUpSession : lookUpApiKey;
  const caller = await context.callers.get(keyDigest, address, context.now(), (owner) =>
    // Who is known is looked up in the name of the account, whatever strangers do.
    lookUp(context, owner === null ? context.db : context.db.inShareOf(owner), keyDigest),
  );
  if (caller !== null) return caller;
  throw unauthenticated(UNKNOWN[credential]);
}

/** null: no such key, or one that was revoked or has expired. */
async function lookUpApiKey(
  context: ServiceContext,
  db: Executor,
  keyDigest: string,
): Promise<KnownCaller | null> {
  const digest = Buffer.from(keyDigest, "base64");
  const found = await findApiKeyByDigest(db, digest);
  const now = context.now();
  if (found === null || !timingSafeEqual(found.digest, digest) || !isGood(found.apiKey, now)) {
    return null;
  }
  const { apiKey, account } = found;
  const usage = await findLatestUsage(context.db.forCall(account.companyId));
  await noteUse(context, apiKey, () =>
    touchApiKey(context.db.of(apiKey.companyId), apiKey.id, now),
  );
  const { companyId } = account;
  return { companyId, credential: "api_key", apiKeyId: apiKey.id, keyDigest, account, usage };
}

/** null: no such session, or one that has ended. */
async function lookUpSession(
  context: ServiceContext,
  db: Executor,
  keyDigest: string,
): Promise<KnownCaller | null> {
  const digest = Buffer.from(keyDigest, "base64");
  const found = await findSessionByDigest(db, digest);
  const now = context.now();
  if (found === null || !timingSafeEqual(found.digest, digest)) return null;
  const { session, account } = found;
  if (now >= endOfSession(session)) return null;
  const { companyId } = account;
  const usage = await findLatestUsage(context.db.forCall(companyId));
  await noteUse(context, session, () => touchSession(context.db.of(companyId), session.id, now));
  return { companyId, credential: "session", apiKeyId: session.id, keyDigest, account, usage };
}

function isGood({ revokedAt, expiresAt }: ApiKey, now: Instant): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt);
}

/** A note for people: failing to write it is no reason to fail the request. */
async function noteUse(
  context: ServiceContext,
  { id, lastUsedAt }: Pick<ApiKey, "id" | "lastUsedAt">,
  touch: () => Promise<void>,
): Promise<void> {
  if (lastUsedAt !== null && context.now() < lastUsedAt + LAST_USED_RESOLUTION) return;
  try {
    await touch();
  } catch (err) {
    context.log.warn(
      { err, apiKeyId: id },
      "the use of an API key or a session could not be noted",
    );
  }
}

/**
 * What is stored of an API key: its SHA-256, 32 bytes. No salt and no slow hash:
 * a key has 256 random bits, so there is nothing to guess from its digest.
 */
export function apiKeyDigest(key: string): Uint8Array {
  return hash("sha256", key, "buffer");
}

/** What is stored of a session's token: 32 bytes, which no API key has. */
export function sessionDigest(token: string): Uint8Array {
  return hash("sha256", `session ${token}`, "buffer");
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function unauthenticated(sentence: string): Failure {
  return new Failure("unauthenticated", sentence);
}
