import type {
  CallSum,
  GetUsageResponse,
} from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { useLoad } from "../../ui/load.tsx";
import { NumberTable } from "../../ui/number-table.tsx";
import { CALLS, loadKeyNames, tenantsOf, whoOf } from "../log/log.tsx";
import { DailyBars } from "./daily-bars.tsx";

const WRITES = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];
const QUESTIONS = ["QueryMemories", "StreamQueryMemories", "SearchMemories", "GetContext"];

interface CallsProps {
  readonly usage: GetUsageResponse;
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
}

/** The calls of each day, of each kind, and whose they were. */
export function Calls({ usage, days }: CallsProps) {
  const keys = useLoad(loadKeyNames, []);
  const { byDay, byRpc, byActor, byTenant, byOutcome } = usage;
  return (
    <>
      <div class="charts">
        <CallBars title="Calls to write a day" sums={ofRpcs(byDay, WRITES)} days={days} />
        <CallBars title="Questions a day" sums={ofRpcs(byDay, QUESTIONS)} days={days} />
        <MeanBars title="Mean time of a write" sums={ofRpcs(byDay, WRITES)} days={days} />
        <MeanBars title="Mean time of a question" sums={ofRpcs(byDay, QUESTIONS)} days={days} />
      </div>
      <Sums name="Call" sums={byRpc} textOf={({ rpc = "" }) => CALLS[rpc] ?? rpc} />
      <Sums
        name="Key"
        sums={byActor}
        textOf={({ actor = "" }) => whoOf(actor, keys.value ?? new Map())}
      />
      <Sums name="Tenant" sums={byTenant} textOf={({ tenantIds }) => tenantsOf(tenantIds)} />
      <Sums
        name="Outcome"
        sums={byOutcome}
        textOf={({ status, reason }) => `${status} ${reason ?? (status === 499 ? "left" : "")}`}
      />
    </>
  );
}

/** Rows that are shown of each table: those with most calls. */
const MAX_ROWS = 20;

interface SumsProps {
  readonly name: string;
  readonly sums: readonly CallSum[];
  readonly textOf: (sum: CallSum) => string;
}

function Sums({ name, sums, textOf }: SumsProps) {
  const msOf = (ms: number | undefined) =>
    ms === undefined ? "–" : Math.round(ms).toLocaleString();
  return (
    <>
      <NumberTable
        head={[name, "Calls", "Errors", "Memories", "p50 ms", "p95 ms", "Tokens"]}
        rows={sums
          .slice(0, MAX_ROWS)
          .map((sum) => [
            textOf(sum),
            sum.calls.toLocaleString(),
            sum.failures.toLocaleString(),
            sum.savedCount.toLocaleString(),
            msOf(sum.p50Ms),
            msOf(sum.p95Ms),
            (sum.inputTokens + sum.outputTokens).toLocaleString(),
          ])}
      />
      {sums.length > MAX_ROWS && (
        <p class="hint">
          {MAX_ROWS} of {sums.length.toLocaleString()}, those with most calls.
        </p>
      )}
    </>
  );
}

interface BarsProps {
  readonly title: string;
  readonly sums: readonly CallSum[];
  readonly days: readonly string[];
}

function CallBars({ title, sums, days }: BarsProps) {
  const all = totalOf(sums);
  const bars = totalsOf(sums, days).map(({ day, calls: whole, failures }) => ({
    day,
    whole,
    part: failures,
    told: `${whole}, ${failures} with an error`,
  }));
  const summary = `${all.calls.toLocaleString()} in all, ${all.failures.toLocaleString()} with an error`;
  return <DailyBars title={title} summary={summary} partClass="failed" days={bars} />;
}

function MeanBars({ title, sums, days }: BarsProps) {
  const bars = totalsOf(sums, days).map(({ day, calls, totalMs }) => {
    const mean = calls === 0 ? 0 : Math.round(totalMs / calls);
    return { day, whole: mean, part: 0, told: `${mean.toLocaleString()} ms` };
  });
  return <DailyBars title={title} summary="in milliseconds" partClass="failed" days={bars} />;
}

function ofRpcs(sums: readonly CallSum[], rpcs: readonly string[]): readonly CallSum[] {
  return sums.filter(({ rpc = "" }) => rpcs.includes(rpc));
}

/** The numbers of each day. */
function totalsOf(sums: readonly CallSum[], days: readonly string[]) {
  return days.map((day) => ({ day, ...totalOf(sums.filter((each) => each.day === day)) }));
}

function totalOf(sums: readonly CallSum[]) {
  const total = { calls: 0, failures: 0, totalMs: 0 };
  for (const each of sums) {
    total.calls += each.calls;
    total.failures += each.failures;
    total.totalMs += each.totalMs;
  }
  return total;
}
