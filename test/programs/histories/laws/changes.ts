import type { Call, Change, Recording } from "../call.ts";
import { type Knowledge, resultOf } from "../knowledge.ts";
import type { Verdicts } from "../verdicts.ts";

/** How long a server may act on what the operator had set before. */
const STALE_MS = 1_000;

/** A value that was set, or may have been. */
interface Setting {
  readonly value: string;
  readonly startedAt: number;
  /** Infinity: nobody knows whether it was set. */
  readonly endedAt: number;
}

const DEFAULTS: Readonly<Record<string, unknown>> = {
  auto_supersede_default: false,
  excluded_categories: ["health_medical", "legal_status"],
  min_confidence: 0.85,
  auto_supersede_mode: "act",
  log_questions: false,
};

/** What is read is what was set last, or what was being set. */
export function judgeChanges(verdicts: Verdicts, known: Knowledge, recording: Recording): void {
  const changes = recording.changes.filter(({ account }) => account === known.account);
  judgeSettings(verdicts, known);
  judgePlan(verdicts, known, recording, changes);
  judgeKeys(verdicts, known, changes);
}

function isAllowed(settings: readonly Setting[], value: unknown, read: Call, staleMs: number) {
  const text = JSON.stringify(value);
  return settings.some(
    (setting) =>
      setting.value === text &&
      setting.startedAt < read.endedAt &&
      !settings.some(
        (later) => later.startedAt > setting.endedAt && later.endedAt + staleMs < read.startedAt,
      ),
  );
}

function judgeSettings(verdicts: Verdicts, { calls }: Knowledge): void {
  const updates = calls.filter(
    ({ rpc, outcome }) => rpc === "UpdateSettings" && outcome.kind !== "refused",
  );
  const reads = calls.filter(({ rpc }) => rpc === "GetSettings" || rpc === "UpdateSettings");
  for (const [field, initial] of Object.entries(DEFAULTS)) {
    const settings: Setting[] = [
      { value: JSON.stringify(initial), startedAt: -Infinity, endedAt: -Infinity },
      ...updates
        .filter(({ request }) => field in request)
        .map(({ request, startedAt, endedAt, outcome }) => ({
          value: JSON.stringify(request[field]),
          startedAt,
          endedAt: outcome.kind === "done" ? endedAt : Infinity,
        })),
    ];
    for (const read of reads) {
      const body = resultOf(read);
      if (body === null) continue;
      const holds = isAllowed(settings, body[field], read, 0);
      verdicts.check("changes", holds, `${field} was not set to what is read`, ...updates, read);
    }
  }
}

function judgePlan(
  verdicts: Verdicts,
  { calls, account }: Knowledge,
  recording: Recording,
  changes: readonly Change[],
): void {
  const settingsOf = (kind: Change["kind"], initial: unknown): Setting[] => [
    { value: JSON.stringify(initial), startedAt: -Infinity, endedAt: -Infinity },
    ...changes
      .filter((change) => change.kind === kind)
      .map(({ value, startedAt, endedAt, isDone }) => ({
        value: JSON.stringify(value),
        startedAt,
        endedAt: isDone ? endedAt : Infinity,
      })),
  ];
  const limits = settingsOf("limit", recording.accounts[account]?.writesLimit);
  const statuses = settingsOf("status", "active");
  for (const call of calls) {
    const check = (holds: boolean, what: string) => verdicts.check("changes", holds, what, call);
    const body = call.rpc === "GetPlanStatus" ? resultOf(call) : null;
    if (body !== null) {
      check(isAllowed(limits, body.writes_limit, call, STALE_MS), "an old limit is read");
      check(isAllowed(statuses, body.plan_status, call, STALE_MS), "an old status is read");
    }
    const { outcome } = call;
    if (outcome.kind === "refused" && outcome.reason === "plan_canceled") {
      check(isAllowed(statuses, "canceled", call, STALE_MS), "the plan is not canceled");
    }
  }
}

/** A key works until it is revoked, and never again a second later. */
function judgeKeys(verdicts: Verdicts, { calls }: Knowledge, changes: readonly Change[]): void {
  const revocations = new Map(
    changes.filter(({ kind }) => kind === "revoke").map((change) => [String(change.value), change]),
  );
  for (const call of calls) {
    const revocation = revocations.get(call.apiKeyId);
    const { outcome } = call;
    const isRefused = outcome.kind === "refused" && outcome.reason === "unauthenticated";
    const mayBeRevoked = revocation !== undefined && revocation.startedAt < call.endedAt;
    verdicts.check("changes", !isRefused || mayBeRevoked, "a key that works is refused", call);
    if (!revocation?.isDone || revocation.endedAt + STALE_MS > call.startedAt) continue;
    verdicts.check("changes", outcome.kind !== "done", "a revoked key still works", call);
  }
}
