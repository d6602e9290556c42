import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientError,
  type Configuration,
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
import type { IdentityProvider } from "./identity-provider.ts";
import {
  accessTokenIn,
  accessTokenRules,
  createTokenVerifier,
  logoutTokenRules,
  signedOutIn,
} from "./tokens.ts";

const TIMEOUT_SECONDS = 10;
const SCOPE = "openid";
/** Codes of errors of an unreachable provider. */
const IS_AWAY = ["OAUTH_TIMEOUT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_INVALID_SERVER_METADATA"];

/** A provider of OpenID Connect: authorization code with PKCE. The first use discovers it. */
export function createOpenIdProvider(config: OpenIdConfig): IdentityProvider {
  const { redirectUrl, signedOutUrl } = config;
  const verify = createTokenVerifier(TIMEOUT_SECONDS);
  let discovered: Promise<Configuration> | null = null;
  const provider = () => {
    discovered ??= discover(config).catch((error: unknown) => {
      // The next sign-in tries again.
      discovered = null;
      throw error;
    });
    return discovered;
  };
  const issuer = async () => {
    const { issuer, jwks_uri: keysUrl } = (await provider()).serverMetadata();
    if (keysUrl === undefined) throw new Error("the provider names no keys");
    return { issuer, keysUrl };
  };

  return {
    async begin() {
      const flow = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
      };
      const url = buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUrl,
        scope: SCOPE,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, flow };
    },

    async complete(search, { state, nonce, codeVerifier }) {
      const configuration = await provider();
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

    async endSessionUrl(idToken) {
      const configuration = await provider();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: signedOutUrl,
        id_token_hint: idToken,
      }).href;
    },

    async readLogoutToken(token) {
      return signedOutIn(await verify(token, await issuer(), logoutTokenRules(config.clientId)));
    },

    issuer: config.issuer,

    async readAccessToken(token, resource) {
      const payload = await verify(token, await issuer(), accessTokenRules(resource));
      return payload === null ? null : accessTokenIn(payload);
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdConfig): Promise<Configuration> {
  return discovery(
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
}

/** Whether the answer itself is wrong: for another flow, used, expired, or an error. */
function isRefusal(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError) return true;
  if (error instanceof ResponseBodyError) return error.status < 500;
  return error instanceof ClientError && !IS_AWAY.includes(error.code ?? "");
}
