import type { CallSum } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { NumberTable } from "../../ui/number-table.tsx";
import { DailyBars } from "./daily-bars.tsx";

const WRITES = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];
const QUESTIONS = ["QueryMemories", "StreamQueryMemories", "SearchMemories", "GetContext"];

interface CallsProps {
  readonly calls: readonly CallSum[];
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
}

/** The calls of each day, and of each kind. */
export function Calls({ calls, days }: CallsProps) {
  const rpcs = [...new Set(calls.map(({ rpc = "" }) => rpc))].map((rpc) => ({
    rpc,
    ...totalOf(calls.filter((each) => each.rpc === rpc)),
  }));
  return (
    <>
      <div class="charts">
        <CallBars title="Writes a day" calls={ofRpcs(calls, WRITES)} days={days} />
        <CallBars title="Questions a day" calls={ofRpcs(calls, QUESTIONS)} days={days} />
        <MeanBars title="Mean time of a write" calls={ofRpcs(calls, WRITES)} days={days} />
        <MeanBars title="Mean time of a question" calls={ofRpcs(calls, QUESTIONS)} days={days} />
      </div>
      <NumberTable
        head={["Call", "Calls", "Errors", "Mean time"]}
        rows={rpcs
          .toSorted((a, b) => b.calls - a.calls)
          .map((of) => [
            of.rpc,
            of.calls.toLocaleString(),
            of.failures.toLocaleString(),
            `${meanOf(of).toLocaleString()} ms`,
          ])}
      />
    </>
  );
}

function CallBars({ title, calls, days }: CallsProps & { readonly title: string }) {
  const all = totalOf(calls);
  const bars = totalsOf(calls, days).map(({ day, calls: whole, failures }) => ({
    day,
    whole,
    part: failures,
    told: `${whole}, ${failures} with an error`,
  }));
  const summary = `${all.calls.toLocaleString()} in all, ${all.failures.toLocaleString()} with an error`;
  return <DailyBars title={title} summary={summary} partClass="failed" days={bars} />;
}

function MeanBars({ title, calls, days }: CallsProps & { readonly title: string }) {
  const bars = totalsOf(calls, days).map(({ day, ...of }) => {
    const mean = meanOf(of);
    return { day, whole: mean, part: 0, told: `${mean.toLocaleString()} ms` };
  });
  return <DailyBars title={title} summary="in milliseconds" partClass="failed" days={bars} />;
}

function meanOf({ calls, totalMs }: { readonly calls: number; readonly totalMs: number }): number {
  return calls === 0 ? 0 : Math.round(totalMs / calls);
}

function ofRpcs(calls: readonly CallSum[], rpcs: readonly string[]): readonly CallSum[] {
  return calls.filter(({ rpc = "" }) => rpcs.includes(rpc));
}

/** The numbers of each day. */
function totalsOf(calls: readonly CallSum[], days: readonly string[]) {
  return days.map((day) => ({ day, ...totalOf(calls.filter((each) => each.day === day)) }));
}

function totalOf(calls: readonly CallSum[]) {
  const total = { calls: 0, failures: 0, totalMs: 0 };
  for (const each of calls) {
    total.calls += each.calls;
    total.failures += each.failures;
    total.totalMs += each.totalMs;
  }
  return total;
}
