import type { HandlerContext } from "@connectrpc/connect";
import { type AuthenticationContext, authenticate } from "../service/authenticate.ts";
import { toConnectError } from "./error-mapping.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { callerKey } from "./rpc/caller.ts";

/**
 * What every call passes before its body is read: first the key (401), then the
 * rate (429), as D13b orders them. The caller is left for the handlers.
 */
export function createGate(
  service: AuthenticationContext,
  rateLimiter: RateLimiter | null,
): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    try {
      const caller = await authenticate(service, bearerToken(context.requestHeader));
      rateLimiter?.admit(caller);
      context.values.set(callerKey, caller);
    } catch (error) {
      throw toConnectError(error);
    }
  };
}

/**
 * The token of `Authorization: Bearer TOKEN` (RFC 6750); the scheme in any case.
 * null: no such header, another scheme, or more than one token.
 */
export function bearerToken(headers: Headers): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}
