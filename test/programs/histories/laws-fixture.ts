import type { Call, Change, Outcome, Recording } from "./call.ts";
import type { EventRow, MemoryRow, Rows, VectorRow } from "./rows.ts";

/** A record and rows that a test may change: a small history that keeps every law. */
export interface World {
  readonly recording: Recording & { calls: Call[]; changes: Change[]; incidents: string[] };
  readonly rows: (Rows & { memories: MemoryRow[]; vectors: VectorRow[]; events: EventRow[] })[];
}

export const TIMES = {
  first: "2026-01-01T00:00:00.000000Z",
  second: "2026-01-02T00:00:00.000000Z",
  third: "2026-01-03T00:00:00.000000Z",
} as const;

let clock = 0;

/** A call that takes one millisecond, after the one before. */
export function callOf(
  rpc: Call["rpc"],
  request: Call["request"],
  outcome: Outcome | object,
  more: Partial<Call> = {},
): Call {
  const startedAt = ++clock;
  return {
    rpc,
    request,
    account: 0,
    apiKeyId: "key",
    idempotencyKey: null,
    server: 0,
    protocol: "rest",
    isAbandoned: false,
    walk: null,
    isQuiet: false,
    startedAt,
    endedAt: startedAt + 0.5,
    outcome: "kind" in outcome ? (outcome as Outcome) : { kind: "done", body: outcome },
    ...more,
  };
}

export function refusal(reason: string | null, retryAfterSeconds: number | null = null): Outcome {
  const answer = { status: 400, detail: "", partial: null };
  return { kind: "refused", reason, retryAfterSeconds, ...answer };
}

export function writeOf(id: string, more: Partial<Call> = {}): Call {
  const request = { content: `Fact ${id}`, source: id, topic: "t", importance_score: 5 };
  return callOf("CreateMemories", request, { memory_id: id, auto_supersede: null }, more);
}

/** As an answer shows a row. */
export function shown(row: MemoryRow, isCurrent = row.superseded_at === null): object {
  const temporal = { is_current: isCurrent };
  return { ...row, tenant_id: row.tenant_id === "" ? null : row.tenant_id, temporal };
}

export function listOf(memories: readonly MemoryRow[], request = {}, more: Partial<Call> = {}) {
  const asOf = (request as { as_of?: string }).as_of ?? null;
  const body = { memories: memories.map((row) => shown(row)), next_page_token: null, as_of: asOf };
  return callOf("ListMemories", request, body, more);
}

export function rowOf(id: string, at: string): MemoryRow {
  return {
    ...{ id, source: id, tenant_id: "", mode: "content" },
    ...{ decision: `Fact ${id}`, topic: "t", importance_score: 5 },
    ...{ created_at: at, valid_from: at, valid_to: null },
    ...{ superseded_by: null, superseded_at: null },
  };
}

/** The rows of an account with these memories, each whole. */
export function rowsOf(memories: MemoryRow[]): World["rows"][number] {
  return {
    memories,
    vectors: memories.map((row) => ({
      memory_id: row.id,
      tenant_id: row.tenant_id,
      source: row.source,
      valid_to: row.valid_to,
      is_superseded: row.superseded_at !== null,
    })),
    events: memories.flatMap((row) => [
      { memory_id: row.id, sequence: 1, event: "created", at: row.created_at, detail: {} },
      ...(row.superseded_at === null
        ? []
        : [
            {
              ...{ memory_id: row.id, sequence: 2, event: "superseded" },
              at: row.superseded_at,
              detail: { valid_to: row.valid_to, superseded_by: row.superseded_by },
            },
          ]),
    ]),
    keys: [],
    writesUsed: memories.length,
  };
}

/** One account supersedes `old` by `new`, another one writes `foreign`; all of it is read. */
export function newWorld(): World {
  clock = 0;
  const old = {
    ...rowOf("old", TIMES.first),
    ...{ valid_to: TIMES.second, superseded_by: "new", superseded_at: TIMES.third },
  };
  const next = rowOf("new", TIMES.second);
  const foreign = rowOf("foreign", TIMES.first);
  const end = { memory_id: "old", superseded_by: "new", valid_to: TIMES.second };
  const quiet = { isQuiet: true };
  const calls = [
    writeOf("foreign", { account: 1 }),
    writeOf("old", { idempotencyKey: "k" }),
    writeOf("new"),
    writeOf("old", { idempotencyKey: "k" }),
    callOf("SupersedeMemory", { memory_id: "old", superseded_by: "new" }, end),
    callOf("GetMemoryTimeline", { memory_id: "foreign" }, refusal("not_owner")),
    callOf("UpdateSettings", { min_confidence: 0.5 }, settingsWith(0.5)),
    callOf("GetSettings", {}, settingsWith(0.5)),
    listOf([next, old], { include_superseded: true }, quiet),
    listOf([next], {}, quiet),
    listOf([next], { as_of: TIMES.second }, quiet),
    listOf(
      [next, { ...old, valid_to: null, superseded_by: null }],
      { include_superseded: true, known_at: TIMES.second },
      quiet,
    ),
    callOf(
      "GetMemoryTimeline",
      { memory_id: "old" },
      { timeline: [shown(old), shown(next)], chain_length: 2 },
      quiet,
    ),
  ];
  return {
    recording: {
      accounts: [0, 1].map((index) => ({ companyId: `company ${index}`, writesLimit: 10 })),
      calls,
      changes: [],
      hadFaults: false,
      factsByConversation: new Map(),
      incidents: [],
      recoveriesMs: [],
      openKeys: [],
    },
    rows: [rowsOf([old, next]), rowsOf([foreign])],
  };
}

export function settingsWith(minConfidence: number): object {
  return {
    auto_supersede_default: false,
    excluded_categories: ["health_medical", "legal_status"],
    min_confidence: minConfidence,
    auto_supersede_mode: "act",
  };
}
