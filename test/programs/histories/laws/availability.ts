import type { CalledRpc, Recording } from "../call.ts";
import type { Verdicts } from "../verdicts.ts";

const ANYWHERE = ["unauthenticated", "storage_unavailable", "overloaded"];
const OF_A_MEMORY = ["memory_not_found", "not_owner"];
const OF_A_KEY = ["idempotency_key_in_use", "idempotency_key_reused"];

/** How each call of these histories may be refused: none is malformed. */
const REFUSALS: { readonly [rpc in CalledRpc]: readonly string[] } = {
  CreateMemories: [
    ...[...OF_A_KEY, "idempotency_key_erased"],
    ...["plan_canceled", "write_quota_exceeded", "model_unavailable"],
  ],
  BatchCreateMemories: [
    ...[...OF_A_KEY, "idempotency_key_erased"],
    ...["plan_canceled", "write_quota_exceeded", "model_unavailable"],
  ],
  ListMemories: [],
  DeleteMemories: [],
  ExportMemories: ["too_many_in_flight"],
  ImportMemories: [
    ...["memory_exists", "tenant_not_empty", "too_many_in_flight"],
    ...["plan_canceled", "write_quota_exceeded", "model_unavailable"],
  ],
  QueryMemories: ["model_unavailable"],
  SearchMemories: ["model_unavailable"],
  GetContext: ["model_unavailable"],
  GetProfile: ["model_unavailable"],
  SupersedeMemory: [
    ...[...OF_A_KEY, ...OF_A_MEMORY],
    ...["already_superseded", "supersedes_itself", "different_tenant"],
    ...["supersession_cycle", "replacement_ended"],
  ],
  RestoreMemory: [...OF_A_MEMORY, "not_restorable"],
  GetMemory: OF_A_MEMORY,
  GetMemoryTimeline: OF_A_MEMORY,
  GetMemoryAudit: OF_A_MEMORY,
  GetSettings: [],
  UpdateSettings: [],
  GetPlanStatus: [],
};

/** With a wait. */
const WAITS = [
  ...["storage_unavailable", "overloaded", "too_many_in_flight"],
  ...["model_unavailable", "write_quota_exceeded"],
];
/** Only where something broke. */
const BREAKDOWNS = ["storage_unavailable", "model_unavailable"];

/** No call fails that need not; what cannot be done now says so, and when to ask again. */
export function judgeAvailability(verdicts: Verdicts, recording: Recording): void {
  const { calls, hadFaults, incidents } = recording;
  for (const call of calls) {
    const { outcome, rpc } = call;
    const check = (holds: boolean, what: string) =>
      verdicts.check("availability", holds, what, call);
    if (outcome.kind === "unknown") {
      check(hadFaults || call.isAbandoned, "has no answer, and nothing broke");
    }
    if (outcome.kind !== "refused") continue;
    const reason = outcome.reason ?? "";
    const isExpected = ANYWHERE.includes(reason) || REFUSALS[rpc].includes(reason);
    check(isExpected, "is refused for no reason that it may have");
    // What ends a stream that has begun has no headers.
    const hasHeaders = rpc !== "ExportMemories" || outcome.status !== null;
    if (WAITS.includes(reason) && hasHeaders)
      check((outcome.retryAfterSeconds ?? 0) >= 1, "does not say when");
    if (BREAKDOWNS.includes(reason)) check(hadFaults, "is refused, and nothing broke");
  }
  verdicts.check("availability", incidents.length === 0, incidents.join("\n"));
}
