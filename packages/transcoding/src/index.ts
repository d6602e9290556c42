/** Serves the RPCs of Connect services as HTTP and JSON. */
export { createInProcessCaller, type InProcessCall, type InProcessOptions } from "./in-process.ts";
export { type BodyLimits, receiveJsonObject } from "./receive-body.ts";
export {
  createRestHandler,
  type HttpError,
  invoke,
  type RestHandlerOptions,
} from "./rest-handler.ts";
export { KEEP_ALIVE_MS } from "./stream-response.ts";
