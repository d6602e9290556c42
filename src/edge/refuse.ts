import type { NodeResponse } from "@agent-memory/transcoding/node-http";
import type { Failure } from "../domain/failure.ts";
import { FAILURE_STATUS } from "./error-mapping.ts";
import { sendRefusal } from "./http/answers.ts";

/** Answers who asks too much, before anything is known of who that is. */
export function refuse(response: NodeResponse, failure: Failure): void {
  const { reason, message, retryAfterSeconds } = failure;
  const headers = { ...(retryAfterSeconds && { "retry-after": String(retryAfterSeconds) }) };
  sendRefusal(response, FAILURE_STATUS[reason].http, reason, message, headers);
}
