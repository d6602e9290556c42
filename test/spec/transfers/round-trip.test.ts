/** What was exported and imported is what it was (D42b, D42c). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MINUTE } from "../../../src/domain/instant.ts";
import type { TestAccount } from "../../support/service.ts";
import { scriptedFacts, writeFact } from "../4.1/scripted-facts.ts";
import {
  audit,
  expectOk,
  iso,
  list,
  remember,
  restore,
  says,
  supersede,
  timeline,
  unique,
  write,
} from "../calls.ts";
import { type Action, anyAction, startHistory, TELLING_KINDS } from "../random-history.ts";
import { useSpec } from "../spec.ts";
import { eraseAll, exported, imported, unimported, withoutImports } from "./transfers.ts";

const spec = useSpec();
const { fact, classifies, takeBack } = scriptedFacts(spec);

/** Moves all that an account has to another one, where it is equal again; returns that one. */
async function moved(from: TestAccount): Promise<TestAccount> {
  const whole = { whole_account: "true" };
  const before = await exported(spec, from, whole);
  const to = await spec.service.createAccount();
  await eraseAll(from);
  const memories = before.memories.filter(({ id }) => id !== undefined);
  expect(await imported(to, before.text)).toEqual({ imported: memories.length, skipped: 0 });
  expect(unimported((await exported(spec, to, whole)).text)).toBe(before.text);
  return to;
}

test("D42b, D42c: nothing", async () => {
  const account = await spec.service.createAccount();
  expect((await exported(spec, account)).memories).toEqual([]);
  expect(await imported(account, (await exported(spec, account)).text)).toEqual({
    imported: 0,
    skipped: 0,
  });
});

test("D42b, D42c: everything that there is of memories", async () => {
  const account = await spec.service.createAccount();
  const { clock } = spec.service;
  const at = (month: number) => `2024-0${month}-01T00:00:00.123456Z`;
  const odd = { source: "crm", topic: "Thé ☕", importance_score: 10, session_id: "chat-7" };
  const metadata = { zebra: "1", a: "", "Ünï [1]": "😀" };
  const unicode = await remember(account, ' "Ada"\n\tlives\u0001 in Zürich 🦊\u2028', {
    ...odd,
    metadata,
  });
  // A chain whose first version was trimmed, a merge, and an end that never held.
  const [a, b, c, d] = [
    await remember(account, "A", { valid_from: at(1) }),
    await remember(account, "B", { valid_from: at(4) }),
    await remember(account, "C", { valid_from: at(2) }),
    await remember(account, "D", { valid_from: at(3) }),
  ];
  expectOk(await supersede(account, a, { superseded_by: b }));
  expectOk(await supersede(account, b, { superseded_by: c }));
  expectOk(await supersede(account, d, { superseded_by: b, valid_to: at(1) }));
  // Its replacement is older, and was itself replaced before.
  const late = await remember(account, "Late");
  expectOk(await supersede(account, late, { superseded_by: a }));
  // Expired, ended without a replacement, superseded by the classifier, restored, taken back.
  const ends = { valid_from: at(1), valid_to: iso(clock.now() + MINUTE) };
  await remember(account, "Until now", { ...ends, tenant_id: "t" });
  expectOk(await supersede(account, await remember(account, "Ends"), { valid_to: at(5) }));
  const old = await remember(account, fact("Paris"), { tenant_id: "t" });
  const rome = fact("Rome");
  classifies(rome);
  await writeFact(account, rome, { tenant_id: "t" });
  expectOk(await restore(account, old));
  const { retractions } = await takeBack(account, fact("Paris"), { tenant_id: "t" });
  expect(retractions).toHaveLength(1);
  // A version that one had trimmed which was erased since.
  const gone = { tenant_id: "e", source: "gone" };
  const [e, f, g] = [
    await remember(account, "E", { valid_from: at(1), tenant_id: "e" }),
    await remember(account, "F", { valid_from: at(4), tenant_id: "e" }),
    await remember(account, "G", { valid_from: at(2), ...gone }),
  ];
  expectOk(await supersede(account, e, { superseded_by: f }));
  expectOk(await supersede(account, f, { superseded_by: g }));
  expectOk(await account.rest("DELETE", `/agent/memories?${new URLSearchParams(gone)}`));
  // A conversation, and a category that keeps a fact from the classifier.
  const opening = unique("I moved");
  spec.script.extractions.set(opening, () => [
    { decision: "Ada lives in Oslo since May", summary: "Ada lives in Oslo", importanceScore: 8 },
    { decision: "Ada is ill", category: "health_medical", messageIndex: 1 },
  ]);
  const messages = [says(opening), says("I am ill")];
  expectOk(await write(account, { messages, session_id: "s", valid_from: at(6), metadata }));
  clock.advance(2n * MINUTE);

  const before = await list(account, { include_superseded: "true" });
  const [chain, history] = [await timeline(account, a), await audit(account, b)];
  const to = await moved(account);
  const company_id = to.companyId;
  expect(await list(to, { include_superseded: "true" })).toEqual({ ...before, company_id });
  expect(await timeline(to, a)).toEqual({ ...chain, company_id });
  expect(withoutImports(await audit(to, b))).toEqual({ ...history, company_id });
  const listed = await list(to, { "metadata[zebra]": "1", session_id: "chat-7" });
  expect(listed.memories).toMatchObject([{ id: unicode, metadata }]);
});

