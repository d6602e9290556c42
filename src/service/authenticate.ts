import { hash, timingSafeEqual } from "node:crypto";
import { type ApiKey, checkNotSuspended } from "../domain/account.ts";
import { isWellFormedApiKey } from "../domain/api-key-format.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { type Instant, MINUTE } from "../domain/instant.ts";
import { findApiKeyByDigest, touchApiKey } from "../storage/api-keys.ts";
import type { Executor } from "../storage/schema.ts";
import type { KnownCaller, ServiceContext } from "./context.ts";

/** How fine `last_used_at` is: a key that is used all the time costs one write in it. */
const LAST_USED_RESOLUTION = MINUTE;

/**
 * Who presents an API key, from which address; null: no key was presented (section 5).
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
  return findCaller(context, digestText(presentedKey), address);
}

/** The account whose key this is, as far as this process knows without a look-up; null: it does not. */
export function findKnownAccount(
  { callers }: ServiceContext,
  presentedKey: string,
): CompanyId | null {
  return callers.knownAccount(digestText(presentedKey));
}

function digestText(key: string): string {
  return Buffer.from(apiKeyDigest(key)).toString("base64");
}

/**
 * Looks at a caller's key again, for what is decided at the end of a long piece of work
 * (D36); mostly the look-up is still known. Throws `unauthenticated` where the key was
 * revoked meanwhile, and `account_suspended` where the account was suspended.
 */
export async function confirmCaller(context: ServiceContext, caller: KnownCaller): Promise<void> {
  const { account } = await findCaller(context, caller.keyDigest, caller.companyId);
  checkNotSuspended(account);
}

async function findCaller(
  context: ServiceContext,
  keyDigest: string,
  address: string,
): Promise<KnownCaller> {
  const now = context.now();
  const caller = await context.callers.get(keyDigest, address, now, (owner) =>
    // Who is known is looked up in the name of the account, whatever strangers do.
    lookUpCaller(context, owner === null ? context.db : context.db.inShareOf(owner), keyDigest),
  );
  if (caller !== null) return caller;
  throw unauthenticated(
    "the API key in the header `Authorization: Bearer API_KEY` is unknown, was revoked or has expired",
  );
}

/** null: no such key, or one that was revoked or has expired. */
async function lookUpCaller(
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
  await noteUse(context, found.apiKey, now);
  const { apiKey, account, usage } = found;
  return { companyId: account.companyId, apiKeyId: apiKey.id, keyDigest, account, usage };
}

function isGood({ revokedAt, expiresAt }: ApiKey, now: Instant): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt);
}

/** A note for the operator: failing to write it is no reason to fail the request. */
async function noteUse(
  context: ServiceContext,
  { companyId, id, lastUsedAt }: ApiKey,
  now: Instant,
): Promise<void> {
  if (lastUsedAt !== null && now < lastUsedAt + LAST_USED_RESOLUTION) return;
  try {
    await touchApiKey(context.db.of(companyId), id, now);
  } catch (err) {
    context.log.warn({ err, apiKeyId: id }, "the use of an API key could not be noted");
  }
}

/**
 * What is stored of an API key: its SHA-256, 32 bytes. No salt and no slow hash:
 * a key has 256 random bits, so there is nothing to guess from its digest.
 */
export function apiKeyDigest(key: string): Uint8Array {
  return hash("sha256", key, "buffer");
}

function unauthenticated(sentence: string): Failure {
  return new Failure("unauthenticated", sentence);
}
