import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Choice, Field, KnownValue, TextField } from "../../ui/field.tsx";
import { Button } from "../../ui/page.tsx";
import { dayOf, daysSince, endOfDay, endOfDayBack, startOfDay } from "../../ui/value.tsx";
import { wordsOf } from "../keys/key-names.ts";

/** `field`: what suggests the values, as the service calls it. */
const FILTERS = {
  tenant: { label: "Tenant", field: "tenant_id", placeholder: "Default" },
  topic: { label: "Topic", field: "topic", placeholder: "Any" },
  source: { label: "Source", field: "source", placeholder: "Any" },
  session: { label: "Session", field: "session_id", placeholder: "Any" },
  metadata: { label: "Metadata", placeholder: "project=apollo" },
  limit: { label: "Most memories", type: "number", min: 1, max: 100, placeholder: "10" },
  after: { label: "Learned after", type: "date" },
  before: { label: "Learned before", type: "date" },
  knownAt: { label: "Known on" },
  since: { label: "Changed since", type: "date" },
} as const;
type Filter = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as Filter[];
type ControlProps = Omit<Parameters<typeof TextField>[0], "value"> & { field?: string };
/** Another tenant has values of its own. */
const ANY = { topic: "", source: "", session: "", metadata: "" };

export interface FiltersProps {
  readonly filters: MemoryFilters;
  /** Those that stand there once they are wanted. */
  readonly more: readonly Filter[];
  readonly onChange: (change: Partial<MemoryFilters>) => void;
  /** Stands before the others. */
  readonly children: ComponentChildren;
}

export function Filters({ filters, more, onChange, children }: FiltersProps) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const isShown = (name: Filter) =>
    ["tenant", "topic", ...added].includes(name) || filters[name] !== "";
  const hidden = more.filter((name) => !isShown(name));
  const labelled = (name: Filter) => [name, FILTERS[name].label] as const;
  const controlOf = (name: Filter) => {
    const { field, ...control }: ControlProps = FILTERS[name];
    const { tenant, [name]: value } = filters;
    const onEntered = (text: string) =>
      onChange(name === "tenant" ? { ...ANY, tenant: text } : { [name]: text });
    const entered = { ...control, value, onEntered };
    if (field !== undefined) return <KnownValue key={name} {...{ ...entered, field, tenant }} />;
    if (control.type !== "date") return <TextField key={name} {...entered} />;
    const momentIn = name === "before" ? startOfDay : endOfDay;
    return (
      <TextField
        key={name}
        {...control}
        max={dayOf(new Date())}
        value={value && dayOf(new Date(value))}
        onEntered={(day) => onEntered(day && momentIn(day))}
      />
    );
  };
  return (
    <>
      {children}
      <div class="filter-row">
        {NAMES.filter((name) => name !== "knownAt" && isShown(name)).map(controlOf)}
        {hidden.length > 0 && (
          <Choice
            label="More"
            value=""
            options={{ "": "+ Filter", ...Object.fromEntries(hidden.map(labelled)) }}
            onChoose={(name) => setAdded([...added, name])}
          />
        )}
      </div>
      <AsOf asOf={filters.asOf} onChange={(asOf) => onChange({ asOf })} />
      {isShown("knownAt") && (
        <AsOf isTrue={false} asOf={filters.knownAt} onChange={(knownAt) => onChange({ knownAt })} />
      )}
    </>
  );
}

/** How far back the slider goes; the field takes any day. */
const SLIDER_DAYS = 365;
/** Days back of what stands below the slider, at even distances. */
const MARKS = [365, 274, 183, 91, 0] as const;
const MONTH_FORMAT = new Intl.DateTimeFormat(undefined, { month: "short", year: "2-digit" });

interface AsOfProps {
  /** Whether it is about when something was true, and not about when it was known. */
  readonly isTrue?: boolean;
  /** A moment in UTC; "": now. */
  readonly asOf: string;
  readonly onChange: (asOf: string) => void;
}

