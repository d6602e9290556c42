import type { DailyTokens } from "@agent-memory/gen/agentmemory/dashboard/v1/usage_service_pb";
import { Empty } from "../../ui/notice.tsx";
import { NumberTable } from "../../ui/number-table.tsx";
import { DailyBars } from "./daily-bars.tsx";

/** The operations of models, in the order of a write and a question. */
const USES: Readonly<Record<string, string>> = {
  extract: "Extraction",
  verify: "Checks of extraction",
  classify: "Classification",
  answer: "Answers",
  embed: "Embeddings",
};

interface TokensProps {
  readonly tokens: readonly DailyTokens[];
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
}

/** The tokens that models read and wrote for the account, by day and by use. */
export function Tokens({ tokens, days }: TokensProps) {
  const all = totalOf(tokens);
  return (
    <section class="loaded" aria-labelledby="model-tokens">
      <h2 id="model-tokens">Model tokens</h2>
      {all.read + all.written === 0 ? (
        <NoTokens hasCalls={tokens.length > 0} />
      ) : (
        <CountedTokens tokens={tokens} days={days} />
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

function CountedTokens({ tokens, days }: TokensProps) {
  const all = totalOf(tokens);
  const bars = days.map((day) => {
    const { read, written } = totalOf(tokens.filter((each) => each.day === day));
    const told = `${read.toLocaleString()} read, ${written.toLocaleString()} written`;
    return { day, whole: read + written, part: written, told };
  });
  const uses = [...new Set([...Object.keys(USES), ...tokens.map(({ operation }) => operation)])]
    .map((use) => ({ use, ofUse: tokens.filter(({ operation }) => operation === use) }))
    .filter(({ ofUse }) => ofUse.length > 0);
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
        rows={uses.map(({ use, ofUse }) => {
          const { calls, read, written } = totalOf(ofUse);
          return [
            USES[use] ?? use,
            ...[calls, read, written].map((count) => count.toLocaleString()),
          ];
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

function totalOf(tokens: readonly DailyTokens[]) {
  const total = { calls: 0, uncounted: 0, read: 0, written: 0 };
  for (const each of tokens) {
    total.calls += each.calls;
    total.uncounted += each.uncountedCalls;
    total.read += Number(each.inputTokens);
    total.written += Number(each.outputTokens);
  }
  return total;
}
