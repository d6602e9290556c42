import { hash } from "node:crypto";
import { Failure } from "../domain/failure.ts";
import { toCompanyId } from "../domain/ids.ts";
import { MINUTE } from "../domain/instant.ts";
import { LOGOUT_TOKEN_MINUTES } from "../domain/session.ts";
import { lockAccount } from "../storage/accounts.ts";
import {
  deleteProviderSessions,
  deleteSessions,
  findAccountOfProviderSession,
  noteLogoutToken,
} from "../storage/sessions.ts";
import { transaction } from "../storage/transaction.ts";
import type { ServiceContext } from "./context.ts";

/** That somebody signed out at the identity provider, in its words. */
export interface ProviderLogout {
  /** The user's ID there; null: the session says who. */
  readonly subject: string | null;
  /** What the provider calls the session; null: every session of the user has ended. */
  readonly sessionId: string | null;
  /** Of the token that says so: each is good once. */
  readonly tokenId: string;
}

/** The clocks of the provider and of this server may differ so far. */
const CLOCK_TOLERANCE = MINUTE;

/**
 * Ends the sessions here of who signed out at the identity provider; those who have none are
 * signed out already. Throws `unauthenticated` for a token that was used before.
 */
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
    digest: hash("sha256", tokenId, "buffer"),
    // By then it is too old to be taken.
    expiresAt: now + BigInt(LOGOUT_TOKEN_MINUTES) * MINUTE + 2n * CLOCK_TOLERANCE,
  };
  await transaction(context.db.of(companyId), async (trx) => {
    if ((await lockAccount(trx)) === null) return;
    if (!(await noteLogoutToken(trx, token, now))) {
      throw new Failure("unauthenticated", "the logout token was used before");
    }
    if (sessionId === null) await deleteSessions(trx);
    else await deleteProviderSessions(trx, sessionId);
  });
  context.callers.forget(companyId);
}
