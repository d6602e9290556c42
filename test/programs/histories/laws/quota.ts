import type { Call, Recording } from "../call.ts";
import { type Knowledge, resultOf } from "../knowledge.ts";
import type { Verdicts } from "../verdicts.ts";

const WRITES: readonly string[] = ["CreateMemories", "BatchCreateMemories"];

/** What was counted, against what was stored and what the limits allowed. */
export function judgeQuota(verdicts: Verdicts, known: Knowledge, recording: Recording): void {
  const { rows, writes, account, calls } = known;
  const check = (holds: boolean, what: string, ...of: Call[]) =>
    verdicts.check("quota", holds, what, ...of);
  const limits = limitsOf(recording, account);
  const used = rows.writesUsed;
  check(used <= Math.max(...limits), `${used} writes were counted, of ${limits} at most`);
  if (known.erasures.length === 0) {
    const stored = rows.memories.length;
    check(used === stored, `${used} writes were counted, and ${stored} are stored`);
  }
  const saved = writes.reduce((sum, { counted }) => sum + counted.least, 0);
  const possible = writes.reduce((sum, { counted }) => sum + counted.most, 0);
  check(
    saved <= used && used <= possible,
    `of ${saved} to ${possible} writes ${used} were counted`,
  );

  for (const call of calls) {
    const { outcome } = call;
    if (outcome.kind === "refused" && outcome.reason === "write_quota_exceeded") {
      const isFull = used >= Math.min(...limits);
      check(isFull, `a write was refused, and only ${used} are counted in the end`, call);
    }
    const body = resultOf(call);
    if (body === null) continue;
    if (WRITES.includes(call.rpc)) judgeAnswer(verdicts, call, body);
    if (call.rpc === "GetPlanStatus") judgeStatus(verdicts, known, call, body);
  }
}

/** Every limit that the account ever had. */
export function limitsOf({ accounts, changes }: Recording, account: number): number[] {
  const changed = changes.filter((change) => change.kind === "limit" && change.account === account);
  return [accounts[account]?.writesLimit ?? 0, ...changed.map(({ value }) => Number(value))];
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of a response
function judgeAnswer(verdicts: Verdicts, call: Call, body: any): void {
  if (body.memory_ids === undefined) return;
  const { memories } = call.request;
  const { memory_ids: ids, saved_count: saved } = body;
  const extracted = Array.isArray(memories) ? memories.length : body.extracted_count;
  const isWhole = call.outcome.kind === "done";
  const holds = ids.length === saved && (isWhole ? saved === extracted : saved < extracted);
  verdicts.check("quota", holds, `says that of ${extracted} facts ${saved} were saved`, call);
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of a response
function judgeStatus(verdicts: Verdicts, { writes }: Knowledge, call: Call, body: any): void {
  const { writes_used: used, writes_limit: limit, writes_remaining: remaining } = body;
  const least = writes
    .filter(({ acknowledgedAt }) => acknowledgedAt < call.startedAt)
    .reduce((sum, { counted }) => sum + counted.least, 0);
  const most = writes
    .filter(({ startedAt }) => startedAt < call.endedAt)
    .reduce((sum, { counted }) => sum + counted.most, 0);
  const isCounted = least <= used && used <= most;
  verdicts.check("quota", isCounted, `${used} writes used, of ${least} to ${most}`, call);
  const isLeft = remaining === Math.max(0, limit - used);
  verdicts.check("quota", isLeft, `${remaining} writes remain of ${limit} with ${used} used`, call);
}
