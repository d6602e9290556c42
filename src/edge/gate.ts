import type { HandlerContext } from "@connectrpc/connect";
import type { ServiceContext } from "../service/context.ts";
import { authenticateRequest } from "./authenticate.ts";
import { toConnectError } from "./error-mapping.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { callerKey } from "./rpc/call.ts";

/**
 * What every call passes before its body is read: first the key (401), then the
 * rate (429), as D13b orders them. The caller is left for the handlers.
 */
export function createGate(
  context: ServiceContext,
  rateLimiter: RateLimiter | null,
): (call: HandlerContext) => Promise<void> {
  return async (call) => {
    try {
      const caller = await authenticateRequest(context, call.requestHeader);
      rateLimiter?.admit(caller);
      call.values.set(callerKey, caller);
    } catch (error) {
      throw toConnectError(error);
    }
  };
}
