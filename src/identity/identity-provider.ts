/** What a sign-in remembers between its beginning and its end; the browser holds it meanwhile. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Who says who somebody is. */
export interface IdentityProvider {
  /** Where to send a browser that wants to sign in. Rejects when the provider is away. */
  begin(): Promise<{ readonly url: string; readonly flow: SignInFlow }>;
  /**
   * The ID of the user whom the provider sent back, with the query `search`. Throws
   * `unauthenticated` for what is not the answer to this flow, was used or has expired;
   * rejects otherwise when the provider is away.
   */
  complete(search: string, flow: SignInFlow): Promise<string>;
}
