/** What was exported and imported is what it was (D42b, D42c). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY, MINUTE } from "../../../src/domain/instant.ts";
import type { TestAccount } from "../../support/service.ts";
import { scriptedFacts, writeFact } from "../4.1/scripted-facts.ts";
import {
  audit,
  expectOk,
  iso,
  list,
  remember,
  says,
  supersede,
  timeline,
  unique,
  write,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import { eraseAll, exported, imported, unimported, withoutImports } from "./transfers.ts";

const spec = useSpec();
const { fact, classifies } = scriptedFacts(spec);

const restore = ({ rest }: TestAccount, id: string) => rest("POST", `/memories/${id}/restore`);

/** Has a user take back what the classifier then finds first; returns what ended. */
async function takeBack(account: TestAccount, text: string, more: object = {}): Promise<string[]> {
  const opening = unique("Forget that");
  spec.script.extractions.set(opening, () => []);
  spec.script.retractions.set(opening, [{ text, messageIndex: 0 }]);
  classifies(text);
  const body = { messages: [says(opening)], auto_supersede: true, ...more };
  const answer = await write(account, body);
  expectOk(answer);
  return answer.body.retractions.map(({ memory_id: id }: { memory_id: string }) => id);
}

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
  expect(await takeBack(account, fact("Paris"), { tenant_id: "t" })).toHaveLength(1);
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
    const [ended] = await takeBack(account, fact("Paris".padEnd(30_000, ".")));
    expect(ended).toBe(id);
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

/** One thing that a client does; numbers choose among the memories that there are. */
const ACTION = fc.tuple(
  fc.constantFrom(
    "write",
    "write",
    "supersede",
    "supersede",
    "end",
    "replace",
    "restore",
    "take back",
  ),
  fc.nat(60),
  fc.nat(20),
  fc.boolean(),
);
type Action = typeof ACTION extends fc.Arbitrary<infer T> ? T : never;
/** So that each kind is done in every history: which of the last two still can depends. */
const OPENING: readonly Action[] = [
  ["write", 3, 0, false],
  ["write", 2, 0, false],
  ["supersede", 0, 1, false],
  ["replace", 1, 0, false],
  ["restore", 0, 0, false],
  ["take back", 0, 0, false],
  ["end", 1, 0, false],
  ["end", 2, 0, false],
];
const HISTORY = fc.array(ACTION, { maxLength: 14 }).map((rest) => [...OPENING, ...rest]);
const RUNS = 3;

test("D42c, D40: whatever was done, all reads answer as they did, of every moment", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(HISTORY, async (history) => {
      const account = await spec.service.createAccount();
      const { clock } = spec.service;
      const start = clock.now();
      const daysAgo = (days: number) => iso(start - BigInt(days) * DAY);
      const ids = new Map<string, string[]>([
        ["one", []],
        ["other", []],
      ]);
      const endedByClassifier: string[] = [];
      const moments: string[] = [];

      /** Refusals are part of a history: they change nothing. */
      async function act([kind, x, y, isOther]: Action) {
        const tenant_id = isOther ? "other" : "one";
        const ofTenant = ids.get(tenant_id) ?? [];
        const [one = "", other = ""] = [x, y].map((i) => ofTenant[i % ofTenant.length]);
        const more = { tenant_id, valid_from: daysAgo(x) };
        if (kind === "write") {
          const end = y > 15 ? { valid_to: iso(start + BigInt(y) * 3n * MINUTE) } : {};
          ofTenant.push(await remember(account, fact("Fact"), { ...more, ...end }));
        } else if (kind === "replace") {
          const content = fact("Replaces");
          classifies(content);
          const written = await writeFact(account, content, more);
          ofTenant.push(written.memory_id);
          const ended = written.auto_supersede.supersessions as { memory_id: string }[];
          endedByClassifier.unshift(...ended.map(({ memory_id: id }) => id));
          if (ended.length > 0) seen.add(kind);
        } else if (kind === "take back") {
          const ended = await takeBack(account, fact("Taken back"), more);
          endedByClassifier.unshift(...ended);
          if (ended.length > 0) seen.add(kind);
        } else if (one !== "") {
          const answer = await (kind === "restore"
            ? restore(account, endedByClassifier[x % endedByClassifier.length] ?? one)
            : supersede(
                account,
                one,
                kind === "end" ? { valid_to: daysAgo(y) } : { superseded_by: other },
              ));
          if (answer.status === 200) seen.add(kind);
        }
      }

      for (const action of history) {
        await act(action);
        clock.advance(MINUTE);
        moments.push(iso(clock.now()));
        clock.advance(MINUTE);
      }
      const read = async (caller: TestAccount) => {
        const answers: unknown[] = [];
        for (const [tenant_id, ofTenant] of ids) {
          for (const known_at of moments) {
            const { memories } = await list(caller, {
              tenant_id,
              known_at,
              include_superseded: "true",
            });
            answers.push(memories);
          }
          for (const id of ofTenant) answers.push((await timeline(caller, id)).timeline);
        }
        return answers;
      };
      await clock.hold(async () => {
        const before = await read(account);
        expect(await read(await moved(account))).toEqual(before);
      });
    }),
    { numRuns: RUNS },
  );
  expect(seen).toEqual(new Set(["supersede", "end", "replace", "restore", "take back"]));
});
