import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { Failure } from "../domain/failure.ts";
import { LOGOUT_TOKEN_MINUTES } from "../domain/session.ts";
import type { SignedOut } from "./identity-provider.ts";

/** What a token is about that says that somebody signed out (OpenID Connect Back-Channel Logout 1.0). */
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** By how much the provider's clock may differ. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Of errors that say that the provider's keys could not be read, not that the token is wrong. */
const IS_AWAY: readonly string[] = [
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  "ERR_JOSE_GENERIC",
];

/** Who issues logout tokens, and for whom. */
interface Expected {
  readonly issuer: string;
  readonly audience: string;
  /** Of the issuer's public keys. */
  readonly keysUrl: string;
}

/** Reads logout tokens; the issuer's keys are kept, and asked for again where a new one signs. */
export function createLogoutTokenReader(
  timeoutSeconds: number,
): (token: string, expected: Expected) => Promise<SignedOut> {
  let keys: { readonly url: string; readonly set: ReturnType<typeof createRemoteJWKSet> } | null =
    null;
  return async (token, { issuer, audience, keysUrl }) => {
    if (keys?.url !== keysUrl) {
      const timeoutDuration = timeoutSeconds * 1_000;
      keys = { url: keysUrl, set: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration }) };
    }
    try {
      const { payload } = await jwtVerify(token, keys.set, {
        issuer,
        audience,
        requiredClaims: ["jti"],
        maxTokenAge: `${LOGOUT_TOKEN_MINUTES} minutes`,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return signedOutIn(payload);
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || IS_AWAY.includes(error.code)) throw error;
      throw refused("it is not the provider's, or has expired", error);
    }
  };
}

/** What tells it from an ID token, which must not end a session. */
function signedOutIn({ sub, sid, jti, nonce, events }: JWTPayload): SignedOut {
  const subject = sub ?? null;
  const sessionId = typeof sid === "string" && sid !== "" ? sid : null;
  if (!isRecord(events) || !isRecord(events[LOGOUT_EVENT])) throw refused("it is of no logout");
  if (nonce !== undefined) throw refused("it has a nonce, as an ID token does");
  if (subject === null && sessionId === null) throw refused("it names nobody");
  return { subject, sessionId, tokenId: jti ?? "" };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function refused(why: string, cause?: unknown): Failure {
  return new Failure("unauthenticated", `the logout token was refused: ${why}`, { cause });
}
