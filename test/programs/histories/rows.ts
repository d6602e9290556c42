/** Runs a statement on the database itself, beside the service. */
// biome-ignore lint/suspicious/noExplicitAny: rows are as their statement says
export type Query = (statement: string, parameters: readonly unknown[]) => Promise<any[]>;

export interface MemoryRow {
  readonly id: string;
  /** "": the default tenant. */
  readonly tenant_id: string;
  readonly decision: string;
  readonly topic: string;
  readonly importance_score: number;
  readonly source: string;
  /** Times are as the JSON interface writes them. */
  readonly created_at: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly superseded_by: string | null;
  readonly superseded_at: string | null;
  readonly mode: "content" | "messages";
}

export interface VectorRow {
  readonly memory_id: string;
  readonly tenant_id: string;
  readonly source: string;
  readonly valid_to: string | null;
  readonly is_superseded: boolean;
}

export interface EventRow {
  readonly memory_id: string;
  readonly sequence: number;
  readonly event: string;
  readonly at: string;
  // biome-ignore lint/suspicious/noExplicitAny: its fields depend on the event
  readonly detail: any;
}

export interface KeyRow {
  readonly key: string;
  readonly has_response: boolean;
}

/** All that is stored of one account. */
export interface Rows {
  readonly memories: readonly MemoryRow[];
  /** In the active space. */
  readonly vectors: readonly VectorRow[];
  readonly events: readonly EventRow[];
  readonly keys: readonly KeyRow[];
  readonly writesUsed: number;
}

const time = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${column}`;

const STATEMENTS = {
  memories: `select company_id, id, tenant_id, decision, topic, importance_score, source, mode,
      ${time("created_at")}, ${time("valid_from")}, ${time("valid_to")},
      superseded_by, ${time("superseded_at")}
    from memories where company_id = any($1)`,
  vectors: `select company_id, memory_id, tenant_id, source, ${time("valid_to")}, is_superseded
    from memory_vectors
    where company_id = any($1)
      and space_id = (select id from embedding_spaces where is_active)`,
  events: `select company_id, memory_id, sequence, event, ${time("at")}, detail
    from audit_events where company_id = any($1) order by memory_id, sequence`,
  keys: `select company_id, key, response is not null as has_response
    from idempotency_keys where company_id = any($1)`,
  usage: `select company_id, sum(writes_used)::int as writes_used
    from write_usage where company_id = any($1) group by company_id`,
} as const;

/** What is stored of each account, in order. */
export async function readRows(query: Query, companyIds: readonly string[]): Promise<Rows[]> {
  const read = async (statement: string) =>
    Map.groupBy(await query(statement, [companyIds]), ({ company_id }) => company_id as string);
  const memories = await read(STATEMENTS.memories);
  const vectors = await read(STATEMENTS.vectors);
  const events = await read(STATEMENTS.events);
  const keys = await read(STATEMENTS.keys);
  const usage = await read(STATEMENTS.usage);
  return companyIds.map((id) => ({
    memories: memories.get(id) ?? [],
    vectors: vectors.get(id) ?? [],
    events: events.get(id) ?? [],
    keys: keys.get(id) ?? [],
    writesUsed: usage.get(id)?.[0].writes_used ?? 0,
  }));
}
