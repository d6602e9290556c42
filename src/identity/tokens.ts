import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import { Failure } from "../domain/failure.ts";
import { SECOND } from "../domain/instant.ts";
import { LOGOUT_TOKEN_MINUTES, type ProviderLogout } from "../domain/session.ts";
import type { AccessToken } from "./identity-provider.ts";

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

/** The issuer of a token. */
interface Issuer {
  readonly issuer: string;
  /** The URL of its public keys. */
  readonly keysUrl: string;
}

/** What a token states that is of its issuer, has not expired, and is as `rules` ask; null: it is not. */
export type VerifyToken = (
  token: string,
  issuer: Issuer,
  rules: JWTVerifyOptions,
) => Promise<JWTPayload | null>;

/**
 * Verifies tokens. It caches the issuer's keys, and fetches them again for an unknown key, once
 * in half a minute at most.
 */
export function createTokenVerifier(timeoutSeconds: number): VerifyToken {
  let keys: { readonly url: string; readonly set: ReturnType<typeof createRemoteJWKSet> } | null =
    null;
  return async (token, { issuer, keysUrl }, rules) => {
    if (keys?.url !== keysUrl) {
      const timeoutDuration = timeoutSeconds * 1_000;
      keys = { url: keysUrl, set: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration }) };
    }
    try {
      const tolerance = { clockTolerance: CLOCK_TOLERANCE_SECONDS };
      return (await jwtVerify(token, keys.set, { issuer, ...tolerance, ...rules })).payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || IS_AWAY.includes(error.code)) throw error;
      return null;
    }
  };
}

/** What a logout token must be, for a client of the provider. */
export function logoutTokenRules(audience: string): JWTVerifyOptions {
  return { audience, requiredClaims: ["jti"], maxTokenAge: `${LOGOUT_TOKEN_MINUTES} minutes` };
}

/** What an access token must be, for a resource. */
export function accessTokenRules(audience: string): JWTVerifyOptions {
  return { audience, requiredClaims: ["sub", "exp"] };
}

/** `scope` is one text (RFC 9068); some providers send a list, or call it `scp`. */
export function accessTokenIn({ sub = "", exp = 0, ...claims }: JWTPayload): AccessToken {
  const scope = claims.scope ?? claims.scp;
  return {
    subject: sub,
    scopes: typeof scope === "string" ? scope.split(" ") : textsIn(scope),
    tenants: textsIn(claims.tenants),
    expiresAt: BigInt(Math.floor(exp)) * SECOND,
  };
}

function textsIn(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter((each) => typeof each === "string") : [];
}

/** Throws `unauthenticated` for what is no logout token: an ID token must not end a session. */
export function signedOutIn(payload: JWTPayload | null): ProviderLogout {
  if (payload === null) throw refused("it is not the provider's, or has expired");
  const { sub, sid, jti, nonce, events } = payload;
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

function refused(why: string): Failure {
  return new Failure("unauthenticated", `the logout token was refused: ${why}`);
}
