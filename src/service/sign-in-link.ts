import { hash, timingSafeEqual } from "node:crypto";
import { Failure } from "../domain/failure.ts";
import type { CompanyId } from "../domain/ids.ts";
import { SESSION_TOKEN_BYTES, SIGN_IN_LINK_MINUTES } from "../domain/session.ts";
import type { MemoryContext } from "./context.ts";

const LIFETIME_MS = SIGN_IN_LINK_MINUTES * 60_000;

/**
 * The link that signs one person in, once, where no identity provider does. It is remembered
 * by the process that issued it alone, and ends with it, or after SIGN_IN_LINK_MINUTES.
 */
export class SignInLink {
  readonly #companyId: CompanyId;
  readonly #context: Pick<MemoryContext, "randomBytes" | "monotonicMs">;
  #digest: Uint8Array | null = null;
  #endsAtMs = 0;

  /** Of the account `companyId`. Nobody signs in before a link is issued. */
  constructor(companyId: CompanyId, context: Pick<MemoryContext, "randomBytes" | "monotonicMs">) {
    this.#companyId = companyId;
    this.#context = context;
  }

  /** The token of a new link. The link before it ends. */
  issue(): string {
    const bytes = this.#context.randomBytes(SESSION_TOKEN_BYTES);
    const token = Buffer.from(bytes).toString("base64url");
    this.#digest = digestOf(token);
    this.#endsAtMs = this.#context.monotonicMs() + LIFETIME_MS;
    return token;
  }

  /** Whom the link signs in. Throws `unauthenticated` for another token, and the second time. */
  redeem(token: string): CompanyId {
    // Digests are compared, because only texts of one length compare in constant time.
    const isOver = this.#digest === null || this.#context.monotonicMs() >= this.#endsAtMs;
    if (isOver || !timingSafeEqual(digestOf(token), this.#digest as Uint8Array)) {
      throw new Failure(
        "unauthenticated",
        `the sign-in link was used, is older than ${SIGN_IN_LINK_MINUTES} minutes, was replaced by another, or is not of this process`,
      );
    }
    this.#digest = null;
    return this.#companyId;
  }
}

function digestOf(token: string): Uint8Array {
  return hash("sha256", token, "buffer");
}
