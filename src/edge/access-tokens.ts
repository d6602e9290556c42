import { v5 as uuidv5 } from "uuid";
import { DEFAULT_RIGHTS, RIGHTS } from "../domain/api-key.ts";
import { Failure } from "../domain/failure.ts";
import type { AccessToken, IdentityProvider } from "../identity/openid.ts";
import type { Grant } from "../service/authenticate.ts";
import { type Exchange, sendJson } from "./http/answers.ts";
import { accountOf } from "./sign-in-pages.ts";

/** Where a resource says whose access tokens it takes (RFC 9728, section 3.1). */
const METADATA_PATH = "/.well-known/oauth-protected-resource";
const PROVIDER_RETRY_SECONDS = 5;

/** The Model Context Protocol as a resource of OAuth (D49). */
export type ProtectedResource = ReturnType<typeof createProtectedResource>;

/** `resource`: the URL at which clients reach it, which access tokens must be for. */
export function createProtectedResource(provider: IdentityProvider, resource: string) {
  const metadata = {
    resource,
    authorization_servers: [provider.issuer],
    scopes_supported: RIGHTS,
    bearer_methods_supported: ["header"],
  };
  const handle = ({ response }: Exchange) =>
    sendJson(response, 200, metadata, { "access-control-allow-origin": "*" });
  const page = { kind: "page", methods: ["GET"], handle } as const;
  const paths = [METADATA_PATH, METADATA_PATH + new URL(resource).pathname];
  return {
    /** The URL of its metadata, which its answers of 401 name. */
    metadataUrl: new URL(METADATA_PATH, resource).href,
    paths: new Map(paths.map((path) => [path, page])),
    /** Null: it grants nothing. Throws `overloaded` where the provider is unreachable. */
    async readGrant(token: string): Promise<Grant | null> {
      const read = await provider.readAccessToken(token, resource).catch((cause: unknown) => {
        const sentence = "the identity provider, which vouches for access tokens, is unreachable";
        const retryAfterSeconds = PROVIDER_RETRY_SECONDS;
        throw new Failure("overloaded", sentence, { retryAfterSeconds, cause });
      });
      return read && grantOf(read, provider.issuer);
    },
  };
}

/** A token with none of the scopes has the rights of a key that is made without any (D48). */
function grantOf(token: AccessToken, issuer: string): Grant | null {
  const { subject, scopes, tenants, expiresAt } = token;
  const companyId = accountOf(subject);
  if (companyId === null) return null;
  const named = RIGHTS.filter((right) => scopes.includes(right));
  const rights = named.length === 0 ? DEFAULT_RIGHTS : named;
  const actor = uuidv5(`${issuer} ${subject}`, uuidv5.URL);
  return { companyId, actor, rights: { rights, tenants }, expiresAt };
}