/** Chooses a day to look from: on a time line of the last year, or by its date. */
function AsOf({ isTrue = true, asOf, onChange }: AsOfProps) {
  const [moved, setMoved] = useState<string | null>(null);
  const shown = moved ?? asOf;
  const day = shown && dayOf(new Date(shown));
  const momentAt = (place: string) => (place === "0" ? "" : endOfDayBack(-Number(place)));
  return (
    <div class="as-of">
      <Field label={`${isTrue ? "True" : "Known"} on ${day || "now"}`}>
        {(control) => (
          <div class="time-line">
            <input
              {...control}
              type="range"
              min={-SLIDER_DAYS}
              max={0}
              value={shown ? -daysSince(shown) : 0}
              aria-valuetext={day || "now"}
              onInput={({ currentTarget }) => setMoved(momentAt(currentTarget.value))}
              onChange={({ currentTarget }) => {
                setMoved(null);
                onChange(momentAt(currentTarget.value));
              }}
            />
            <p class="marks" aria-hidden="true">
              {MARKS.map((days) => (
                <span key={days}>
                  {days === 0 ? "now" : MONTH_FORMAT.format(Date.parse(endOfDayBack(days)))}
                </span>
              ))}
            </p>
          </div>
        )}
      </Field>
      <TextField
        label={isTrue ? "Day" : "Known day"}
        type="date"
        max={dayOf(new Date())}
        value={day}
        onEntered={(chosen) => onChange(chosen && endOfDay(chosen))}
      />
      <Button
        disabled={asOf === ""}
        aria-label={isTrue ? undefined : "Known now"}
        onClick={() => onChange("")}
      >
        Now
      </Button>
    </div>
  );
}

const TEXTS = ["tenant", "source", "topic", "session", "search", "metadata", "limit"] as const;
const MOMENTS = ["asOf", "knownAt", "after", "before", "since"] as const;
const SWITCHES = ["ended", "near", "learned", "all"] as const;

/**
 * The filters of the list, as they stand in the address; "": no filter. `tenant`: "" is the
 * default tenant. `metadata`: as in "project=apollo, region=eu". `limit`: how many are found
 * for a question. Moments are in UTC: `asOf`, when it was true; `knownAt`, when it was known;
 * `after` and `before`, when it was learned; `since`: what changed since then. `ended`: those that
 * have ended too; `near`: the nearest, about the search or not; `all`: a search of every tenant;
 * `learned`: changes by when they were learned.
 */
export type MemoryFilters = Readonly<
  Record<(typeof TEXTS)[number] | (typeof MOMENTS)[number], string> &
    Record<(typeof SWITCHES)[number], boolean>
>;

export function readFilters(query: URLSearchParams): MemoryFilters {
  const textOf = (name: string) => query.get(name) ?? "";
  const momentIn = (name: string) => (Number.isNaN(Date.parse(textOf(name))) ? "" : textOf(name));
  return Object.fromEntries([
    ...TEXTS.map((name) => [name, textOf(name)]),
    ...MOMENTS.map((name) => [name, momentIn(name)]),
    ...SWITCHES.map((name) => [name, query.has(name)]),
  ]) as MemoryFilters;
}

export function queryOf(filters: Partial<MemoryFilters>): Record<string, string | undefined> {
  const entries = Object.entries(filters);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === true ? "yes" : value || undefined]),
  );
}

/** Whether the list of a tenant is narrowed at all. */
export function hasFilters(filters: MemoryFilters): boolean {
  return [...TEXTS, ...MOMENTS].some((name) => name !== "tenant" && filters[name] !== "");
}

/** The filters that lists, searches and questions share. */
export function requestOf(filters: MemoryFilters) {
  const { tenant, topic, session, metadata, asOf, knownAt, after, before } = filters;
  return {
    tenantId: tenant || undefined,
    topic: topic || undefined,
    sessionId: session || undefined,
    metadata: pairsIn(metadata),
    asOf: momentOf(asOf),
    knownAt: momentOf(knownAt),
    createdAfter: momentOf(after),
    createdBefore: momentOf(before),
  };
}

/** The same for searches and questions. */
export function questionOf(filters: MemoryFilters) {
  const { source, limit } = filters;
  const sources = source === "" ? [] : [source];
  return { ...requestOf(filters), sources, limit: Number(limit) || undefined };
}

/** The keys and texts of a field such as "project=apollo, region=eu". */
function pairsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    wordsOf(text).map((pair) => {
      const [key = "", ...rest] = pair.split("=");
      return [key.trim(), rest.join("=").trim()];
    }),
  );
}

/** undefined: now. */
export function momentOf(moment: string): Timestamp | undefined {
  return moment === "" ? undefined : timestampFromDate(new Date(moment));
}
