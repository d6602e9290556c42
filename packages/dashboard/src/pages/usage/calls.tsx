import type {
  CallSum,
  GetUsageResponse,
} from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import { NumberTable } from "../../ui/number-table.tsx";
import { callOf, tenantsOf, useKeyNames, whoOf } from "../log/log.tsx";
import { DailyBars } from "./daily-bars.tsx";

const WRITES = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];
const QUESTIONS = ["QueryMemories", "StreamQueryMemories", "SearchMemories", "GetContext"];
const HEAD = ["Calls", "Errors", "Memories", "p50 ms", "p95 ms", "Tokens read", "Tokens written"];
/** Rows that are shown of each table: those with most calls. */
const MAX_ROWS = 20;

interface CallsProps {
  readonly usage: GetUsageResponse;
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
}

/** The calls of each day, and of each kind, key, tenant and outcome. */
export function Calls({ usage, days }: CallsProps) {
  const names = useKeyNames();
  const { byDay, byRpc, byActor, byTenant, byOutcome } = usage;
  const outcomeOf = ({ status, reason = "" }: CallSum) =>
    `${status} ${status === 499 ? "the client left" : reason}`;
  return (
    <>
      <div class="charts">
        <CallBars title="Calls to write a day" sums={ofRpcs(byDay, WRITES)} days={days} />
        <CallBars title="Questions a day" sums={ofRpcs(byDay, QUESTIONS)} days={days} />
      </div>
      <Sums name="Call" sums={byRpc} textOf={({ rpc = "" }) => callOf(rpc)} />
      <Sums name="Key" sums={byActor} textOf={({ actor = "" }) => whoOf(actor, names)} />
      <Sums name="Tenant" sums={byTenant} textOf={({ tenantIds }) => tenantsOf(tenantIds)} />
      <Sums name="Outcome" sums={byOutcome} textOf={outcomeOf} />
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
    return [textOf(sum), ...cells] as const;
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

interface CallBarsProps {
  readonly title: string;
  readonly sums: readonly CallSum[];
  readonly days: readonly string[];
}

function CallBars({ title, sums, days }: CallBarsProps) {
  const bars = days.map((day) => {
    const ofDay = sums.filter((each) => each.day === day);
    const [whole, part] = [totalOf(ofDay, "calls"), totalOf(ofDay, "failures")];
    return { day, whole, part, told: `${whole}, ${part} with an error` };
  });
  const [calls, failures] = [totalOf(sums, "calls"), totalOf(sums, "failures")];
  const summary = `${calls.toLocaleString()} in all, ${failures.toLocaleString()} with an error`;
  return <DailyBars title={title} summary={summary} partClass="failed" days={bars} />;
}

function ofRpcs(sums: readonly CallSum[], rpcs: readonly string[]): readonly CallSum[] {
  return sums.filter(({ rpc = "" }) => rpcs.includes(rpc));
}

type Count = "calls" | "failures" | "uncountedCalls" | "inputTokens" | "outputTokens";

export function totalOf(sums: readonly CallSum[], count: Count): number {
  return sums.reduce((total, each) => total + each[count], 0);
}
