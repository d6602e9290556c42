import type { GetPlanStatusResponse } from "@agent-memory/gen/agentmemory/v1/plan_service_pb";
import { Failed } from "../../ui/notice.tsx";
import { Share } from "../../ui/share.tsx";
import { Time } from "../../ui/time.tsx";

const TIERS: Readonly<Record<string, string>> = { starter: "Starter", pro: "Pro" };
const STATUSES: Readonly<Record<string, string>> = {
  active: "Active",
  past_due: "Past due",
  canceled: "Canceled",
};

/** The plan, and how much of it is used. */
export function PlanCard({ plan }: { readonly plan: GetPlanStatusResponse }) {
  const { writesUsed, writesLimit, writesRemaining } = plan;
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
          Period since <Time at={plan.periodStart} withDayAlone />
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
        used, {writesRemaining.toLocaleString()} left in this period.
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
