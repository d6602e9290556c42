import { go, hrefOf } from "../../route.ts";
import { AsOf } from "../../ui/as-of.tsx";
import { Field } from "../../ui/field.tsx";
import { KnownValue } from "../../ui/known-value.tsx";
import { type MemoryFilters, queryOf } from "./memory-filters.ts";

const VALUES = [
  ["tenant", "tenant_id", "Tenant", "Default"],
  ["topic", "topic", "Topic", "Any"],
  ["source", "source", "Source", "Any"],
  ["session", "session_id", "Session", "Any"],
] as const;
/** Another tenant has values of its own. */
const ANY = { topic: "", source: "", session: "" };

/** Changes the filters in the address as they are entered. */
export function Filters({ filters }: { readonly filters: MemoryFilters }) {
  const change = (changed: Partial<MemoryFilters>) =>
    go(hrefOf("memories", null, queryOf({ ...filters, ...changed })));
  return (
    <search class="card filters">
      <Field label="Search">
        {(control) => (
          <input
            {...control}
            type="search"
            value={filters.search}
            placeholder="What are the memories about?"
            onChange={({ currentTarget }) => change({ search: currentTarget.value.trim() })}
          />
        )}
      </Field>
      <div class="filter-row">
        {VALUES.map(([name, field, label, placeholder]) => (
          <Field key={name} label={label}>
            {(control) => (
              <KnownValue
                {...control}
                label={label}
                field={field}
                tenant={filters.tenant}
                value={filters[name]}
                placeholder={placeholder}
                onChange={(value) =>
                  change(name === "tenant" ? { ...ANY, tenant: value } : { [name]: value })
                }
              />
            )}
          </Field>
        ))}
      </div>
      <AsOf asOf={filters.asOf} onChange={(asOf) => change({ asOf })} />
      {filters.search === "" && filters.asOf === "" && (
        <label class="check">
          <input
            type="checkbox"
            checked={filters.ended}
            onChange={() => change({ ended: !filters.ended })}
          />
          Also what has ended
        </label>
      )}
    </search>
  );
}
