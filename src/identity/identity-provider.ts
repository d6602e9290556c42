/** What a sign-in remembers between its beginning and its end; the browser holds it meanwhile. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Who the provider says has signed in. */
export interface SignedIn {
  /** The user's ID there. */
  readonly subject: string;
  /** What the provider calls the session; null: it did not say. */
  readonly sessionId: string | null;
  /** By which it knows the session when the person signs out. */
  readonly idToken: string;
}

/** Who the provider says has signed out: a user, one session of a user, or both. */
export interface SignedOut {
  readonly subject: string | null;
  readonly sessionId: string | null;
  /** Of the token that said so. */
  readonly tokenId: string;
}

/** Who says who somebody is. */
export interface IdentityProvider {
  /** Where to send a browser that wants to sign in. Rejects when the provider is away. */
  begin(): Promise<{ readonly url: string; readonly flow: SignInFlow }>;
  /**
   * Who it is that the provider sent back, with the query `search`. Throws
   * `unauthenticated` for what is not the answer to this flow, was used or has expired;
   * rejects otherwise when the provider is away.
   */
  complete(search: string, flow: SignInFlow): Promise<SignedIn>;
  /**
   * Where to send a browser that signs out, so that the provider's session ends too and the
   * browser comes back; null: the provider has no such place. Rejects when it is away.
   */
  endSessionUrl(idToken: string): Promise<string | null>;
  /**
   * What a logout token of the provider says. Throws `unauthenticated` for one that is not
   * the provider's, is not meant for this service, is too old or is none; rejects
   * otherwise when the provider is away. Whether it was used before is not known here.
   */
  readLogoutToken(token: string): Promise<SignedOut>;
}
