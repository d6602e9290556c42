/** A later version of a chain trims the earlier ones (D18a). */
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { MINUTE } from "../../../src/domain/instant.ts";
import { MAX_MOVED_ENDS_A_STATEMENT } from "../../../src/storage/memory-chains.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  audit,
  expectFailure,
  expectOk,
  list,
  listIds,
  memoryOf,
  remember,
  restore,
  supersede,
  timeline,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { eraseAll, exported, imported } from "../transfers/transfers.ts";
import { APRIL, FEBRUARY, JANUARY, MARCH } from "./old-and-fresh.ts";

const spec = useSpec();

interface Version {
  readonly id: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly superseded_by: string | null;
}

interface Event {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a detail
  readonly detail: any;
}

const since = (account: TestAccount, valid_from: string) =>
  remember(account, `Since ${valid_from}`, { valid_from });

/** Memories that start then, each superseded by the next. */
async function chain(account: TestAccount, ...starts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const start of starts) ids.push(await since(account, start));
  for (const [index, id] of ids.slice(0, -1).entries()) {
    expectOk(await supersede(account, id, { superseded_by: ids[index + 1] }));
  }
  return ids;
}

const endOf = async (account: TestAccount, id: string) => (await memoryOf(account, id)).valid_to;
const eventsOf = async (account: TestAccount, id: string) => (await audit(account, id)).history;

/** As if the classifier had superseded the memory, which alone can be taken back. */
async function restoreEnded(account: TestAccount, id: string) {
  const { db } = spec.service.context;
  await sql`update audit_events set actor = 'classifier', detail = detail || '{"confidence": 0.9}'
    where company_id = ${account.companyId} and memory_id = ${id}
      and event = 'superseded'`.execute(db);
  return restore(account, id);
}

test("D18a, D32 trimmed: a backdated correction brings earlier ends forward, and says so", async () => {
  const account = await spec.service.createAccount();
  const [a = "", b = "", c = ""] = await chain(account, JANUARY, MARCH, APRIL);
  const backdated = await since(account, FEBRUARY);
  expectOk(await supersede(account, c, { superseded_by: backdated }));
  expect(await Promise.all([a, b, c].map((id) => endOf(account, id)))).toEqual([
    FEBRUARY,
    FEBRUARY,
    FEBRUARY,
  ]);
  for (const [id, from] of [
    [a, MARCH],
    [b, APRIL],
  ] as const) {
    expect((await eventsOf(account, id)).at(-1)).toEqual({
      event: "trimmed",
      at: expect.any(String),
      actor: account.apiKeyId,
      detail: { from, to: FEBRUARY, by: backdated },
    });
  }
  expect((await eventsOf(account, c)).at(-1)?.event).toBe("superseded");
  expect(await listIds(account, { as_of: JANUARY })).toEqual([a]);
  for (const as_of of [FEBRUARY, MARCH, APRIL]) {
    expect(await listIds(account, { as_of })).toEqual([backdated]);
  }
  // What was asked before is answered with what is stored now.
  const again = await supersede(account, a, { superseded_by: b });
  expect(again).toMatchObject({ status: 200, body: { valid_to: FEBRUARY } });
});

test("D18a: all branches of a merge are trimmed, and an end that a caller chose", async () => {
  const account = await spec.service.createAccount();
  const [a = "", b = "", chosen = ""] = await Promise.all(
    [JANUARY, JANUARY, JANUARY].map((start) => since(account, start)),
  );
  const merged = await since(account, MARCH);
  for (const id of [a, b]) expectOk(await supersede(account, id, { superseded_by: merged }));
  const body = { superseded_by: merged, valid_to: "2099-01-01T00:00:00Z" };
  expectOk(await supersede(account, chosen, body));
  expect(await listIds(account, { as_of: APRIL })).toEqual([merged, chosen]);
  const newest = await since(account, APRIL);
  expectOk(await supersede(account, merged, { superseded_by: newest }));
  expect(await endOf(account, chosen)).toBe(APRIL);
  const backdated = await since(account, FEBRUARY);
  expectOk(await supersede(account, newest, { superseded_by: backdated }));
  for (const id of [a, b, chosen]) expect(await endOf(account, id)).toBe(FEBRUARY);
});

test("D18a: what joins a chain holds no longer than the start of what follows there", async () => {
  const account = await spec.service.createAccount();
  const [middle = "", head = ""] = await chain(account, APRIL, FEBRUARY);
  const [first = "", joined = ""] = await chain(account, JANUARY, MARCH);
  const answer = await supersede(account, joined, { superseded_by: middle });
  expect(answer).toMatchObject({ status: 200, body: { valid_to: FEBRUARY } });
  expect((await eventsOf(account, joined)).slice(1)).toMatchObject([
    { event: "superseded", detail: { valid_to: APRIL } },
    { event: "trimmed", detail: { from: APRIL, to: FEBRUARY, by: head } },
  ]);
  expect(await endOf(account, first)).toBe(FEBRUARY);
  expect(await listIds(account, { as_of: MARCH })).toEqual([head]);
});

