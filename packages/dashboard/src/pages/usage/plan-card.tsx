import type { GetPlanStatusResponse } from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Failed } from "../../ui/notice.tsx";
import { Share } from "../../ui/share.tsx";
import { Time } from "../../ui/time.tsx";

const TIERS: Readonly<Record<string, string>> = { starter: "Starter", pro: "Pro" };
const STATUSES: Readonly<Record<string, string>> = {
  active: "Active",
  past_due: "Past due",
  canceled: "Canceled",
};

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

/** The plan, and how much of it is used. */
export function PlanCard({ plan }: { readonly plan: GetPlanStatusResponse }) {
  const { writesUsed, writesLimit, writesRemaining } = plan;
  const end = plan.periodStart && endOf(plan.periodStart);
  return (
    <section class="card" aria-label="Plan">
      <div class="plan">
        <p>
          <strong>{TIERS[plan.planTier] ?? plan.planTier}</strong>{" "}
          <span class={plan.planStatus === "active" ? "badge good" : "badge warn"}>
            {STATUSES[plan.planStatus] ?? plan.planStatus}
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
