import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MINUTE } from "../../src/domain/instant.ts";
import type { TestAccount } from "../support/service.ts";
import { scriptedFacts } from "./4.1/scripted-facts.ts";
import {
  audit,
  expectFailure,
  expectInvalid,
  expectOk,
  iso,
  list,
  listIds,
  remember,
  supersede,
  timeline,
  unique,
  write,
} from "./calls.ts";
import { useSpec } from "./spec.ts";
import { tablesWithText, tablesWithTexts } from "./stored-text.ts";
import { exported, imported } from "./transfers/transfers.ts";

const spec = useSpec();
const { fact, classifies } = scriptedFacts(spec);
const tenant_id = "acme";

async function erase(account: TestAccount, scope: Record<string, string>): Promise<number> {
  const query = { tenant_id, ...scope };
  const answer = await account.rest("DELETE", "/agent/memories", { query });
  expectOk(answer);
  expect(answer.body.tenant_id).toBe(query.tenant_id);
  return answer.body.deleted_count;
}

const everything = (account: TestAccount) =>
  listIds(account, { tenant_id, include_superseded: "true" });

const LABELS = {
  tenant_id,
  session_id: "chat-1",
  source: "crm",
  topic: "Home",
  metadata: { project: "apollo", stage: "2" },
};

test.each([
  ["session_id", "chat-1", { session_id: "chat-2" }],
  ["source", "crm", { source: "agent" }],
  ["topic", "Home", { topic: "Work" }],
  ["metadata[project]", "apollo", { metadata: { stage: "2" } }],
])(
  "D43: %s narrows what is erased of a tenant, alone and with others",
  async (field, value, more) => {
    const account = await spec.service.createAccount();
    const [scoped, , other, ofOther] = [
      await remember(account, "Ada lives in Paris", LABELS),
      await remember(account, "Ada lives in Paris", LABELS),
      await remember(account, "Ada lives in Paris", { ...LABELS, ...more }),
      await remember(account, "Ada lives in Paris", { ...LABELS, tenant_id: "other" }),
    ];
    expect(await erase(account, { [field]: value, created_before: "2020-01-01T00:00:00Z" })).toBe(
      0,
    );
    expect(await everything(account)).toContain(scoped);
    expect(await erase(account, { [field]: value, "metadata[stage]": "2" })).toBe(2);
    expect(await everything(account)).toEqual([other]);
    expect(await listIds(account, { tenant_id: "other" })).toEqual([ofOther]);
  },
);

test("D43: created_before takes what was learned before it, and nothing of that moment", async () => {
  const account = await spec.service.createAccount();
  const old = await remember(account, "Ada lives in Paris", { tenant_id });
  spec.service.clock.advance(MINUTE);
  const kept = await remember(account, "Ada lives in Rome", { tenant_id });
  const { created_at: created_before } = (await list(account, { tenant_id })).memories[0];
  expect(await erase(account, { created_before })).toBe(1);
  expect(await everything(account)).toEqual([kept]);
  expect(kept).not.toBe(old);
});

