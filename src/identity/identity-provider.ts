import type { Instant } from "../domain/instant.ts";
import type { ProviderLogout } from "../domain/session.ts";

/** The state of a sign-in in progress, which the browser holds. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The user who signed in, as the provider says. */
export interface SignedIn {
  /** The user's ID there. */
  readonly subject: string;
  /** The provider's ID of the session; null: it named none. */
  readonly sessionId: string | null;
  /** Identifies the session to the provider at sign-out. */
  readonly idToken: string;
}

/** An access token of the provider for this service (D49). */
export interface AccessToken {
  /** The user's ID there. */
  readonly subject: string;
  readonly scopes: readonly string[];
  /** The claim `tenants`: names, or beginnings of names that end in `*`; empty: it has none. */
  readonly tenants: readonly string[];
  readonly expiresAt: Instant;
}

/** Signs users in and out, and reads the tokens that they are given. */
export interface IdentityProvider {
  /** Begins a sign-in at the returned URL. Rejects when the provider is unreachable. */
  begin(): Promise<{ readonly url: string; readonly flow: SignInFlow }>;
  /**
   * Completes a sign-in with the query `search` that the browser came back with. Throws
   * `unauthenticated` for the answer to another flow, and for a used or expired one. Rejects
   * with another error when the provider is unreachable.
   */
  complete(search: string, flow: SignInFlow): Promise<SignedIn>;
  /**
   * The URL where a browser ends the provider's session and comes back; null: the provider has
   * none. Rejects when the provider is unreachable.
   */
  endSessionUrl(idToken: string): Promise<string | null>;
  /**
   * Reads a logout token. Throws `unauthenticated` for an invalid or old one, for another
   * issuer's, and for one with another audience. Rejects with another error when the provider
   * is unreachable. It does not detect a repeated token.
   */
  readLogoutToken(token: string): Promise<ProviderLogout>;
  /** The URL that identifies the provider in its tokens. */
  readonly issuer: string;
  /**
   * Reads an access token for the URL `resource`. null: it is another issuer's or another
   * resource's, or has expired. Rejects when the provider is unreachable.
   */
  readAccessToken(token: string, resource: string): Promise<AccessToken | null>;
}
