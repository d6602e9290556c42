import type { HandlerContext } from "@connectrpc/connect";
import type { AuthenticationContext } from "../service/authenticate.ts";
import { authenticateRequest } from "./authenticate.ts";
import { toConnectError } from "./error-mapping.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { callerKey } from "./rpc/call.ts";

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
      const caller = await authenticateRequest(service, context.requestHeader);
      rateLimiter?.admit(caller);
      context.values.set(callerKey, caller);
    } catch (error) {
      throw toConnectError(error);
    }
  };
}
