import { Code, type ConnectError, type Interceptor } from "@connectrpc/connect";
import type { Log } from "../log.ts";
import { toConnectError } from "./error-mapping.ts";

/**
 * Turns what an implementation throws into what the caller is told, and tells
 * the operator of everything that the caller is not to blame for.
 */
export function createErrorInterceptor(log: Log): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      const connectError = toConnectError(error);
      if (connectError.code === Code.Internal) {
        log.error({ err: causeOf(connectError), method: request.method.name }, "a call failed");
      } else if (connectError.code === Code.Unavailable) {
        log.warn({ err: causeOf(connectError), method: request.method.name }, "a call was refused");
      }
      throw connectError;
    }
  };
}

function causeOf(error: ConnectError): unknown {
  return error.cause instanceof Error && error.cause.cause !== undefined
    ? error.cause.cause
    : (error.cause ?? error);
}
