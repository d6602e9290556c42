import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { Failure } from "../domain/failure.ts";
import { LOGOUT_TOKEN_MINUTES } from "../domain/session.ts";
import type { SignedOut } from "./identity-provider.ts";

/** The event of a logout token (OpenID Connect Back-Channel Logout 1.0). */
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Allowed difference to the provider's clock. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Codes of errors in reading the provider's keys; the token may be right. */
const IS_AWAY: readonly string[] = [
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  "ERR_JOSE_GENERIC",
];

/** The expected issuer and audience of a token. */
interface Expected {
  readonly issuer: string;
  readonly audience: string;
  /** The URL of the issuer's public keys. */
  readonly keysUrl: string;
}

/** Reads logout tokens. It caches the issuer's keys, and fetches them again for an unknown key. */
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

/** Accepts no ID token: that must not end a session. */
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
