import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";

const TEXTS = ["tenant", "source", "topic", "session", "search", "metadata", "limit"] as const;
const MOMENTS = ["asOf", "knownAt", "after", "before", "since"] as const;
const SWITCHES = ["ended", "near", "learned", "all"] as const;

/**
 * The filters of the list, as they stand in the address; "": no filter. `tenant`: "" is the
 * default tenant. `metadata`: as in "project=apollo, region=eu". `limit`: how many are found
 * for a question. Moments are in UTC: `asOf`, when it was true; `knownAt`, when it was known; `after` and `before`, when it was learned;
 * `since`: what changed since then. `ended`: those that have ended too; `near`: the nearest,
 * whether or not they are about the search; `all`: a search of every tenant; `learned`: changes by when they were learned.
 */
export type MemoryFilters = Readonly<
  Record<(typeof TEXTS)[number] | (typeof MOMENTS)[number], string> &
    Record<(typeof SWITCHES)[number], boolean>
>;

/** The filters in the query of an address. */
export function readFilters(query: URLSearchParams): MemoryFilters {
  const textOf = (name: string) => query.get(name) ?? "";
  const momentIn = (name: string) => (Number.isNaN(Date.parse(textOf(name))) ? "" : textOf(name));
  return Object.fromEntries([
    ...TEXTS.map((name) => [name, textOf(name)]),
    ...MOMENTS.map((name) => [name, momentIn(name)]),
    ...SWITCHES.map((name) => [name, query.has(name)]),
  ]) as MemoryFilters;
}

/** The same as the query of an address. */
export function queryOf(filters: Partial<MemoryFilters>): Record<string, string | undefined> {
  const entries = Object.entries(filters);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === true ? "yes" : value || undefined]),
  );
}

/** Whether the list of a tenant is narrowed at all. */
export function hasFilters({
  ended,
  near,
  learned,
  all,
  tenant,
  ...texts
}: MemoryFilters): boolean {
  return Object.values(texts).some((text) => text !== "");
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
export function pairsIn(text: string): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = "", ...rest] = pair.split("=");
      return [key.trim(), rest.join("=").trim()];
    }),
  );
}

/** undefined: now. */
export function momentOf(moment: string): Timestamp | undefined {
  return moment === "" ? undefined : timestampFromDate(new Date(moment));
}
