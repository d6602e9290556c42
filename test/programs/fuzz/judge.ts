import { faultOfError } from "../../fuzz/error-form.ts";
import type { Outcome } from "./outcome.ts";
import type { FuzzedRequest } from "./requests.ts";

/** Only a deadline of the caller's own ends a call with these. */
const DEADLINE_HEADERS = ["grpc-timeout", "connect-timeout-ms"];
const DEADLINE_STATUSES = ["504", "DEADLINE_EXCEEDED"];
const WAIT_STATUSES = ["503", "UNAVAILABLE"];
/** A defect of the service, whatever was asked. */
const DEFECT_CODES = ["INTERNAL", "UNKNOWN", "DATA_LOSS"];

/** Which law an answer breaks; null: none. */
export function violationOf({ headers, protocol }: FuzzedRequest, outcome: Outcome): string | null {
  if (outcome.kind === "unreadable") return `unreadable answer: ${outcome.why}`;
  if (outcome.kind === "served") return null;
  const { status, reason, detail, hasWait } = outcome;
  const hasDeadline = headers.some(([name]) => DEADLINE_HEADERS.includes(name));
  const isExcused =
    WAIT_STATUSES.includes(status) || (hasDeadline && DEADLINE_STATUSES.includes(status));
  const isDefect = DEFECT_CODES.includes(status) || DEADLINE_STATUSES.includes(status);
  if (!isExcused && (isDefect || Number(status) >= 500)) return `status ${status}: ${detail}`;
  if (WAIT_STATUSES.includes(status) && !hasWait) return `status ${status} without a wait`;
  const fault = faultOfError(reason, detail, protocol !== "rest");
  if (fault !== null) return `status ${status}: ${fault}`;
  if (status === "422" && !/^(?:line \d+: )?`[\s\S]*`/.test(detail))
    return `no field is named: ${detail}`;
  return null;
}
