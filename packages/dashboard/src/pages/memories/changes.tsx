import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { api } from "../../api.ts";
import { Check } from "../../ui/field.tsx";
import { Show, useLoad } from "../../ui/load.tsx";
import { Empty } from "../../ui/page.tsx";
import { MemoryLink, Time } from "../../ui/value.tsx";
import { type FiltersProps, momentOf } from "./filters.tsx";

/** What began or ceased to hold in a tenant from one day to another. */
export function Changes({ filters, onChange }: Pick<FiltersProps, "filters" | "onChange">) {
  const { tenant, since, asOf, learned } = filters;
  const found = useLoad(
    (signal) => {
      const until = momentOf(asOf) ?? timestampFromDate(new Date());
      const between = { after: momentOf(since), until, isByLearning: learned };
      return api.chain.listChanges({ tenantId: tenant || undefined, ...between }, { signal });
    },
    [tenant, since, asOf, learned],
  );
  return (
    <>
      <Check checked={learned} onToggle={() => onChange({ learned: !learned })}>
        By when it was learned, and not by when it was true
      </Check>
      <Show of={found}>
        {({ changes, hasMore }) =>
          changes.length === 0 ? (
            <Empty title="Nothing changed">
              Choose another day to begin from, or another one to look from.
            </Empty>
          ) : (
            <>
              <p class="hint" role="status">
                {changes.length}
                {hasMore && " and more, the newest of them"} changes
              </p>
              <ol class="changes card">
                {changes.map(({ at, isBeginning, memory }) => (
                  <li key={`${memory?.id} ${isBeginning}`}>
                    <span class={isBeginning ? "badge good" : "badge warn"}>
                      {isBeginning ? "Began" : "Ended"}
                    </span>
                    <MemoryLink {...memory} />
                    <span class="hint">
                      <Time at={at} />
                    </span>
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </Show>
    </>
  );
}
