import { go, hrefOf } from "../../route.ts";
import { AsOf } from "../../ui/as-of.tsx";
import { Field } from "../../ui/field.tsx";
import { type MemoryFilters, queryOf } from "./memory-filters.ts";

const TEXTS = [
  ["tenant", "Tenant", "Default"],
  ["source", "Source", "Any"],
  ["topic", "Topic", "Any"],
  ["session", "Session", "Any"],
] as const;

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
        {TEXTS.map(([name, label, placeholder]) => (
          <Field key={name} label={label}>
            {(control) => (
              <input
                {...control}
                value={filters[name]}
                placeholder={placeholder}
                onChange={({ currentTarget }) => change({ [name]: currentTarget.value.trim() })}
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
