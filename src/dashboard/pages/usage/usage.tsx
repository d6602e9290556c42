import type { DailyCalls } from "../../../../gen/agentmemory/dashboard/v1/usage_service_pb.ts";
import { api } from "../../api.ts";
import { nowMs } from "../../clock.ts";
import { hrefOf } from "../../route.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { DailyBars } from "./daily-bars.tsx";
import { MeanTimes } from "./mean-times.tsx";
import { PlanCard } from "./plan-card.tsx";

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;
const WRITES = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];
const QUESTIONS = ["QueryMemories", "StreamQueryMemories", "SearchMemories"];

/** The plan, and what was called on each of the last days. */
export function Usage() {
  const plan = useLoad((signal) => api.plan.getPlanStatus({}, { signal }), []);
  const calls = useLoad(
    async (signal) => (await api.usage.getUsage({ days: DAYS }, { signal })).calls,
    [],
  );
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Usage</h1>
          <p>What the plan allows, and what was called in the last {DAYS} days.</p>
        </div>
      </header>
      <Show of={plan}>{(status) => <PlanCard plan={status} />}</Show>
      <Show of={calls}>{(all) => (all.length === 0 ? <NoCalls /> : <Calls calls={all} />)}</Show>
    </>
  );
}

function NoCalls() {
  return (
    <Empty title="Nothing was called yet">
      <p>
        Make <a href={hrefOf("keys")}>a key</a> and paste one of its lines: what it calls is counted
        here.
      </p>
    </Empty>
  );
}

function Calls({ calls }: { readonly calls: readonly DailyCalls[] }) {
  const days = lastDays();
  const countOf = (rpcs: readonly string[]) =>
    days.map((day) => ({
      day,
      ...totalOf(calls.filter((each) => each.day === day && rpcs.includes(each.rpc))),
    }));
  const rpcs = [...new Set(calls.map(({ rpc }) => rpc))].map((rpc) => ({
    rpc,
    ...totalOf(calls.filter((each) => each.rpc === rpc)),
  }));
  return (
    <>
      <div class="charts">
        <DailyBars title="Writes a day" days={countOf(WRITES)} />
        <DailyBars title="Questions a day" days={countOf(QUESTIONS)} />
        <MeanTimes
          days={days}
          series={[
            { name: "Writes", totals: countOf(WRITES) },
            { name: "Questions", totals: countOf(QUESTIONS) },
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

function totalOf(calls: readonly DailyCalls[]) {
  const total = { calls: 0, failures: 0, totalMs: 0 };
  for (const each of calls) {
    total.calls += each.calls;
    total.failures += each.failures;
    total.totalMs += each.totalMs;
  }
  return total;
}

/** Of UTC, oldest first, as the service counts them. */
function lastDays(): string[] {
  const today = nowMs();
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
