import type { CallSum } from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { Empty } from "../../ui/notice.tsx";
import { totalOf } from "./calls.tsx";
import { DailyBars } from "./daily-bars.tsx";

interface TokensProps {
  readonly byDay: readonly CallSum[];
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
}

/** The tokens that models read and wrote for the account by day. */
export function Tokens({ byDay, days }: TokensProps) {
  const tokensOf = (sums: readonly CallSum[]) =>
    [totalOf(sums, "inputTokens"), totalOf(sums, "outputTokens")] as const;
  const [read, written] = tokensOf(byDay);
  const uncounted = totalOf(byDay, "uncountedCalls");
  const bars = days.map((day) => {
    const [readThen, writtenThen] = tokensOf(byDay.filter((each) => each.day === day));
    const told = `${readThen.toLocaleString()} read, ${writtenThen.toLocaleString()} written`;
    return { day, whole: readThen + writtenThen, part: writtenThen, told };
  });
  const summary = (
    <>
      <span class="key" /> {read.toLocaleString()} read, <span class="key written" />{" "}
      {written.toLocaleString()} written
    </>
  );
  return (
    <section class="loaded" aria-labelledby="model-tokens">
      <h2 id="model-tokens">Model tokens</h2>
      {read + written > 0 ? (
        <DailyBars title="Tokens a day" summary={summary} partClass="written" days={bars} />
      ) : (
        <Empty title="No tokens were counted">
          <p>
            {uncounted > 0
              ? "The provider of the models does not say how many tokens a call takes."
              : "The local models take none. What a vendor's models read and write is counted here."}
          </p>
        </Empty>
      )}
      {uncounted > 0 && (
        <p class="hint">
          Calls whose provider does not say their tokens: {uncounted.toLocaleString()}.
        </p>
      )}
    </section>
  );
}
