import Negotiator from "negotiator";
import type { NodeRequest } from "./node-http.ts";

const JSON_TYPE = "application/json";
const EVENTS_TYPE = "text/event-stream";

/** Whether the caller would rather have server-sent events than JSON; who does not say, would not. */
export function acceptsEvents({ headers: { accept } }: NodeRequest): boolean {
  const negotiator = new Negotiator({ headers: { accept } });
  return negotiator.mediaType([JSON_TYPE, EVENTS_TYPE]) === EVENTS_TYPE;
}
