import type {
  CallSum,
  GetUsageResponse,
} from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { Empty } from "../../ui/notice.tsx";
import { NumberTable } from "../../ui/table.tsx";
import { useKeyNames } from "../keys/key-names.ts";
import { callOf, tenantsOf, whoOf } from "../log/log.tsx";
import { DailyBars } from "./daily-bars.tsx";

const WRITES = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];
const QUESTIONS = ["QueryMemories", "StreamQueryMemories", "SearchMemories", "GetContext"];
const HEAD = ["Calls", "Errors", "Memories", "p50 ms", "p95 ms", "Tokens read", "Tokens written"];
/** Rows that are shown of each table: those with most calls. */
const MAX_ROWS = 20;

const told = (count: number) => count.toLocaleString();

interface CallsProps {
  readonly usage: GetUsageResponse;
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
}

/** The calls of each day, and of each kind, key, tenant and outcome, and the tokens that they took. */
export function Calls({ usage, days }: CallsProps) {
  const names = useKeyNames();
  const { byDay, byRpc, byActor, byTenant, byOutcome } = usage;
  const outcomeOf = ({ status, reason = "" }: CallSum) =>
    `${status} ${status === 499 ? "the client left" : reason}`;
  const callBars = (title: string, rpcs: readonly string[]) => (
    <DailyBars
      title={title}
      days={days}
      sums={byDay.filter(({ rpc = "" }) => rpcs.includes(rpc))}
      wholeOf={({ calls }) => calls}
      partOf={({ failures }) => failures}
      textOf={(calls, failures) => `${told(calls)} in all, ${told(failures)} with an error`}
      partClass="failed"
    />
  );
  return (
    <>
      <div class="charts">
        {callBars("Calls to write a day", WRITES)}
        {callBars("Questions a day", QUESTIONS)}
      </div>
      <Sums name="Call" sums={byRpc} textOf={({ rpc = "" }) => callOf(rpc)} />
      <Sums name="Key" sums={byActor} textOf={({ actor = "" }) => whoOf(actor, names)} />
      <Sums name="Tenant" sums={byTenant} textOf={({ tenantIds }) => tenantsOf(tenantIds)} />
      <Sums name="Outcome" sums={byOutcome} textOf={outcomeOf} />
      <Tokens byDay={byDay} days={days} />
    </>
  );
}

interface SumsProps {
  readonly name: string;
  readonly sums: readonly CallSum[];
  readonly textOf: (sum: CallSum) => string;
}

function Sums({ name, sums, textOf }: SumsProps) {
  const rows = sums.slice(0, MAX_ROWS).map((sum) => {
    const { calls, failures, savedCount, p50Ms, p95Ms, inputTokens, outputTokens } = sum;
    const numbers = [calls, failures, savedCount, p50Ms, p95Ms, inputTokens, outputTokens];
    const cells = numbers.map((number) => (number && Math.round(number))?.toLocaleString() ?? "–");
    return [textOf(sum), ...cells];
  });
  return (
    <>
      <NumberTable head={[name, ...HEAD]} rows={rows} />
      {sums.length > MAX_ROWS && (
        <p class="hint">
          {MAX_ROWS} of {sums.length.toLocaleString()}, those with most calls.
        </p>
      )}
    </>
  );
}

interface TokensProps {
  readonly byDay: readonly CallSum[];
  readonly days: readonly string[];
}

/** The tokens that models read and wrote for the account by day. */
function Tokens({ byDay, days }: TokensProps) {
  const uncounted = byDay.reduce((sum, { uncountedCalls }) => sum + uncountedCalls, 0);
  return (
    <section class="loaded" aria-labelledby="model-tokens">
      <h2 id="model-tokens">Model tokens</h2>
      {byDay.some(({ inputTokens, outputTokens }) => inputTokens + outputTokens > 0) ? (
        <DailyBars
          title="Tokens a day"
          days={days}
          sums={byDay}
          wholeOf={({ inputTokens, outputTokens }) => inputTokens + outputTokens}
          partOf={({ outputTokens }) => outputTokens}
          textOf={(all, written) => `${told(all - written)} read, ${told(written)} written`}
          partClass="written"
        />
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
