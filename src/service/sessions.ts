import { hash } from "node:crypto";
import { Failure } from "../domain/failure.ts";
import { type CompanyId, toCompanyId } from "../domain/ids.ts";
import { MINUTE } from "../domain/instant.ts";
import {
  LOGOUT_TOKEN_MINUTES,
  MAX_ID_TOKEN_CHARACTERS,
  MAX_PROVIDER_SESSION_ID_CHARACTERS,
  MAX_SESSIONS,
  type ProviderLogout,
  type ProviderSession,
  SESSION_TOKEN_BYTES,
  SIGN_IN_LINK_MINUTES,
} from "../domain/session.ts";
import { findAccount, insertAccount, lockAccount } from "../storage/accounts.ts";
import {
  deleteProviderSessions,
  deleteSession,
  deleteSessionsBut,
  findAccountOfProviderSession,
  insertSession,
  noteLogoutToken,
  putSignInLink,
  takeSignInLink,
} from "../storage/sessions.ts";
import { transaction } from "../storage/transaction.ts";
import { newAccount } from "./admin/accounts.ts";
import { accountNotFound } from "./admin/api-keys.ts";
import { sessionDigest } from "./authenticate.ts";
import type { Caller, ServiceContext } from "./context.ts";

/** Opens a session of an account and returns its token. Throws `account_not_found`. */
export async function openSession(
  context: ServiceContext,
  companyId: CompanyId,
  provider: ProviderSession | null = null,
): Promise<string> {
  const token = newToken(context);
  const now = context.now();
  await transaction(context.db.of(companyId), async (trx) => {
    if ((await lockAccount(trx)) === null) throw accountNotFound(companyId);
    await deleteSessionsBut(trx, MAX_SESSIONS - 1);
    const session = { id: context.newId(), createdAt: now, lastUsedAt: now };
    await insertSession(trx, session, sessionDigest(token), provider);
  });
  return token;
}

/**
 * Signs in the user of an identity provider whose ID is the `company_id` of their account:
 * the token of a new session; null: there is no account. With `signUp` there is one then.
 */
export async function signInAs(
  context: ServiceContext,
  companyId: CompanyId,
  { sessionId, idToken }: ProviderSession,
  signUp: boolean,
): Promise<string | null> {
  const db = context.db.of(companyId);
  if (signUp) await insertAccount(db, newAccount(companyId, context.newId(), context.now()));
  else if ((await findAccount(db)) === null) return null;
  return openSession(context, companyId, {
    sessionId: atMost(sessionId, MAX_PROVIDER_SESSION_ID_CHARACTERS),
    idToken: atMost(idToken, MAX_ID_TOKEN_CHARACTERS),
  });
}

/** Ends the calling session, elsewhere within CALLER_CACHE_MS. Returns its ID token, or null. */
export async function closeSession(context: ServiceContext, caller: Caller) {
  const idToken = await deleteSession(caller.db, caller.apiKeyId);
  context.callers.forget(caller.companyId);
  return idToken;
}

function atMost(text: string | null, maxCharacters: number): string | null {
  return text !== null && text.length <= maxCharacters ? text : null;
}

/** The clocks of the provider and of this server may differ so far. */
const CLOCK_TOLERANCE = MINUTE;

/** Ends the sessions of who signed out elsewhere. Throws `unauthenticated` for a used token. */
export async function logOutByProvider(
  context: ServiceContext,
  { subject, sessionId, tokenId }: ProviderLogout,
): Promise<void> {
  const companyId =
    subject === null
      ? sessionId && (await findAccountOfProviderSession(context.db, sessionId))
      : toCompanyId(subject);
  if (companyId === null || companyId === "") return;
  const now = context.now();
  const token = {
    digest: digestOf(tokenId),
    // By then it is too old to be taken.
    expiresAt: now + BigInt(LOGOUT_TOKEN_MINUTES) * MINUTE + 2n * CLOCK_TOLERANCE,
  };
  await transaction(context.db.of(companyId), async (trx) => {
    if ((await lockAccount(trx)) === null) return;
    if (!(await noteLogoutToken(trx, token, now))) {
      throw new Failure("unauthenticated", "the logout token was used before");
    }
    if (sessionId === null) await deleteSessionsBut(trx, 0);
    else await deleteProviderSessions(trx, sessionId);
  });
  context.callers.forget(companyId);
}

/** A link that signs in once, in place of the account's last one. Throws `account_not_found`. */
export async function issueSignInLink(context: ServiceContext, companyId: CompanyId) {
  const token = newToken(context);
  const expiresAt = context.now() + BigInt(SIGN_IN_LINK_MINUTES) * MINUTE;
  await transaction(context.db.of(companyId), async (trx) => {
    if ((await lockAccount(trx)) === null) throw accountNotFound(companyId);
    await putSignInLink(trx, digestOf(token), expiresAt);
  });
  return token;
}

/** Signs in by a link: the token of a new session. Throws `unauthenticated`. */
export async function signInByLink(context: ServiceContext, token: string): Promise<string> {
  const companyId = await takeSignInLink(context.db, digestOf(token), context.now());
  if (companyId !== null) return openSession(context, companyId);
  const old = `is older than ${SIGN_IN_LINK_MINUTES} minutes, or was replaced by another`;
  throw new Failure("unauthenticated", `the sign-in link was used, ${old}`);
}

function newToken({ randomBytes }: Pick<ServiceContext, "randomBytes">): string {
  return Buffer.from(randomBytes(SESSION_TOKEN_BYTES)).toString("base64url");
}

function digestOf(token: string): Uint8Array {
  return hash("sha256", token, "buffer");
}
