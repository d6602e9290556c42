/** Serves the RPCs of Connect services as HTTP and JSON. */
export { type BodyLimits, receiveJsonObject } from "./request-reader.ts";
export {
  createInProcessCaller,
  createRestHandler,
  type HttpError,
  type InProcessCall,
  invoke,
  invokeUnary,
  type RestHandlerOptions,
} from "./rest-handler.ts";
export { KEEP_ALIVE_MS } from "./stream-response.ts";
