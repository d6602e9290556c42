/** Each law by itself: a small history that keeps it, and what must be noticed when it does not. */
import { describe, expect, test } from "vitest";
import type { Call } from "./call.ts";
import { judge } from "./judge.ts";
import {
  callOf,
  listOf,
  newWorld,
  refusal,
  rowOf,
  rowsOf,
  settingsWith,
  shown,
  TIMES,
  type World,
  writeOf,
} from "./laws-fixture.ts";
import { LAWS, type Law } from "./verdicts.ts";

type Breach = (world: World, rows: World["rows"][number], calls: Call[]) => void;

/** Replaces the row of a memory. */
function alter(rows: World["rows"][number], id: string, change: object): void {
  const index = rows.memories.findIndex((row) => row.id === id);
  rows.memories[index] = { ...(rows.memories[index] ?? rowOf(id, TIMES.first)), ...change };
}

const erasure = () => callOf("DeleteMemories", {}, { deleted_count: 2, tenant_id: null });

const BREACHES: readonly (readonly [Law, string, Breach])[] = [
  ["durability", "a memory is gone", (_, rows) => void rows.memories.pop()],
  ["durability", "a vector is gone", (_, rows) => void rows.vectors.pop()],
  ["durability", "a text changed", (_, rows) => alter(rows, "new", { decision: "Another" })],
  [
    "durability",
    "a memory was created twice",
    (_, rows) => {
      const event = { event: "created", at: TIMES.second, detail: {} };
      rows.events.push({ memory_id: "new", sequence: 2, ...event });
    },
  ],
  [
    "durability",
    "a refused write is stored",
    (world, rows, calls) => {
      calls.push(writeOf("late", { outcome: refusal("plan_canceled") }));
      world.rows[0] = rowsOf([...rows.memories, rowOf("late", TIMES.third)]);
    },
  ],
  [
    "chains",
    "a circle",
    (_, rows) => {
      alter(rows, "new", {
        superseded_by: "old",
        superseded_at: TIMES.third,
        valid_to: TIMES.third,
      });
    },
  ],
  [
    "chains",
    "a version holds past the start of what its replacement led to",
    (_, rows) => {
      alter(rows, "new", {
        superseded_by: "newest",
        superseded_at: TIMES.third,
        valid_to: TIMES.first,
      });
      rows.memories.push(rowOf("newest", TIMES.first));
    },
  ],
  [
    "chains",
    "a history does not tell of a trimmed end",
    (_, rows) => alter(rows, "old", { valid_to: TIMES.first }),
  ],
  ["chains", "a replacement is gone", (_, rows) => alter(rows, "old", { superseded_by: "none" })],
  [
    "chains",
    "two replacements",
    (_, _rows, calls) => {
      const end = { memory_id: "old", superseded_by: "foreign", valid_to: TIMES.second };
      calls.push(callOf("SupersedeMemory", { memory_id: "old" }, end));
    },
  ],
  [
    "chains",
    "a moment finds two versions",
    (_, rows, calls) => {
      calls.push(listOf(rows.memories, { as_of: TIMES.second }, { isQuiet: true }));
    },
  ],
  [
    "chains",
    "what was known is told as it is now",
    (_, rows, calls) => {
      const request = { include_superseded: true, known_at: TIMES.second };
      calls.push(listOf(rows.memories, request, { isQuiet: true }));
    },
  ],
  [
    "chains",
    "a timeline leaves a version out",
    (_, rows, calls) => {
      const timeline = rows.memories.slice(1).map((row) => shown(row));
      const body = { timeline, chain_length: 1 };
      calls.push(callOf("GetMemoryTimeline", { memory_id: "new" }, body, { isQuiet: true }));
    },
  ],
  [
    "quota",
    "a write was counted twice",
    (world, rows) => {
      world.rows[0] = { ...rows, writesUsed: 3 };
    },
  ],
  [
    "quota",
    "more than the limit",
    (world) => {
      const accounts = world.recording.accounts.map((account) => ({ ...account, writesLimit: 1 }));
      Object.assign(world.recording, { accounts });
    },
  ],
  [
    "idempotency",
    "two answers for one key",
    (_, _rows, calls) => {
      calls.push(writeOf("new", { idempotencyKey: "k" }));
    },
  ],
  [
    "idempotency",
    "a second effect of one key",
    (world, rows) => {
      const again = { ...rowOf("again", TIMES.third), source: "old", decision: "Fact old" };
      world.rows[0] = rowsOf([...rows.memories, again]);
    },
  ],
  [
    "idempotency",
    "a key in use by nobody",
    (_, _rows, calls) => {
      const outcome = refusal("idempotency_key_in_use", 1);
      calls.push(writeOf("old", { idempotencyKey: "k", outcome }));
    },
  ],
  ["deletion", "a memory outlives a deletion", (_, _rows, calls) => void calls.push(erasure())],
  [
    "deletion",
    "a deleted memory is read",
    (world, rows, calls) => {
      calls.push(erasure(), listOf(rows.memories));
      world.rows[0] = { ...rowsOf([]), writesUsed: 2 };
    },
  ],
  [
    "deletion",
    "a vector without its memory",
    (_, rows) => {
      rows.vectors.push({ ...(rows.vectors[0] as (typeof rows.vectors)[0]), memory_id: "none" });
    },
  ],
  [
    "isolation",
    "another account's memory is shown",
    (world, _, calls) => {
      calls.push(listOf(world.rows[1]?.memories ?? []));
    },
  ],
  [
    "isolation",
    "another tenant's memory is shown",
    (_, rows, calls) => {
      calls.push(listOf(rows.memories.slice(1), { tenant_id: "red" }));
    },
  ],
  [
    "isolation",
    "another account's memory is ended",
    (_, _rows, calls) => {
      const end = { memory_id: "foreign", superseded_by: null, valid_to: TIMES.third };
      calls.push(callOf("SupersedeMemory", { memory_id: "foreign" }, end));
    },
  ],
  ["reads", "a list leaves a memory out", (_, _rows, calls) => void calls.push(listOf([]))],
  [
    "reads",
    "a list shows what was ended",
    (_, rows, calls) => {
      calls.push(listOf(rows.memories.toReversed()));
    },
  ],
  [
    "reads",
    "pages repeat a memory",
    (_, rows, calls) => {
      const page = listOf(rows.memories.slice(1), {}, { walk: 1 });
      const more = {
        memories: rows.memories.slice(1).map((row) => shown(row)),
        next_page_token: "t",
      };
      calls.push(
        callOf("ListMemories", {}, more, { walk: 1, startedAt: page.startedAt - 0.5 }),
        page,
      );
    },
  ],
  [
    "reads",
    "a page leads to itself, so that no walk comes to the end",
    (_, rows, calls) => {
      const page = { memories: [rows.memories[1]].map((row) => row && shown(row)) };
      for (let times = 0; times < 2; times++) {
        const body = { ...page, next_page_token: "t", as_of: null };
        calls.push(callOf("ListMemories", { limit: 1 }, body, { walk: 1 }));
      }
    },
  ],
  [
    "reads",
    "what is there is not found",
    (_, _rows, calls) => {
      calls.push(callOf("GetMemoryAudit", { memory_id: "new" }, refusal("memory_not_found")));
    },
  ],
  [
    "changes",
    "an old setting is read",
    (_, _rows, calls) => {
      calls.push(callOf("GetSettings", {}, settingsWith(0.85)));
    },
  ],
  [
    "changes",
    "a key that works is refused",
    (_, _rows, calls) => {
      calls.push(callOf("GetSettings", {}, refusal("unauthenticated")));
    },
  ],
  [
    "changes",
    "a revoked key works",
    ({ recording }, rows, calls) => {
      const at = { startedAt: 100, endedAt: 101 };
      recording.changes.push({ kind: "revoke", account: 0, value: "key", isDone: true, ...at });
      calls.push(listOf(rows.memories.slice(1), {}, { startedAt: 2_000, endedAt: 2_001 }));
    },
  ],
  [
    "availability",
    "a defect",
    (_, _rows, calls) => {
      calls.push(callOf("GetPlanStatus", {}, refusal("internal")));
    },
  ],
  [
    "availability",
    "a 503 where nothing broke",
    (_, _rows, calls) => {
      calls.push(callOf("GetPlanStatus", {}, refusal("storage_unavailable", 2)));
    },
  ],
  [
    "availability",
    "a 503 without a wait",
    (_, _rows, calls) => {
      calls.push(callOf("GetPlanStatus", {}, refusal("overloaded")));
    },
  ],
  [
    "availability",
    "a server that ended by itself",
    ({ recording }) => {
      recording.incidents.push("it ended");
    },
  ],
];

