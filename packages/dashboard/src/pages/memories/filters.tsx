import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { AsOf } from "../../ui/as-of.tsx";
import { dayOf, endOfDay, startOfDay } from "../../ui/days.ts";
import { Choice, TextField } from "../../ui/field.tsx";
import { KnownValue } from "../../ui/known-value.tsx";
import type { MemoryFilters } from "./memory-filters.ts";

const VALUES = [
  ["tenant", "tenant_id", "Tenant", "Default"],
  ["topic", "topic", "Topic", "Any"],
  ["source", "source", "Source", "Any"],
  ["session", "session_id", "Session", "Any"],
] as const;
/** Those that stand there once they are wanted. */
const MORE = [
  ["source", "Source"],
  ["session", "Session"],
  ["metadata", "Metadata"],
  ["limit", "Most memories"],
  ["after", "Learned after"],
  ["before", "Learned before"],
  ["knownAt", "Known on"],
  ["since", "Changed since"],
] as const;
type More = (typeof MORE)[number][0];
const LABELS = new Map<string, string>(MORE);
const FIELDS = {
  metadata: { placeholder: "project=apollo" },
  limit: { type: "number", min: 1, max: 100, placeholder: "10" },
} as const;
/** Another tenant has values of its own. */
const ANY = { topic: "", source: "", session: "", metadata: "" };

interface FiltersProps {
  readonly filters: MemoryFilters;
  /** Of those that can be added, the ones that the page has. */
  readonly more: readonly More[];
  readonly onChange: (change: Partial<MemoryFilters>) => void;
  /** Stands before the others. */
  readonly children: ComponentChildren;
}

/** What a list or a question is narrowed to. */
export function Filters({ filters, more, onChange, children }: FiltersProps) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const isShown = (name: More) => filters[name] !== "" || added.includes(name);
  const hidden = MORE.filter(([name]) => more.includes(name) && !isShown(name));
  const isMore = (name: string): name is More => LABELS.has(name);
  return (
    <>
      {children}
      <div class="filter-row">
        {VALUES.filter(([name]) => !isMore(name) || isShown(name)).map(
          ([name, field, label, placeholder]) => (
            <KnownValue
              key={name}
              label={label}
              field={field}
              tenant={filters.tenant}
              value={filters[name]}
              placeholder={placeholder}
              onChange={(value) =>
                onChange(name === "tenant" ? { ...ANY, tenant: value } : { [name]: value })
              }
            />
          ),
        )}
        {(["metadata", "limit"] as const).filter(isShown).map((name) => (
          <TextField
            key={name}
            label={LABELS.get(name) ?? name}
            {...FIELDS[name]}
            value={filters[name]}
            onEntered={(text) => onChange({ [name]: text })}
          />
        ))}
        {(["after", "before", "since"] as const).filter(isShown).map((name) => (
          <TextField
            key={name}
            label={LABELS.get(name) ?? name}
            type="date"
            max={dayOf(new Date())}
            value={filters[name] && dayOf(new Date(filters[name]))}
            onEntered={(day) =>
              onChange({ [name]: day && (name === "before" ? startOfDay : endOfDay)(day) })
            }
          />
        ))}
        {hidden.length > 0 && (
          <Choice
            label="More"
            value=""
            options={[["", "+ Filter"], ...hidden]}
            onChoose={(name) => setAdded([...added, name])}
          />
        )}
      </div>
      <AsOf asOf={filters.asOf} onChange={(asOf) => onChange({ asOf })} />
      {isShown("knownAt") && (
        <AsOf time="known" asOf={filters.knownAt} onChange={(knownAt) => onChange({ knownAt })} />
      )}
    </>
  );
}