test("D42b, D42c: a history that is longer than a line", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account, fact("Paris"));
  for (let count = 0; count < 12; count++) {
    const { retractions } = await takeBack(account, fact("Paris".padEnd(30_000, ".")));
    expect(retractions).toMatchObject([{ memory_id: id }]);
    expectOk(await restore(account, id));
  }
  const { memories } = await exported(spec, account);
  expect(memories.slice(0, -1).every((line) => line.memory_id === id)).toBe(true);
  expect(memories.length).toBeGreaterThan(2);
  const before = await audit(account, id);
  const to = await moved(account);
  expect(withoutImports(await audit(to, id)).history).toEqual(before.history);
  // What is there already is compared in parts, too.
  expect(await imported(to, (await exported(spec, to)).text)).toEqual({ imported: 0, skipped: 1 });
});

/** So that each kind is done in every history: which of the last two still can depends. */
const OPENING: readonly Action[] = [
  ["write", 3, 0],
  ["write", 2, 0],
  ["supersede", 0, 1],
  ["replace", 1, 0],
  ["restore", 0, 0],
  ["take back", 0, 0],
  ["end", 1, 0],
  ["end", 2, 0],
];
const REST = fc.array(
  fc.tuple(
    anyAction([
      ...(["write", "supersede", "replace", "restore"] as const),
      ...(["write", "supersede", "end", "take back"] as const),
    ]),
    fc.boolean(),
  ),
  { maxLength: 14 },
);
const RUNS = 2;

test("D42c, D40: whatever was done, all reads answer as they did, of every moment", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(REST, async (rest) => {
      const account = await spec.service.createAccount();
      const { clock } = spec.service;
      const played = startHistory(spec, account);
      const moments: string[] = [];
      for (const [action, isOther] of [...OPENING.map((each) => [each, false] as const), ...rest]) {
        await played.act(action, isOther ? "other" : "one");
        clock.advance(MINUTE);
        moments.push(iso(clock.now()));
        clock.advance(MINUTE);
      }
      const read = async (caller: TestAccount) => {
        const answers: unknown[] = [];
        for (const [tenant_id, ofTenant] of played.ids) {
          for (const known_at of moments) {
            const query = { tenant_id, known_at, include_superseded: "true" };
            answers.push((await list(caller, query)).memories);
          }
          for (const id of ofTenant) answers.push((await timeline(caller, id)).timeline);
        }
        return answers;
      };
      await clock.hold(async () => {
        const before = await read(account);
        expect(await read(await moved(account))).toEqual(before);
      });
      for (const kind of played.seen) seen.add(kind);
    }),
    { numRuns: RUNS },
  );
  expect(seen).toEqual(TELLING_KINDS);
});
