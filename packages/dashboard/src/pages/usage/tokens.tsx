import type { CallSum } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { Empty } from "../../ui/notice.tsx";
import { NumberTable } from "../../ui/number-table.tsx";
import { DailyBars } from "./daily-bars.tsx";

interface TokensProps {
  readonly byDay: readonly CallSum[];
  readonly byRpc: readonly CallSum[];
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
}

/** The tokens that models read and wrote for the account, by day and by what was called. */
export function Tokens({ byDay, byRpc, days }: TokensProps) {
  const all = totalOf(byRpc);
  return (
    <section class="loaded" aria-labelledby="model-tokens">
      <h2 id="model-tokens">Model tokens</h2>
      {all.read + all.written === 0 ? (
        <NoTokens hasCalls={all.calls > 0} />
      ) : (
        <CountedTokens byDay={byDay} byRpc={byRpc} days={days} />
      )}
    </section>
  );
}

function NoTokens({ hasCalls }: { readonly hasCalls: boolean }) {
  return (
    <Empty title="No tokens were counted">
      <p>
        {hasCalls
          ? "The provider of the models does not say how many tokens a call takes."
          : "The local models take none. What a vendor's models read and write is counted here."}
      </p>
    </Empty>
  );
}

function CountedTokens({ byDay, byRpc, days }: TokensProps) {
  const all = totalOf(byRpc);
  const bars = days.map((day) => {
    const { read, written } = totalOf(byDay.filter((each) => each.day === day));
    const told = `${read.toLocaleString()} read, ${written.toLocaleString()} written`;
    return { day, whole: read + written, part: written, told };
  });
  return (
    <>
      <DailyBars
        title="Tokens a day"
        summary={
          <>
            <span class="key" /> {all.read.toLocaleString()} read, <span class="key written" />{" "}
            {all.written.toLocaleString()} written
          </>
        }
        partClass="written"
        days={bars}
      />
      <NumberTable
        head={["Used for", "Calls of models", "Tokens read", "Tokens written"]}
        rows={byRpc
          .filter(({ modelCalls }) => modelCalls > 0)
          .map((sum) => {
            const { calls, read, written } = totalOf([sum]);
            const counts = [calls, read, written].map((count) => count.toLocaleString());
            return [sum.rpc ?? "", ...counts];
          })}
      />
      {all.uncounted > 0 && (
        <p class="hint">
          Calls whose provider does not say their tokens: {all.uncounted.toLocaleString()}.
        </p>
      )}
    </>
  );
}

function totalOf(sums: readonly CallSum[]) {
  const total = { calls: 0, uncounted: 0, read: 0, written: 0 };
  for (const each of sums) {
    total.calls += each.modelCalls;
    total.uncounted += each.uncountedCalls;
    total.read += Number(each.inputTokens);
    total.written += Number(each.outputTokens);
  }
  return total;
}