const brokenIn = ({ recording, rows }: World) =>
  judge(recording, rows).violations.map(({ law }) => law);

test("a history that keeps every law breaks none, and each was looked at", () => {
  const { recording, rows } = newWorld();
  const { checks, violations } = judge(recording, rows);
  expect(violations).toEqual([]);
  for (const law of LAWS) expect([law, checks[law] > 0]).toEqual([law, true]);
});

test("of two requests under one key, one may be erased where nothing of the other's tenant was", () => {
  const { recording, rows } = newWorld();
  const key = { idempotencyKey: "shared" };
  const request = { content: "Fact red", source: "red", topic: "t", importance_score: 5 };
  const inRed = { ...request, tenant_id: "red" };
  const answer = { memory_id: "red", auto_supersede: null };
  recording.calls.push(
    callOf("CreateMemories", inRed, answer, key),
    writeOf("other", { ...key, outcome: refusal("idempotency_key_reused") }),
    callOf("DeleteMemories", { tenant_id: "red" }, { deleted_count: 1, tenant_id: "red" }),
    callOf("CreateMemories", inRed, refusal("idempotency_key_erased"), key),
  );
  rows[0] = { ...rowsOf(rows[0]?.memories ?? []), writesUsed: 3 };
  expect(judge(recording, rows).violations).toEqual([]);
});

test("what the classifier ended may be taken back, also where a call had asked for the same", () => {
  const { recording, rows } = newWorld();
  const end = { memory_id: "old", superseded_by: "new", valid_to: TIMES.second };
  const answer = { memory_id: "new", auto_supersede: { supersession: { ...end, applied: true } } };
  const request = { content: "Fact new", source: "new", topic: "t", importance_score: 5 };
  recording.calls.splice(
    0,
    Infinity,
    writeOf("old"),
    callOf("CreateMemories", request, answer),
    callOf("SupersedeMemory", { memory_id: "old", superseded_by: "new" }, end),
    callOf("RestoreMemory", { memory_id: "old" }, { replaced_by: "new", valid_to: null }),
  );
  rows[0] = rowsOf([rowOf("old", TIMES.first), rowOf("new", TIMES.second)]);
  rows[1] = rowsOf([]);
  expect(judge(recording, rows).violations).toEqual([]);
});

describe.each(LAWS)("%s", (law) => {
  test.each(BREACHES.filter(([broken]) => broken === law))("%s: %s", (_, _what, breach) => {
    const world = newWorld();
    const [rows] = world.rows;
    if (rows === undefined) throw new Error("unreachable: it has two accounts");
    breach(world, rows, world.recording.calls);
    expect(brokenIn(world)).toContain(law);
  });
});
