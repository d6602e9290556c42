/** What the service had been told by a moment, and believed then (D16, D40). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "../../src/domain/instant.ts";
import { expectOk, idsOf, iso, list, listIds, pluck, remember, supersede } from "./calls.ts";
import { type Action, anyAction, startHistory, TELLING_KINDS } from "./random-history.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

/** The moment, which lies between what was done before and what is done after. */
function moment(): string {
  const { clock } = spec.service;
  clock.advance(MINUTE);
  const at = iso(clock.now());
  clock.advance(MINUTE);
  return at;
}

describe("known_at", () => {
  test("D40: what was superseded since is current, and holds as it did then", async () => {
    const account = await spec.service.createAccount();
    const old = await remember(account, "Ada lives in Paris");
    const [asItWas] = (await list(account)).memories;
    const before = moment();
    const fresh = await remember(account, "Ada lives in Rome", { valid_from: before });
    expectOk(await supersede(account, old, { superseded_by: fresh }));
    const after = moment();
    expect((await list(account, { known_at: before })).memories).toEqual([asItWas]);
    expect(await listIds(account, { known_at: after })).toEqual([fresh]);
    const query = { as_of: after, include_superseded: "true" };
    expect(await listIds(account, { ...query, known_at: before })).toEqual([old]);
    expect(await listIds(account, { ...query, known_at: after })).toEqual([fresh]);
    const { memories } = await list(account, { include_superseded: "true", known_at: after });
    expect(pluck("superseded_by", memories)).toEqual([null, fresh]);
    expect(pluck("valid_to", memories)).toEqual([null, before]);
  });

  test("D40: nothing more is known of what is ahead", async () => {
    const account = await spec.service.createAccount();
    const valid_to = iso(spec.service.clock.now() + DAY);
    const id = await remember(account, "Until tomorrow", { valid_to });
    const ahead = iso(spec.service.clock.now() + 10n * DAY);
    expect(await list(account, { known_at: ahead })).toEqual(await list(account));
    expect(await listIds(account, { known_at: ahead })).toEqual([id]);
  });

  test("D34, D40: its pages are of what was known then", async () => {
    const account = await spec.service.createAccount();
    const ids = [await remember(account), await remember(account), await remember(account)];
    const known_at = moment();
    const fresh = await remember(account);
    for (const id of ids) expectOk(await supersede(account, id, { superseded_by: fresh }));
    const first = await list(account, { known_at, limit: "2" });
    expect(idsOf(first.memories)).toEqual([ids[2], ids[1]]);
    const rest = await list(account, { known_at, page_token: first.next_page_token });
    expect(idsOf(rest.memories)).toEqual([ids[0]]);
    expect(rest.next_page_token).toBeNull();
  });
});

const HISTORY = fc.array(
  fc.tuple(
    anyAction([
      ...(["write", "supersede", "replace", "restore"] as const),
      ...(["write", "supersede", "end", "take back", "erase"] as const),
    ]),
    fc.boolean(),
  ),
  { minLength: 4, maxLength: 14 },
);
const RUNS = 3;
/** Also a chain of four, whose later versions begin ever earlier. */
const EVERY_KIND: [Action, boolean][] = [
  [["write", 50, 0], true],
  [["write", 20, 7], true],
  [["supersede", 0, 1], true],
  [["write", 35, 0], true],
  [["supersede", 1, 2], true],
  [["write", 42, 0], true],
  [["supersede", 2, 3], true],
  [["write", 45, 0], true],
  [["replace", 10, 0], true],
  [["restore", 0, 0], true],
  [["take back", 5, 0], true],
  [["restore", 0, 0], true],
  [["write", 30, 7], true],
  [["end", 4, 5], true],
  [["write", 5, 0], false],
  [["erase", 0, 0], false],
  [["write", 5, 0], false],
];

test("D40: known_at answers what the list and a search answered then, but for what was erased", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(HISTORY, async (history) => {
      const account = await spec.service.createAccount();
      const { clock } = spec.service;
      const played = startHistory(spec, account);
      const searches: { at: string; tenant_id: string; memories: { id: string }[] }[] = [];
      const recorded: { query: Record<string, string>; at: string; memories: { id: string }[] }[] =
        [];
      const left = (memories: { id: string }[]) =>
        memories.filter(({ id }) => !played.erased.has(id));

      /** What is found, in order of IDs, without what is said of all of it. */
      async function search(tenant_id: string, filters: object) {
        const body = { question: "Which facts?", limit: 100, tenant_id, ...filters };
        const answer = await account.rest("POST", "/agent/search", { body });
        expectOk(answer);
        const found: { id: string; relevance: number }[] = answer.body.memories;
        return found
          .map(({ relevance: _, ...each }) => each)
          .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      }

      async function record(tenant_id: string) {
        const at = iso(clock.now());
        searches.push({ at, tenant_id, memories: await search(tenant_id, {}) });
        const asOf = [1, 15, 40].map((days) => ({ as_of: played.daysAgo(days) }));
        const queries: Record<string, string>[] = [{}, { include_superseded: "true" }, ...asOf];
        for (const each of queries) {
          const query = { tenant_id, ...each };
          recorded.push({ query, at, memories: (await list(account, query)).memories });
        }
      }

      for (const [action, isOther] of history) {
        const tenant = isOther ? "one" : "other";
        await played.act(action, tenant);
        clock.advance(MINUTE);
        await clock.hold(() => record(tenant));
        clock.advance(MINUTE);
      }
      for (const { at, tenant_id, memories } of searches) {
        expect(await search(tenant_id, { known_at: at })).toEqual(left(memories));
      }
      for (const { query, at, memories } of recorded) {
        const again = await list(account, { ...query, known_at: at });
        expect(again.memories).toEqual(left(memories));
      }
      for (const kind of played.seen) seen.add(kind);
    }),
    { numRuns: RUNS, examples: [[EVERY_KIND]] },
  );
  expect(seen).toEqual(TELLING_KINDS);
});
