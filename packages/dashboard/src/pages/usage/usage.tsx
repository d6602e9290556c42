import type {
  CallSum,
  GetUsageResponse,
} from "@agent-memory/gen/agentmemory/dashboard/v1/call_service_pb";
import type { GetPlanStatusResponse } from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useId } from "preact/hooks";
import { api } from "../../api.ts";
import { hrefOf } from "../../route.ts";
import { NumberTable } from "../../ui/list.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty, Failed, PageHead } from "../../ui/page.tsx";
import { DAY_MS, Share, Time, titleOf } from "../../ui/value.tsx";
import { useKeyNames } from "../keys/key-names.ts";
import { callOf, tenantsOf, whoOf } from "../log/log.tsx";
import { Retention } from "./retention.tsx";

const DAYS = 30;

/** The plan, and what was called, and took tokens, on each of the last days. */
export function Usage() {
  const plan = useLoad((signal) => api.plan.getPlanStatus({}, { signal }), []);
  const usage = useLoad((signal) => api.calls.getUsage({ days: DAYS }, { signal }), []);
  return (
    <>
      <PageHead
        title="Usage"
        about={`What the plan allows, and what was called in the last ${DAYS} days of UTC.`}
      />
      <Show of={plan}>{(status) => <PlanCard plan={status} />}</Show>
      <Retention />
      <Show of={usage}>
        {(sums) =>
          sums.byDay.length === 0 ? (
            <Empty title="Nothing was called yet">
              Make <a href={hrefOf("keys")}>a key</a> and paste one of its lines: what it calls is
              counted here.
            </Empty>
          ) : (
            <Calls usage={sums} />
          )
        }
      </Show>
    </>
  );
}

