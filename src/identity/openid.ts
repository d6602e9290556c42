import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  calculatePKCECodeChallenge,
  discovery,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { OpenIdConfig } from "../config/config.ts";
import { Failure } from "../domain/failure.ts";
import { SECOND } from "../domain/instant.ts";
import { LOGOUT_TOKEN_MINUTES, type ProviderLogout } from "../domain/session.ts";

const TIMEOUT_SECONDS = 10;
const SCOPE = "openid";
/** The event of a logout token (OpenID Connect Back-Channel Logout 1.0). */
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Allowed difference to the provider's clock. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Codes of errors of an unreachable provider. */
const IS_AWAY = ["OAUTH_TIMEOUT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_INVALID_SERVER_METADATA"];
/** Codes of errors in reading the provider's keys; the token may be right. */
const ARE_KEYS_AWAY: readonly string[] = [
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  "ERR_JOSE_GENERIC",
];

/** The state of a sign-in in progress, which the browser holds. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** An access token of the provider for this service (D49). */
export type AccessToken = NonNullable<ReturnType<typeof accessTokenIn>>;

/** Signs users in and out, and reads the tokens that they are given. */
export type IdentityProvider = ReturnType<typeof createOpenIdProvider>;

/** OpenID Connect by authorization code with PKCE. Methods reject where it is unreachable. */
export function createOpenIdProvider(config: OpenIdConfig) {
  const { redirectUrl, signedOutUrl } = config;
  let discovered: ReturnType<typeof discover> | null = null;
  const provider = () => {
    discovered ??= discover(config).catch((error: unknown) => {
      // The next use tries again.
      discovered = null;
      throw error;
    });
    return discovered;
  };

  /** What a token of the provider states; null: it is another issuer's, has expired, or breaks a rule. */
  async function verify(token: string, rules: JWTVerifyOptions): Promise<JWTPayload | null> {
    const { issuer, keys } = await provider();
    const options = { issuer, clockTolerance: CLOCK_TOLERANCE_SECONDS, ...rules };
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || ARE_KEYS_AWAY.includes(error.code)) throw error;
      return null;
    }
  }

  return {
    /** The URL that identifies the provider in its tokens. */
    issuer: config.issuer,

    /** Begins a sign-in at the returned URL. */
    async begin(): Promise<{ readonly url: string; readonly flow: SignInFlow }> {
      const flow = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
      };
      const url = buildAuthorizationUrl((await provider()).configuration, {
        redirect_uri: redirectUrl,
        scope: SCOPE,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, flow };
    },

    /**
     * Completes a sign-in with the query `search` that the browser came back with: the user's ID,
     * the provider's ID of the session, where it names one, and the token that identifies the
     * session at sign-out. Throws `unauthenticated` for the answer to another flow, and for a
     * used or expired one.
     */
    async complete(search: string, { state, nonce, codeVerifier }: SignInFlow) {
      const { configuration } = await provider();
      const url = new URL(redirectUrl);
      url.search = search;
      try {
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined || tokens.id_token === undefined) {
          throw new Error("the provider sent no ID token");
        }
        const sessionId = typeof claims.sid === "string" ? claims.sid : null;
        return { subject: claims.sub, sessionId, idToken: tokens.id_token };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        throw new Failure("unauthenticated", "the provider's answer was refused", { cause: error });
      }
    },

    /** The URL where a browser ends the provider's session and comes back; null: there is none. */
    async endSessionUrl(idToken: string): Promise<string | null> {
      const { configuration } = await provider();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: signedOutUrl,
        id_token_hint: idToken,
      }).href;
    },

    /**
     * Reads a logout token. Throws `unauthenticated` for an invalid or old one, for another
     * issuer's, and for one with another audience. It does not detect a repeated token.
     */
    async readLogoutToken(token: string): Promise<ProviderLogout> {
      const maxTokenAge = `${LOGOUT_TOKEN_MINUTES} minutes`;
      const audience = config.clientId;
      return signedOutIn(await verify(token, { audience, requiredClaims: ["jti"], maxTokenAge }));
    },

    /** Reads an access token for `resource`; null: of another, expired, or of unnamed tenants. */
    async readAccessToken(token: string, resource: string): Promise<AccessToken | null> {
      const rules = { audience: resource, requiredClaims: ["sub", "exp"] };
      const payload = await verify(token, rules);
      return payload === null ? null : accessTokenIn(payload);
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdConfig) {
  const configuration = await discovery(
    new URL(issuer),
    clientId,
    clientSecret ?? undefined,
    clientSecret === null ? None() : undefined,
    {
      timeout: TIMEOUT_SECONDS,
      // The configuration allows such an issuer on loopback only.
      execute: issuer.startsWith("http:") ? [allowInsecureRequests] : [],
    },
  );
  const { issuer: name, jwks_uri: keysUrl } = configuration.serverMetadata();
  if (keysUrl === undefined) throw new Error("the provider names no keys");
  const timeoutDuration = TIMEOUT_SECONDS * 1_000;
  // They are cached, and fetched again for an unknown key, once in half a minute at most.
  const keys = createRemoteJWKSet(new URL(keysUrl), { timeoutDuration });
  return { configuration, issuer: name, keys };
}

/** Whether the answer itself is wrong: for another flow, used, expired, or an error. */
function isRefusal(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError) return true;
  if (error instanceof ResponseBodyError) return error.status < 500;
  return error instanceof ClientError && !IS_AWAY.includes(error.code ?? "");
}

/** `scope` is one text (RFC 9068); some providers send a list, or call it `scp`. */
function accessTokenIn({ sub = "", exp = 0, ...claims }: JWTPayload) {
  const tenants = textsIn(claims.tenants);
  // A limit that cannot be read must not be no limit.
  if (claims.tenants !== undefined && tenants.length === 0) return null;
  return {
    /** The user's ID at the provider. */
    subject: sub,
    scopes: textsIn(claims.scope ?? claims.scp).flatMap((scope) => scope.split(" ")),
    /** Names, or beginnings of names that end in `*`; empty: it has none. */
    tenants,
    expiresAt: BigInt(Math.floor(exp)) * SECOND,
  };
}

/** Providers send a list of one as a text. */
function textsIn(claim: unknown): string[] {
  return [claim].flat().filter((each) => typeof each === "string");
}

/** Throws `unauthenticated` for what is no logout token: an ID token must not end a session. */
function signedOutIn(payload: JWTPayload | null): ProviderLogout {
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
