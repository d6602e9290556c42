import { isDeepStrictEqual } from "node:util";
import { type Call, labelOf, type Recording } from "../call.ts";
import { isOpen, type Knowledge, mayBeErased, resultOf, type Write } from "../knowledge.ts";
import type { Verdicts } from "../verdicts.ts";

/** For each key one effect and one answer; another request under it is refused. */
export function judgeIdempotency(
  verdicts: Verdicts,
  known: Knowledge,
  { hadFaults }: Recording,
): void {
  const keyed = known.calls.filter(({ idempotencyKey }) => idempotencyKey !== null);
  for (const [key, calls] of Map.groupBy(keyed, ({ idempotencyKey }) => idempotencyKey)) {
    const check = (holds: boolean, what: string, ...of: readonly Call[]) =>
      verdicts.check("idempotency", holds, `${key}: ${what}`, ...of);
    judgeAnswers(check, calls);
    judgeEffects(check, known, calls);
    for (const call of calls) {
      const { outcome } = call;
      if (outcome.kind !== "refused") continue;
      switch (outcome.reason) {
        case "idempotency_key_reused":
          check(requestsIn(calls).length > 1, "only one request had the key", ...calls);
          break;
        case "idempotency_key_in_use":
          check(outcome.retryAfterSeconds !== null, "is in use, nobody knows how long", call);
          check(
            hadFaults || calls.some((other) => runsBeside(other, call)),
            "is in use by nobody",
            ...calls,
          );
          break;
        case "idempotency_key_erased":
          judgeErased(check, known, call, calls);
      }
    }
  }
}

type Check = (holds: boolean, what: string, ...of: readonly Call[]) => void;

function requestsIn(calls: readonly Call[]): string[] {
  return [...new Set(calls.map(({ request }) => JSON.stringify(request)))];
}

function judgeAnswers(check: Check, calls: readonly Call[]): void {
  const answered = calls.filter((call) => resultOf(call) !== null);
  const [first, ...others] = answered;
  if (first === undefined) return;
  for (const other of others) {
    const isSame = isDeepStrictEqual(resultOf(other), resultOf(first));
    check(isSame, "was answered in two ways", first, other);
  }
  check(requestsIn(answered).length === 1, "did two requests", ...answered);
}

function judgeEffects(check: Check, known: Knowledge, calls: readonly Call[]): void {
  const writes = writesOf(known, calls);
  const withRows = writes.filter(({ label }) => known.rowsByLabel.has(label));
  check(withRows.length <= 1, `wrote ${withRows.map(({ label }) => label)}`, ...calls);
  for (const { label, answer, ids } of writes) {
    if (answer === null) continue;
    const stored = (known.rowsByLabel.get(label) ?? []).map(({ id }) => id);
    const others = stored.filter((id) => !ids.includes(id));
    check(others.length === 0, `stored ${others} besides what it said`, ...calls);
  }
}

function writesOf({ writeByLabel }: Knowledge, calls: readonly Call[]): readonly Write[] {
  const labels = new Set(calls.flatMap(({ request }) => labelOf(request) ?? []));
  return [...labels].flatMap((label) => writeByLabel.get(label) ?? []);
}

/** What was erased is known not to be there, so that none of it comes back either. */
function judgeErased(check: Check, known: Knowledge, call: Call, calls: readonly Call[]): void {
  // Another request under the key may have been of another tenant.
  for (const write of writesOf(known, [call])) {
    const { startedAt, label } = write;
    const mayQuote = mayQuoteErased(known, write);
    check(mayQuote || mayBeErased(known, write, startedAt), "nothing was erased", ...calls);
    const stored = known.rowsByLabel.get(label) ?? [];
    check(
      mayQuote || stored.length === 0,
      `its response was erased, and ${stored.length} facts stayed`,
      call,
    );
  }
}

/**
 * The reason of a supersession may quote any memory that was looked at: the answer goes with that.
 * An answer that no client saw may have had one.
 */
function mayQuoteErased({ writeById, rowById }: Knowledge, { answer }: Write): boolean {
  const hasReason = answer === null || /"supersession":\s*\{/.test(JSON.stringify(answer));
  return hasReason && writeById.keys().some((id) => !rowById.has(id));
}

function runsBeside(other: Call, call: Call): boolean {
  if (other === call || other.startedAt > call.endedAt) return false;
  return other.endedAt >= call.startedAt || isOpen(other);
}
