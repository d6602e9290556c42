/** What the service had been told by a moment, and believed then (D16, D40). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "../../src/domain/instant.ts";
import type { TestAccount } from "../support/service.ts";
import { scriptedFacts, writeFact } from "./4.1/scripted-facts.ts";
import {
  expectOk,
  idsOf,
  iso,
  list,
  listIds,
  pluck,
  remember,
  says,
  supersede,
  unique,
  write,
} from "./calls.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();
const { fact, classifies } = scriptedFacts(spec);

/** The moment, which lies between what was done before and what is done after. */
function moment(): string {
  const { clock } = spec.service;
  clock.advance(MINUTE);
  const at = iso(clock.now());
  clock.advance(MINUTE);
  return at;
}

const restore = (account: TestAccount, id: string) =>
  account.rest("POST", `/memories/${id}/restore`);

/** Has a user take back what the classifier then finds first. */
async function takeBack(account: TestAccount, more: object = {}) {
  const opening = unique("Forget that");
  const text = fact("Taken back");
  spec.script.extractions.set(opening, () => []);
  spec.script.retractions.set(opening, [{ text, messageIndex: 0 }]);
  classifies(text);
  return write(account, { messages: [says(opening)], auto_supersede: true, ...more });
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

/** One thing that a client does; numbers choose among the memories that there are. */
const ACTION = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant("write" as const), fc.nat(60), fc.nat(8)) },
  { weight: 5, arbitrary: fc.tuple(fc.constant("supersede" as const), fc.nat(20), fc.nat(20)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("end" as const), fc.nat(20), fc.nat(60)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("replace" as const), fc.nat(60), fc.nat(1)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("restore" as const), fc.nat(20), fc.nat(1)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("take back" as const), fc.nat(60), fc.nat(1)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("erase" as const), fc.nat(1), fc.nat(1)) },
);
type Ended = { readonly memory_id: string };
type Action = typeof ACTION extends fc.Arbitrary<infer T> ? T : never;
const HISTORY = fc.array(fc.tuple(ACTION, fc.boolean()), { minLength: 4, maxLength: 14 });
const RUNS = 4;
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
      const start = clock.now();
      const daysAgo = (days: number) => iso(start - BigInt(days) * DAY);
      const ids = new Map<string, string[]>();
      const erased = new Set<string>();
      const searches: { at: string; tenant_id: string; memories: { id: string }[] }[] = [];
      const recorded: { query: Record<string, string>; at: string; memories: { id: string }[] }[] =
        [];

      /** Of what the classifier ended, the newest first. */
      const restorable: string[] = [];

      function noteEnded(what: string, ended: readonly Ended[]) {
        if (ended.length > 0) seen.add(what);
        restorable.unshift(...pluck("memory_id", ended).map(String));
      }

      /** Refusals are part of a history: they change nothing. */
      async function act([kind, x, y]: Action, tenant_id: string) {
        const ofTenant = ids.get(tenant_id) ?? [];
        ids.set(tenant_id, ofTenant);
        const [one = "", other = ""] = [x, y].map((i) => ofTenant[i % ofTenant.length]);
        const valid_from = daysAgo(x);
        if (kind === "write") {
          const ends = y > 5 ? { valid_to: iso(start + BigInt(y) * 3n * MINUTE) } : {};
          ofTenant.push(await remember(account, fact("Fact"), { valid_from, tenant_id, ...ends }));
        } else if (kind === "replace") {
          const content = fact("Replaces");
          classifies(content);
          const fresh = await writeFact(account, content, { valid_from, tenant_id });
          noteEnded("replaced", fresh.auto_supersede.supersessions as Ended[]);
          ofTenant.push(fresh.memory_id);
        } else if (kind === "take back") {
          const answer = await takeBack(account, { valid_from, tenant_id });
          noteEnded("taken back", answer.body.retractions);
        } else if (kind === "erase") {
          const query = { tenant_id };
          expectOk(await account.rest("DELETE", "/agent/memories", { query }));
          for (const id of ofTenant.splice(0)) erased.add(id);
        } else if (ofTenant.length > 0) {
          const answer = await (kind === "restore"
            ? restore(account, restorable[x % restorable.length] ?? one)
            : supersede(
                account,
                one,
                kind === "end" ? { valid_to: daysAgo(y) } : { superseded_by: other },
              ));
          if (answer.status === 200) seen.add(kind);
        }
      }

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
        const queries: Record<string, string>[] = [
          {},
          { include_superseded: "true" },
          ...[1, 15, 40].map((days) => ({ as_of: daysAgo(days) })),
        ];
        for (const each of queries) {
          const query = { tenant_id, ...each };
          const { memories } = await list(account, query);
          recorded.push({ query, at, memories });
        }
      }

      for (const [action, isOther] of history) {
        const tenant = isOther ? "one" : "other";
        await act(action, tenant);
        clock.advance(MINUTE);
        await clock.hold(() => record(tenant));
        clock.advance(MINUTE);
      }
      for (const { at, tenant_id, memories } of searches) {
        const again = await search(tenant_id, { known_at: at });
        expect(again).toEqual(memories.filter(({ id }) => !erased.has(id)));
      }
      for (const { query, at, memories } of recorded) {
        const again = await list(account, { ...query, known_at: at });
        expect(again.memories).toEqual(memories.filter(({ id }) => !erased.has(id)));
      }
    }),
    { numRuns: RUNS, examples: [[EVERY_KIND]] },
  );
  expect(seen).toEqual(new Set(["supersede", "end", "replaced", "restore", "taken back"]));
});