/** Days in UTC, as in `2026-05-01`, oldest first, as the service counts them. */
function lastDays(): string[] {
  const today = Date.now();
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** A period is a calendar month of UTC; where the next one is shorter, it ends with it. */
function endOf(start: Timestamp): Timestamp | undefined {
  const date = timestampDate(start);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const daysOf = (index: number) => new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  // On the last day of a short month it may have begun early, and ends on a later day.
  if (day === daysOf(month) && day < 31) return undefined;
  date.setUTCFullYear(year, month + 1, Math.min(day, daysOf(month + 1)));
  return timestampFromDate(date);
}

function PlanCard({ plan }: { readonly plan: GetPlanStatusResponse }) {
  const { writesUsed, writesLimit, writesRemaining } = plan;
  const end = plan.periodStart && endOf(plan.periodStart);
  return (
    <section class="card" aria-label="Plan">
      <div class="plan">
        <p>
          <strong>{titleOf(plan.planTier)}</strong>{" "}
          <span class={plan.planStatus === "active" ? "badge good" : "badge warn"}>
            {titleOf(plan.planStatus)}
          </span>
        </p>
        <p class="hint">
          Period from <Time at={plan.periodStart} withDayAlone />
          {end !== undefined && " to "}
          {end !== undefined && <Time at={end} withDayAlone />}
        </p>
      </div>
      <Share
        label="Writes used"
        value={writesUsed}
        max={Math.max(1, writesLimit)}
        isHigh={writesUsed >= writesLimit * 0.9}
      />
      <p>
        <strong>{writesUsed.toLocaleString()}</strong> of {writesLimit.toLocaleString()} writes
        used, {writesRemaining.toLocaleString()} left in this period. Each memory is one write.
      </p>
      {plan.blocked && (
        <Failed>
          The grace period has ended: reads are refused as well, until the next period or a larger
          plan.
        </Failed>
      )}
      {plan.inGracePeriod && (
        <Failed>The writes of this period are used up. Reads go on during the grace period.</Failed>
      )}
      {plan.planStatus === "canceled" && (
        <Failed>The plan is canceled: nothing is written, and reads go on.</Failed>
      )}
    </section>
  );
}

const WRITES = ["CreateMemories", "BatchCreateMemories", "ImportMemories"];
const QUESTIONS = ["QueryMemories", "StreamQueryMemories", "SearchMemories", "GetContext"];
const HEAD = ["Calls", "Errors", "Memories", "p50 ms", "p95 ms", "Tokens read", "Tokens written"];
/** Rows that are shown of each table: those with most calls. */
const MAX_ROWS = 20;

const told = (count: number) => count.toLocaleString();

/** The calls of each day, and of each kind, key, tenant and outcome, and the tokens that they took. */
function Calls({ usage }: { readonly usage: GetUsageResponse }) {
  const names = useKeyNames();
  const { byDay, byRpc, byActor, byTenant, byOutcome } = usage;
  const outcomeOf = ({ status, reason = "" }: CallSum) =>
    `${status} ${status === 499 ? "the client left" : reason}`;
  const uncounted = byDay.reduce((sum, { uncountedCalls }) => sum + uncountedCalls, 0);
  const callBars = (title: string, rpcs: readonly string[]) => (
    <DailyBars
      title={title}
      sums={byDay.filter(({ rpc = "" }) => rpcs.includes(rpc))}
      countsOf={({ calls, failures }) => [calls, failures]}
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
      {sumsOf("Call", byRpc, ({ rpc = "" }) => callOf(rpc))}
      {sumsOf("Key", byActor, ({ actor = "" }) => whoOf(actor, names))}
      {sumsOf("Tenant", byTenant, ({ tenantIds }) => tenantsOf(tenantIds))}
      {sumsOf("Outcome", byOutcome, outcomeOf)}
      <section class="loaded" aria-labelledby="model-tokens">
        <h2 id="model-tokens">Model tokens</h2>
        {byDay.some(({ inputTokens, outputTokens }) => inputTokens + outputTokens > 0) ? (
          <DailyBars
            title="Tokens a day"
            sums={byDay}
            countsOf={({ inputTokens, outputTokens }) => [inputTokens + outputTokens, outputTokens]}
            textOf={(all, written) => `${told(all - written)} read, ${told(written)} written`}
            partClass="written"
          />
        ) : (
          <Empty title="No tokens were counted">
            {uncounted > 0
              ? "The provider of the models does not say how many tokens a call takes."
              : "The local models take none. What a vendor's models read and write is counted here."}
          </Empty>
        )}
        {uncounted > 0 && (
          <p class="hint">Calls whose provider does not say their tokens: {told(uncounted)}.</p>
        )}
      </section>
    </>
  );
}

function sumsOf(name: string, sums: readonly CallSum[], textOf: (sum: CallSum) => string) {
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

const WIDTH = 480;
const HEIGHT = 120;
const GAP = 3;

interface DailyBarsProps {
  readonly title: string;
  readonly sums: readonly CallSum[];
  /** The whole, and the part of it that is drawn apart, at the foot. */
  readonly countsOf: (sum: CallSum) => readonly [number, number];
  /** The two in words. */
  readonly textOf: (whole: number, part: number) => string;
  readonly partClass: "failed" | "written";
}

/** A bar for each day, with a part of it at its foot. */
function DailyBars({ title, sums, countsOf, textOf, partClass }: DailyBarsProps) {
  const id = useId();
  const days = lastDays();
  const addedUp = (some: readonly CallSum[]) => {
    const sumOf = (at: 0 | 1) => some.reduce((sum, each) => sum + countsOf(each)[at], 0);
    const [whole, part] = [sumOf(0), sumOf(1)];
    return { whole, part, text: textOf(whole, part) };
  };
  const bars = days.map((day) => ({ day, ...addedUp(sums.filter((each) => each.day === day)) }));
  const most = Math.max(1, ...bars.map(({ whole }) => whole));
  const step = WIDTH / days.length;
  const barOf = (count: number, name: string) => {
    const height = (count / most) * (HEIGHT - 2);
    return <rect class={name} y={HEIGHT - height} width={step - GAP} height={height} rx="2" />;
  };
  return (
    <figure class="card chart" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{title}</strong>
        <span class="hint">{addedUp(sums).text}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {bars.map(({ day, whole, part, text }, index) => (
          <g key={day} transform={`translate(${index * step + GAP / 2})`}>
            <title>{`${day} UTC: ${text}`}</title>
            <rect class="reach" width={step - GAP} height={HEIGHT} />
            {barOf(whole, "bar")}
            {barOf(part, `bar ${partClass}`)}
          </g>
        ))}
        <line x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      </svg>
      <p class="hint ends">
        <span>{days[0]}</span>
        <span>Peak {most.toLocaleString()}</span>
        <span>{days.at(-1)}</span>
      </p>
    </figure>
  );
}
