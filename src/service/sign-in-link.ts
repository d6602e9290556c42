import { hash, timingSafeEqual } from "node:crypto";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { SESSION_TOKEN_BYTES } from "../domain/session.ts";

/**
 * The link that signs one person in, once, where no identity provider does. It is
 * remembered by the process that issued it alone, and ends with it.
 */
export class SignInLink {
  readonly #companyId: CompanyId;
  readonly #randomBytes: (length: number) => Uint8Array;
  #digest: Uint8Array | null = null;

  /** Of the account `companyId`. Nobody signs in before a link is issued. */
  constructor(companyId: CompanyId, randomBytes: (length: number) => Uint8Array) {
    this.#companyId = companyId;
    this.#randomBytes = randomBytes;
  }

  /** The token of a new link. The link before it ends. */
  issue(): string {
    const token = Buffer.from(this.#randomBytes(SESSION_TOKEN_BYTES)).toString("base64url");
    this.#digest = digestOf(token);
    return token;
  }

  /** Whom the link signs in. Throws `unauthenticated` for another token, and the second time. */
  redeem(token: string): CompanyId {
    // Digests are compared, because only texts of one length compare in constant time.
    if (this.#digest === null || !timingSafeEqual(digestOf(token), this.#digest)) {
      throw new Failure(
        "unauthenticated",
        "the sign-in link was used, was replaced by another, or is not of this process",
      );
    }
    this.#digest = null;
    return this.#companyId;
  }
}

function digestOf(token: string): Uint8Array {
  return hash("sha256", token, "buffer");
}
