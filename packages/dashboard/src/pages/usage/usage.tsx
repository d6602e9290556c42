import { api } from "../../api.ts";
import { hrefOf } from "../../route.ts";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Calls } from "./calls.tsx";
import { PlanCard } from "./plan-card.tsx";
import { Retention } from "./retention.tsx";

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;

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
              <p>
                Make <a href={hrefOf("keys")}>a key</a> and paste one of its lines: what it calls is
                counted here.
              </p>
            </Empty>
          ) : (
            <Calls usage={sums} days={lastDays()} />
          )
        }
      </Show>
    </>
  );
}

/** Days in UTC, oldest first, as the service counts them. */
function lastDays(): string[] {
  const today = Date.now();
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
