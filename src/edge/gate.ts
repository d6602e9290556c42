import type { HandlerContext, Interceptor } from "@connectrpc/connect";
import type { Log } from "../log.ts";
import { authenticate } from "../service/authenticate.ts";
import type { ServiceContext } from "../service/context.ts";
import { reportedError } from "./error-mapping.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { headersOf, type NodeRequest } from "./rest/node-http.ts";
import type { HttpError } from "./rest/rest-handler.ts";
import { callerKey } from "./rpc/call.ts";

/**
 * What every call passes before its body is read: first the key (401), then the
 * rate (429), as D13b orders them. The caller is left for the handlers.
 */
export function createGate(
  context: ServiceContext,
  rateLimiter: RateLimiter | null,
  log: Log,
): (call: HandlerContext) => Promise<void> {
  return async (call) => {
    try {
      const caller = await authenticate(context, bearerToken(call.requestHeader));
      rateLimiter?.admit(caller);
      call.values.set(callerKey, caller);
    } catch (error) {
      throw reportedError(error, call.method.name, log);
    }
  };
}

/**
 * Looks at the key once more when the whole request is there (D36): it may have been
 * revoked while a slow body arrived. Mostly the look-up is still known.
 */
export function createCallerCheck(context: ServiceContext): Interceptor {
  return (next) => async (request) => {
    const caller = await authenticate(context, bearerToken(request.header));
    request.contextValues.set(callerKey, caller);
    return next(request);
  };
}

/**
 * Says in an answer of 401 how to authenticate, and whether the key that was presented is
 * the reason (RFC 6750, section 3).
 */
export function withChallenge(error: HttpError, request: NodeRequest): HttpError {
  if (error.status !== 401) return error;
  const isRefused = bearerToken(headersOf(request)) !== null;
  const challenge = isRefused ? 'Bearer error="invalid_token"' : "Bearer";
  return { ...error, headers: { ...error.headers, "www-authenticate": challenge } };
}

/**
 * The token of `Authorization: Bearer TOKEN` (RFC 6750); the scheme in any case.
 * null: no such header, another scheme, or more than one token.
 */
export function bearerToken(headers: Headers): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}
