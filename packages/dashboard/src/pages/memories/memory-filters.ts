import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";

/** The filters of the list, as they stand in the address; "": no filter. */
export interface MemoryFilters {
  /** "": the default tenant. */
  readonly tenant: string;
  readonly source: string;
  readonly topic: string;
  readonly session: string;
  readonly search: string;
  /** A moment in UTC. */
  readonly asOf: string;
  /** Whether those that have ended are listed too. */
  readonly ended: boolean;
}

/** The filters in the query of an address. */
export function readFilters(query: URLSearchParams): MemoryFilters {
  const textOf = (name: string) => query.get(name) ?? "";
  return {
    tenant: textOf("tenant"),
    source: textOf("source"),
    topic: textOf("topic"),
    session: textOf("session"),
    search: textOf("search"),
    asOf: Number.isNaN(Date.parse(textOf("asOf"))) ? "" : textOf("asOf"),
    ended: query.has("ended"),
  };
}

/** The same as the query of an address. */
export function queryOf({ ended, ...texts }: MemoryFilters): Record<string, string | undefined> {
  return { ...texts, ended: ended ? "yes" : undefined };
}

/** Whether the list of a tenant is narrowed at all. */
export function hasFilters({ ended, tenant, ...texts }: MemoryFilters): boolean {
  return Object.values(texts).some((text) => text !== "");
}

/** The filters that lists, searches and questions share. */
export function requestOf({ tenant, topic, session, asOf }: MemoryFilters) {
  return {
    tenantId: tenant || undefined,
    topic: topic || undefined,
    sessionId: session || undefined,
    asOf: momentOf(asOf),
  };
}

/** undefined: now. */
export function momentOf(asOf: string): Timestamp | undefined {
  return asOf === "" ? undefined : timestampFromDate(new Date(asOf));
}