test("D18a: to restore gives back what was trimmed, as far as nothing else trims it", async () => {
  const account = await spec.service.createAccount();
  const [a = "", b = "", c = "", d = ""] = await chain(account, JANUARY, APRIL, MARCH, FEBRUARY);
  const ends = () => Promise.all([a, b, c].map((id) => endOf(account, id)));
  expect(await ends()).toEqual([FEBRUARY, FEBRUARY, FEBRUARY]);
  expectOk(await restoreEnded(account, c));
  expect(await ends()).toEqual([MARCH, MARCH, null]);
  expect((await eventsOf(account, a)).at(-1)).toMatchObject({
    event: "trimmed",
    actor: account.apiKeyId,
    detail: { from: FEBRUARY, to: MARCH, by: c },
  });
  expectOk(await restoreEnded(account, b));
  expect(await ends()).toEqual([APRIL, null, null]);
  expect(await endOf(account, d)).toBeNull();
});

describe("D18a, D43: to restore gives back what was trimmed, also beside what was erased", () => {
  const tenant_id = "t";
  /** A chain as `chain` makes it, of which each version can be erased by its place. */
  async function erasable(account: TestAccount, ...starts: string[]) {
    const ids: string[] = [];
    for (const [place, valid_from] of starts.entries()) {
      const more = { valid_from, tenant_id, source: String(place) };
      ids.push(await remember(account, `Since ${valid_from}`, more));
      const before = ids.at(-2);
      if (before) expectOk(await supersede(account, before, { superseded_by: ids.at(-1) }));
      spec.service.clock.advance(MINUTE);
    }
    const erase = async (place: number) => {
      const query = { tenant_id, source: String(place) };
      expectOk(await account.rest("DELETE", "/agent/memories", { query }));
    };
    return { ids, erase };
  }

  test.each<[string, starts: string[], erased: number, restored: number, ends: (string | null)[]]>([
    ["what replaced it is", [JANUARY, MARCH, FEBRUARY], 2, 1, [MARCH, null]],
    [
      "what replaced it is, and the chain goes on",
      [JANUARY, MARCH, FEBRUARY, APRIL],
      2,
      1,
      [MARCH, null, null],
    ],
    [
      "one between is, and what is before it ends where that started",
      [JANUARY, MARCH, APRIL, FEBRUARY],
      1,
      2,
      [MARCH, null, null],
    ],
    [
      "one between is, which had trimmed what is before it",
      [JANUARY, APRIL, FEBRUARY, MARCH, "2024-01-15T00:00:00.000000Z"],
      2,
      3,
      [FEBRUARY, FEBRUARY, null, null],
    ],
    [
      "one between is, and what followed that trims still",
      [JANUARY, APRIL, MARCH, FEBRUARY],
      1,
      2,
      [MARCH, null, null],
    ],
  ])("%s", async (_, starts, erased, restored, ends) => {
    const account = await spec.service.createAccount();
    const { ids, erase } = await erasable(account, ...starts);
    await erase(erased);
    expectOk(await restoreEnded(account, ids[restored] ?? ""));
    const left = ids.filter((_, place) => place !== erased);
    expect(await Promise.all(left.map((id) => endOf(account, id)))).toEqual(ends);
    // A move takes the ends along.
    const { text } = await exported(spec, account, { tenant_id });
    await eraseAll(account);
    expect(await imported(account, text)).toEqual({ imported: left.length, skipped: 0 });
  });
});

test("D18a: a chain longer than a statement moves ends of is trimmed whole, and given back", async () => {
  const account = await spec.service.createAccount();
  const branches = MAX_MOVED_ENDS_A_STATEMENT + 1;
  const merged = await since(account, APRIL);
  const [first = "", newest = ""] = [await since(account, JANUARY), await since(account, MARCH)];
  expectOk(await supersede(account, first, { superseded_by: merged }));
  await copyVersions(account, first, branches);
  expectOk(await supersede(account, merged, { superseded_by: newest }));
  const ended = async () => {
    const versions: Version[] = [];
    for (let query: Record<string, string> | null = {}; query !== null; ) {
      const page = await timeline(account, merged, query);
      versions.push(...page.timeline);
      query = page.next_page_token && { page_token: page.next_page_token };
    }
    return Map.groupBy(versions, ({ valid_to }) => valid_to);
  };
  expect((await ended()).get(MARCH)).toHaveLength(branches + 2);
  expectOk(await restoreEnded(account, merged));
  expect((await ended()).get(APRIL)).toHaveLength(branches + 1);
});

