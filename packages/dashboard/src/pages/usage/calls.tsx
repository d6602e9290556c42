import type { DailyCalls } from "@agent-memory/gen/agentmemory/dashboard/v1/usage_service_pb";
import { DailyBars } from "./daily-bars.tsx";
import { MeanTimes } from "./mean-times.tsx";

const WRITES = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];
const QUESTIONS = ["QueryMemories", "StreamQueryMemories", "SearchMemories", "GetContext"];

interface CallsProps {
  readonly calls: readonly DailyCalls[];
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
}

/** The calls of each day, and of each kind. */
export function Calls({ calls, days }: CallsProps) {
  const rpcs = [...new Set(calls.map(({ rpc }) => rpc))].map((rpc) => ({
    rpc,
    ...totalOf(calls.filter((each) => each.rpc === rpc)),
  }));
  return (
    <>
      <div class="charts">
        <CallBars title="Writes a day" calls={ofRpcs(calls, WRITES)} days={days} />
        <CallBars title="Questions a day" calls={ofRpcs(calls, QUESTIONS)} days={days} />
        <MeanTimes
          days={days}
          series={[
            { name: "Writes", totals: totalsOf(ofRpcs(calls, WRITES), days) },
            { name: "Questions", totals: totalsOf(ofRpcs(calls, QUESTIONS), days) },
          ]}
        />
      </div>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col" class="number">
                Calls
              </th>
              <th scope="col" class="number">
                Errors
              </th>
              <th scope="col" class="number">
                Mean time
              </th>
            </tr>
          </thead>
          <tbody>
            {rpcs
              .toSorted((a, b) => b.calls - a.calls)
              .map(({ rpc, calls, failures, totalMs }) => (
                <tr key={rpc}>
                  <th scope="row">{rpc}</th>
                  <td class="number">{calls.toLocaleString()}</td>
                  <td class="number">{failures.toLocaleString()}</td>
                  <td class="number">{Math.round(totalMs / calls).toLocaleString()} ms</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
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

function ofRpcs(calls: readonly DailyCalls[], rpcs: readonly string[]): readonly DailyCalls[] {
  return calls.filter(({ rpc }) => rpcs.includes(rpc));
}

/** The numbers of each day. */
function totalsOf(calls: readonly DailyCalls[], days: readonly string[]) {
  return days.map((day) => ({ day, ...totalOf(calls.filter((each) => each.day === day)) }));
}

function totalOf(calls: readonly DailyCalls[]) {
  const total = { calls: 0, failures: 0, totalMs: 0 };
  for (const each of calls) {
    total.calls += each.calls;
    total.failures += each.failures;
    total.totalMs += each.totalMs;
  }
  return total;
}
