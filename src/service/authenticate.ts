import { hash, timingSafeEqual } from "node:crypto";
import { checkNotSuspended } from "../domain/account.ts";
import { isWellFormedApiKey, type KeyRights } from "../domain/api-key.ts";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { type Instant, MINUTE } from "../domain/instant.ts";
import { endOfSession } from "../domain/session.ts";
import { findAccount } from "../storage/accounts.ts";
import { findApiKeyByDigest, touchApiKey } from "../storage/api-keys.ts";
import type { Executor } from "../storage/schema.ts";
import { findSessionByDigest, touchSession } from "../storage/sessions.ts";
import type { Credential, KnownCaller, ServiceContext } from "./context.ts";
import { currentUsage } from "./plan.ts";

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
  const keyDigest = apiKeyDigest(presentedKey).toString("base64");
  const find = (owner: CompanyId | null) => lookUp(context, "api_key", keyDigest, owner);
  return remembered(context, "api_key", keyDigest, address, find);
}

/** The account whose key this is, as far as this process knows without a look-up; null: it does not. */
export function findKnownAccount({ callers }: ServiceContext, presentedKey: string) {
  return callers.knownAccount(apiKeyDigest(presentedKey).toString("base64"));
}

/** Whose session of the dashboard a token is. Throws as `authenticate` does. */
export async function authenticateSession(context: ServiceContext, token: string, address: string) {
  const keyDigest = sessionDigest(token).toString("base64");
  const find = (owner: CompanyId | null) => lookUp(context, "session", keyDigest, owner);
  return remembered(context, "session", keyDigest, address, find);
}

/** What an access token of the operator's identity provider grants (D49). */
export interface Grant {
  readonly companyId: CompanyId;
  /** For histories: a UUID that is always the same for this user of this provider. */
  readonly actor: string;
  readonly rights: KeyRights;
  readonly expiresAt: Instant;
}

/** Whose access token this is; `read` gives what it grants, or null. Throws as both may. */
export async function authenticateGrant(
  context: ServiceContext,
  token: string,
  address: string,
  read: (token: string) => Promise<Grant | null>,
): Promise<KnownCaller> {
  const keyDigest = hash("sha256", `access token ${token}`, "base64");
  return remembered(context, "access_token", keyDigest, address, async () => {
    const grant = await read(token);
    return grant && callerOfGrant(context, grant, keyDigest);
  });
}

/** null: it has expired, or its user has no account. */
async function callerOfGrant(
  context: ServiceContext,
  grant: Grant,
  keyDigest: string,
): Promise<KnownCaller | null> {
  const { companyId, actor, rights, expiresAt } = grant;
  if (context.now() >= expiresAt) return null;
  const account = await findAccount(context.db.of(companyId));
  if (account === null) return null;
  const usage = await currentUsage(context.db.forCall(companyId), account, context.now());
  const credential = "access_token";
  const find = () => callerOfGrant(context, grant, keyDigest);
  return { companyId, credential, apiKeyId: actor, keyDigest, account, rights, find, usage };
}

/**
 * Looks at a caller's key or session again, for what is decided at the end of a long piece
 * of work (D36); mostly the look-up is still known. Throws `unauthenticated` where it was
 * revoked meanwhile, and `account_suspended` where the account was suspended.
 */
export async function confirmCaller(
  context: ServiceContext,
  { credential, keyDigest, companyId, find }: KnownCaller,
): Promise<KnownCaller> {
  const caller = await remembered(context, credential, keyDigest, companyId, find);
  checkNotSuspended(caller.account);
  return caller;
}

const UNKNOWN: { readonly [credential in Credential]: string } = {
  api_key:
    "the API key in the header `Authorization: Bearer API_KEY` is unknown, was revoked or has expired",
  session: "the session of the dashboard has ended",
  access_token:
    "the access token is not of the issuer that this service trusts, is for another resource, has expired, names no tenant, or its user has no account here",
};

/** As this process knows the caller, or as `find` does. Throws `unauthenticated`. */
async function remembered(
  context: ServiceContext,
  credential: Credential,
  keyDigest: string,
  address: string,
  find: KnownCaller["find"],
): Promise<KnownCaller> {
  const caller = await context.callers.get(keyDigest, address, context.now(), find);
  if (caller === null) throw unauthenticated(UNKNOWN[credential]);
  return caller;
}

/** null: no such key or session, or one that was revoked or has ended. */
async function lookUp(
  context: ServiceContext,
  credential: "api_key" | "session",
  keyDigest: string,
  owner: CompanyId | null,
): Promise<KnownCaller | null> {
  // Known keys are looked up in the share of their account, whatever unknown ones there are.
  const db = owner === null ? context.db : context.db.inShareOf(owner);
  const digest = Buffer.from(keyDigest, "base64");
  const now = context.now();
  const found = await (credential === "session" ? findSession : findApiKey)(db, digest, now);
  if (found === null || !timingSafeEqual(found.digest, digest)) return null;
  const { account, id, rights, lastUsedAt, touch } = found;
  const { companyId } = account;
  const usage = await currentUsage(context.db.forCall(companyId), account, context.now());
  if (lastUsedAt === null || now >= lastUsedAt + LAST_USED_RESOLUTION) {
    // A note for people: failing to write it is no reason to fail the request.
    const message = "the use of an API key or a session could not be noted";
    const warn = (err: unknown) => context.log.warn({ err, apiKeyId: id }, message);
    await touch(context.db.of(companyId), id, now).catch(warn);
  }
  const find: KnownCaller["find"] = (known) => lookUp(context, credential, keyDigest, known);
  return { companyId, credential, apiKeyId: id, keyDigest, account, rights, find, usage };
}

async function findApiKey(db: Executor, wanted: Uint8Array, now: Instant) {
  const found = await findApiKeyByDigest(db, wanted);
  if (found === null) return null;
  const { digest, account, id, lastUsedAt, revokedAt, expiresAt, rights, tenants } = found;
  const isGood = revokedAt === null && (expiresAt === null || now < expiresAt);
  if (!isGood) return null;
  return { digest, account, id, lastUsedAt, rights: { rights, tenants }, touch: touchApiKey };
}

async function findSession(db: Executor, wanted: Uint8Array, now: Instant) {
  const found = await findSessionByDigest(db, wanted);
  if (found === null || now >= endOfSession(found.session)) return null;
  const { digest, account, session } = found;
  return { digest, account, ...session, rights: null, touch: touchSession };
}

/** The SHA-256 of a key. It has no salt: nothing can guess the 256 random bits of a key. */
export function apiKeyDigest(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

/** The digest of a session's token: 32 bytes, which no API key has. */
export function sessionDigest(token: string): Buffer {
  return hash("sha256", `session ${token}`, "buffer");
}

function unauthenticated(sentence: string): Failure {
  return new Failure("unauthenticated", sentence);
}