/** As many more like a superseded memory, with its vector and its history. */
async function copyVersions({ companyId }: TestAccount, id: string, count: number) {
  const { db } = spec.service.context;
  const copies = Array.from({ length: count }, () => crypto.randomUUID());
  const of = (table: string, column: string) =>
    sql`
    insert into ${sql.table(table)}
    select copied.* from ${sql.table(table)} as each, unnest(${copies}::uuid[]) as copy,
      jsonb_populate_record(each, jsonb_build_object(${column}::text, copy)) as copied
    where each.company_id = ${companyId} and each.${sql.ref(column)} = ${id}`.execute(db);
  await of("memories", "id");
  await of("memory_vectors", "memory_id");
  await of("audit_events", "memory_id");
}

test("D18 expired replacement: 409, as for one that was ended without a replacement", async () => {
  const account = await spec.service.createAccount();
  const old = await since(account, JANUARY);
  const valid_to = "2024-05-01T00:00:00Z";
  const expired = await remember(account, "Expired", { valid_from: MARCH, valid_to });
  const answer = await supersede(account, old, { superseded_by: expired });
  expectFailure(answer, 409, "replacement_ended", "superseded_by");
  expect((await memoryOf(account, old)).temporal.is_current).toBe(true);
  const ending = { valid_from: MARCH, valid_to: "2099-01-01T00:00:00Z" };
  const current = await remember(account, "Ends later", ending);
  expectOk(await supersede(account, old, { superseded_by: current }));
  // One that was superseded by a replacement of its own can still be one.
  expectOk(await supersede(account, expired, { superseded_by: current }));
  const another = await since(account, JANUARY);
  expectOk(await supersede(account, another, { superseded_by: expired }));
});

const MONTHS = Array.from({ length: 9 }, (_, month) => `2024-0${month + 1}-01T00:00:00.000000Z`);
const anyMonth = fc.constantFrom(...MONTHS);
const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ old: fc.nat(7), by: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ old: fc.nat(7), by: fc.nat(7), end: anyMonth }) },
  { weight: 1, arbitrary: fc.record({ restored: fc.nat(7) }) },
);

test("D18a, D21: after any supersessions a chain without merges has one version at a moment", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyMonth, { minLength: 8, maxLength: 8 }),
      fc.array(anyStep, { minLength: 4, maxLength: 14 }),
      async (starts, steps) => {
        const account = await spec.service.createAccount();
        const ids: string[] = [];
        for (const start of starts) ids.push(await since(account, start));
        const idAt = (index: number) => ids[index] ?? expect.fail("there are eight");
        for (const step of steps) {
          const answer =
            "restored" in step
              ? await restoreEnded(account, idAt(step.restored))
              : await supersede(account, idAt(step.old), {
                  superseded_by: idAt(step.by),
                  valid_to: "end" in step ? step.end : null,
                });
          expect([200, 409]).toContain(answer.status);
        }
        await expectTrimmed(account, ids);
      },
    ),
    { numRuns: 4 },
  );
});

/** Every version ends as it was told to, or where a version behind its replacement starts. */
async function expectTrimmed(account: TestAccount, ids: readonly string[]) {
  const listed = await list(account, { include_superseded: "true" });
  const memories: Version[] = listed.memories;
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const nextOf = ({ superseded_by: id }: Version) => (id === null ? undefined : byId.get(id));
  const replacements = memories.flatMap(({ superseded_by }) => superseded_by ?? []);
  const isLinear = new Set(replacements).size === replacements.length;
  let isChosen = false;
  for (const id of ids) {
    const history: Event[] = await eventsOf(account, id);
    const memory = byId.get(id);
    const replacement = memory && nextOf(memory);
    if (replacement === undefined) continue;
    const given = history.findLast(({ event }) => event === "superseded")?.detail;
    const ends = [given.valid_to];
    for (let next = nextOf(replacement); next !== undefined; next = nextOf(next)) {
      ends.push(next.valid_from);
    }
    expect(memory?.valid_to).toBe(ends.toSorted()[0]);
    const last = history.findLast(({ event }) => ["superseded", "trimmed"].includes(event));
    expect(last?.detail.to ?? last?.detail.valid_to).toBe(memory?.valid_to);
    isChosen ||= given.requested.valid_to !== null;
  }
  if (!isLinear || isChosen) return;
  for (const as_of of MONTHS) {
    const held = await listIds(account, { as_of });
    const chains = await Promise.all(
      held.map(async (id) => (await timeline(account, id)).timeline.map(({ id }: Version) => id)),
    );
    for (const members of chains) {
      expect(members.filter((id: string) => held.includes(id))).toHaveLength(1);
    }
  }
}