test.each([
  ["session_id", "chat-1"],
  ["source", "agent"],
  ["topic", "Home"],
  ["created_before", "2030-01-01T00:00:00Z"],
  ["metadata[project]", "apollo"],
])("D43: %s without a tenant is refused, and erases nothing", async (field, value) => {
  const account = await spec.service.createAccount();
  const id = await remember(account, "Ada lives in Paris", { session_id: "chat-1" });
  const answer = await account.rest("DELETE", "/agent/memories", { query: { [field]: value } });
  expectInvalid(answer, field.replace(/\[.*/, ""));
  expect(await listIds(account)).toEqual([id]);
});

describe("D43, D32 neighbour_erased: a chain closes over what is erased of it", () => {
  /** A chain of so many versions; `erased` are the places of those that are of the session. */
  async function chain(length: number, erased: readonly number[]) {
    const account = await spec.service.createAccount();
    const ids: string[] = [];
    for (let place = 0; place < length; place++) {
      const session_id = erased.includes(place) ? "erased" : "kept";
      ids.push(await remember(account, unique("Version"), { tenant_id, session_id }));
      spec.service.clock.advance(MINUTE);
    }
    for (const [place, id] of ids.slice(0, -1).entries()) {
      expectOk(await supersede(account, id, { superseded_by: ids[place + 1] }));
    }
    const told = iso(spec.service.clock.now());
    spec.service.clock.advance(MINUTE);
    expect(await erase(account, { session_id: "erased" })).toBe(erased.length);
    const kept = ids.filter((_, place) => !erased.includes(place));
    return { account, ids, kept, told };
  }

  test.each([
    [5, [1, 2]],
    [5, [0, 2, 4]],
    [3, [1, 2]],
  ])("of %i versions those at %j", async (length, erased) => {
    const { account, ids, kept, told } = await chain(length, erased);
    const { timeline: versions } = await timeline(account, kept[0] ?? "");
    expect(versions.map(({ id }: { id: string }) => id)).toEqual(kept);
    for (const [place, version] of versions.entries()) {
      expect(version.superseded_by).toBe(kept[place + 1] ?? null);
      const isHead = version.id === ids.at(-1);
      expect(version.temporal.is_current).toBe(isHead);
      const { history } = await audit(account, version.id);
      const beside = history.filter((each: { event: string }) => each.event === "neighbour_erased");
      const at = ids.indexOf(version.id);
      const isBeside = erased.includes(at - 1) || erased.includes(at + 1);
      expect(beside.length > 0).toBe(isBeside);
      for (const { actor, detail } of beside) {
        expect(actor).toBe(account.apiKeyId);
        expect(detail.superseded_by).toBe(version.superseded_by);
        for (const id of detail.erased) expect(erased.map((each) => ids[each])).toContain(id);
      }
    }
    // What was known before is what is kept, with the ends that it had.
    const then = await list(account, { tenant_id, known_at: told, include_superseded: "true" });
    expect(then.memories.map(({ id }: { id: string }) => id).toReversed()).toEqual(kept);
    const endOf = ({ id, valid_to, superseded_by }: Record<string, unknown>) => {
      return { id, valid_to, superseded_by };
    };
    expect(then.memories.map(endOf).toReversed()).toEqual(versions.map(endOf));
  });

  test("of a moment when what now follows was not known, nothing follows", async () => {
    const account = await spec.service.createAccount();
    const first = await remember(account, "Ada lives in Paris", { tenant_id });
    const erased = await remember(account, "Ada lives in Rome", { tenant_id, session_id: "chat" });
    expectOk(await supersede(account, first, { superseded_by: erased }));
    const told = iso(spec.service.clock.now());
    spec.service.clock.advance(MINUTE);
    const last = await remember(account, "Ada lives in Oslo", { tenant_id });
    expectOk(await supersede(account, erased, { superseded_by: last }));
    spec.service.clock.advance(MINUTE);
    expect(await erase(account, { session_id: "chat" })).toBe(1);
    for (const [known_at, superseded_by] of [
      [told, null],
      [iso(spec.service.clock.now()), last],
    ] as const) {
      const { memories } = await list(account, { tenant_id, known_at, include_superseded: "true" });
      expect(memories.at(-1)).toMatchObject({ id: first, superseded_by });
    }
  });
});

test("D43, D33 erased: no byte of what is erased is left, and nothing else is lost", async () => {
  const account = await spec.service.createAccount();
  const secret = unique("Swordfish");
  const keyed = (body: object, key: string) =>
    write(account, { tenant_id, auto_supersede: true, ...body }, { "idempotency-key": key });
  const reason = `It is about ${secret}`;

  const replaced = await remember(account, fact("An older word", 0, 1), { tenant_id });
  const decision = fact(`The word is ${secret}`, 0, 1);
  const sibling = fact("The user lives in Paris", 0, 0, 1);
  const opening = `My word is ${secret}, and I live in Paris.`;
  spec.script.extractions.set(opening, () => [
    { decision, topic: "Secret" },
    { decision: sibling, topic: "Home" },
  ]);
  spec.script.rejections.set(opening, [
    { fact: secret, isRetraction: false, messageIndex: 0, reason: "subject" },
  ]);
  classifies(decision, { supersededIndex: 0, reason });
  const conversation = { messages: [{ role: "user", content: opening }] };
  const said = await keyed(conversation, "said");
  expectOk(said);
  const [erased, beside] = said.body.memory_ids;

  const compared = { content: fact("Another word", 0, 1) };
  classifies(compared.content, { supersededIndex: null, reason });
  const other = await keyed(compared, "compared");
  expectOk(other);
  const replacing = { content: fact("A newer word", 0, 1) };
  classifies(replacing.content, { supersededIndex: [0, 1], reason });
  const newer = await keyed(replacing, "replacing");
  expect(newer.body.auto_supersede.supersession.reason).toBe(reason);
  const apart = { messages: [{ role: "user", content: "I work in Lima." }] };
  const unrelated = await keyed(apart, "apart");
  expect(await tablesWithText(spec.service, secret)).toEqual([
    "audit_events",
    "idempotency_keys",
    "memories",
    "rejected_facts",
  ]);
  const told = iso(spec.service.clock.now());
  spec.service.clock.advance(MINUTE);

  const logged = spec.logged.length;
  expect(await erase(account, { topic: "Secret" })).toBe(1);
  expect(await tablesWithText(spec.service, secret)).toEqual([]);
  expect(spec.logged.slice(logged).join()).not.toContain(secret);
  expect((await exported(spec, account, { tenant_id })).text).not.toContain(secret);
  const then = { tenant_id, known_at: told, include_superseded: "true" };
  expect(JSON.stringify(await list(account, then))).not.toContain(secret);

  expect((await audit(account, beside)).provenance.original_message).toBe(sibling);
  for (const id of [replaced, beside, newer.body.memory_id]) {
    const { history } = await audit(account, id);
    expect(history.at(-1)).toMatchObject({
      event: "neighbour_erased",
      detail: { erased: [erased] },
    });
  }
  for (const [body, key] of [
    [conversation, "said"],
    [replacing, "replacing"],
  ] as const) {
    expectFailure(await keyed(body, key), 409, "idempotency_key_erased", "Idempotency-Key");
  }
  expect((await keyed(compared, "compared")).body).toEqual(other.body);
  expect((await keyed(apart, "apart")).body).toEqual(unrelated.body);
});

/** 1,000 for all. */
const RACES = Number(process.env.ERASURE_RACES ?? 2);
const scope = { tenant_id: "acme", session_id: "erased" };

/** A fact of which the classifier says that it ends others, in words that quote them all. */
function quoting(text: string): string {
  const content = fact(text);
  spec.script.classifications.set(content, ({ candidates }) => ({
    supersededIndex: Math.random() < 0.7 && candidates.length > 0 ? 0 : null,
    reason: [content, ...candidates.map(({ decision }) => decision)].join(" or "),
  }));
  return content;
}

/** Returns the texts of it, all of which are erased in the end. */
async function race(): Promise<string[]> {
  const account = await spec.service.createAccount();
  const texts: string[] = [];
  const said = (text: string) => {
    const content = quoting(text);
    texts.push(content);
    return content;
  };
  const keyed = async (session_id: string) => {
    const opening = unique("Hello");
    const facts = [said("First"), said("Second")];
    spec.script.extractions.set(opening, () => facts.map((decision) => ({ decision })));
    const body = {
      messages: [{ role: "user", content: opening }],
      ...{ ...scope, session_id, auto_supersede: true },
    };
    const headers = { "idempotency-key": opening.replaceAll(" ", "-") };
    await write(account, body, headers);
    await write(account, body, headers);
  };
  const old = await remember(account, said("Old"), scope);
  const kept = await remember(account, said("Kept"), { ...scope, session_id: "kept" });
  const erase = () => account.rest("DELETE", "/agent/memories", { query: scope });
  const after = async (work: () => Promise<unknown>) => {
    await sleep(Math.random() * 15);
    return work();
  };
  await Promise.all([
    after(() => keyed("erased")),
    after(() => keyed("kept")),
    after(() => write(account, { content: said("New"), ...scope, auto_supersede: true })),
    after(() => supersede(account, old, { superseded_by: kept })),
    after(erase),
    after(erase),
  ]);
  for (const [text, tables] of await tablesWithTexts(spec.service, texts)) {
    expect(tables, text).toContain("memories");
  }
  // Nothing is written any more: all of the scope goes, and what is left is a sound export.
  expectOk(await erase());
  expect([...(await tablesWithTexts(spec.service, texts)).keys()]).not.toContain(texts[0]);
  const { text: rest, memories } = await exported(spec, account, { tenant_id: "acme" });
  expectOk(await account.rest("DELETE", "/agent/memories"));
  expect((await imported(account, rest)).imported).toBe(memories.length);
  expectOk(await account.rest("DELETE", "/agent/memories"));
  return texts;
}

test("D43, D33 erased: no race leaves text of what was erased, or half of a write", async () => {
  const raced: string[][] = [];
  for (let done = 0; done < RACES; done++) raced.push(await race());
  // A statement looks for the texts of a few.
  for (let first = 0; first < RACES; first += 10) {
    const texts = raced.slice(first, first + 10).flat();
    expect(await tablesWithTexts(spec.service, texts)).toEqual(new Map());
  }
}, 7_200_000);
