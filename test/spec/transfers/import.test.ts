/** What an import takes, skips and refuses (D42c). */
import { Readable } from "node:stream";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, onTestFinished, test } from "vitest";
import { MINUTE, SECOND } from "../../../src/domain/instant.ts";
import {
  HISTORY_BYTES_A_WRITE,
  MAX_IMPORT_LINE_BYTES,
  MAX_IMPORTED_HISTORY_BYTES,
  MAX_IMPORTED_HISTORY_VALUES,
  MAX_TRANSFERS,
} from "../../../src/domain/limits.ts";
import { revokeApiKey } from "../../../src/service/admin/api-keys.ts";
import type { TestAccount } from "../../support/service.ts";
import {
  ask,
  eventually,
  expectFailure,
  expectInvalid,
  expectOk,
  expectRetryAfter,
  idsOf,
  iso,
  list,
  listIds,
  memory,
  plan,
  remember,
  supersede,
} from "../calls.ts";
import { useSpec } from "../spec.ts";
import {
  eraseAll,
  exported,
  FORMAT,
  imported,
  importing,
  lineOf,
  textOf,
  unimported,
} from "./transfers.ts";

const spec = useSpec();

type Line = Record<string, unknown>;

let ids = 0;
/** Of a memory that was created then. */
const newId = (at: string) => uuidv7({ msecs: Date.parse(at), seq: ids++ });
const ACTOR = uuidv7();
const hourAgo = () => iso(spec.service.clock.now() - 60n * MINUTE);

/** Memories without chains. */
const lines = (count: number, more: Line = {}) =>
  Array.from({ length: count }, () => lineOf(newId(hourAgo()), hourAgo(), more));

/** A line of a memory that `by` replaced, when it was given the end `given`. */
function replaced(by: Line, start: string, given: string, more: Line = {}): Line {
  const old = lineOf(newId(start), start, { valid_to: given });
  const at = hourAgo();
  const detail = { superseded_by: by.id, valid_to: given, previous_valid_to: null };
  const superseded = { event: "superseded", at, actor: ACTOR, detail };
  const history = [...(old.history as unknown[]), superseded];
  return { ...old, superseded_by: by.id, superseded_at: at, history, ...more };
}

/** An answer that names a line, behind which nothing was stored. */
function expectRefused(
  answer: Awaited<ReturnType<typeof importing>>,
  number: number,
  field: string,
) {
  expectInvalid(answer, field);
  expect(answer.body.detail).toMatch(new RegExp(`^line ${number}: `));
}

describe("an import", () => {
  test("D42c: is found, asked and superseded like all else", async () => {
    const account = await spec.service.createAccount();
    const paris = lineOf(newId(hourAgo()), hourAgo(), { decision: "Ada lives in Paris" });
    expect(await imported(account, [paris])).toEqual({ imported: 1, skipped: 0 });
    expect((await ask(account, "Where does Ada live?")).citations).toMatchObject([
      { memory_id: paris.id },
    ]);
    const fresh = await remember(account, "Ada lives in Rome");
    expectOk(await supersede(account, String(paris.id), { superseded_by: fresh }));
    expect(await listIds(account)).toEqual([fresh]);
  });

  test("D42c: without a line end at the end, and of nothing but the format", async () => {
    const account = await spec.service.createAccount();
    expect(await imported(account, FORMAT)).toEqual({ imported: 0, skipped: 0 });
    const text = textOf([FORMAT, ...lines(2)]);
    expect(await imported(account, text.trimEnd())).toEqual({ imported: 2, skipped: 0 });
    expect(await imported(account, text.replaceAll("\n", "\r\n"))).toEqual({
      imported: 0,
      skipped: 2,
    });
  });

  test("D42c, D36: a key that is revoked meanwhile stores no more", async () => {
    const account = await spec.service.createAccount();
    const reader = await spec.service.createKey(account.companyId);
    const { importing: done, send } = slowly(account);
    send(textOf([FORMAT, ...lines(101)]));
    await eventually(async () => (await list(reader, { limit: "1000" })).count).toBe(100);
    await revokeApiKey(spec.service.context, spec.service.context.db, account.apiKeyId);
    spec.service.clock.advance(2n * SECOND);
    send(null);
    expect(await done).toMatchObject({ status: 401, body: { imported_count: 100 } });
    expect((await list(reader, { limit: "1000" })).count).toBe(100);
  });
});

/** An import whose text is sent bit by bit; null: that was all. */
function slowly({ key }: TestAccount) {
  const body = new Readable({ read() {} });
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const done = fetch(`${spec.service.url}/agent/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
    body,
    duplex: "half",
    signal: abort.signal,
  } as RequestInit).then(async (answer) => ({ status: answer.status, body: await answer.json() }));
  done.catch(() => {});
  return {
    importing: done,
    send: (text: string | null) => void body.push(text),
    leave: () => abort.abort(),
  };
}

describe("an import that broke off", () => {
  test("D42c resumed: is sent again from the start, and skips what is there", async () => {
    const account = await spec.service.createAccount();
    const all = lines(250);
    const first = slowly(account);
    first.send(textOf([FORMAT, ...all.slice(0, 201)]));
    await eventually(async () => (await list(account, { limit: "1000" })).count).toBe(200);
    first.leave();
    await expect(first.importing).rejects.toThrow();
    expect(await imported(account, all)).toEqual({ imported: 50, skipped: 200 });
    expect(await imported(account, all)).toEqual({ imported: 0, skipped: 250 });
    expect(unimported((await exported(spec, account)).text)).toBe(textOf([FORMAT, ...all]));
    expect((await plan(account)).writes_used).toBe(250);
  });

  test("D42c resumed: twice at the same time, each memory is stored once", async () => {
    const account = await spec.service.createAccount();
    const all = lines(150);
    const counts = await Promise.all([imported(account, all), imported(account, all)]);
    expect(counts.reduce((sum, { imported }) => sum + imported, 0)).toBe(150);
    expect(counts.every(({ imported, skipped }) => imported + skipped === 150)).toBe(true);
    expect((await list(account, { limit: "1000" })).count).toBe(150);
    expect((await plan(account)).writes_used).toBe(150);
  });

  test("D42c resumed: two different ones into a tenant, one of them is refused", async () => {
    const account = await spec.service.createAccount();
    const answers = await Promise.all([
      importing(account, lines(120)),
      importing(account, lines(120)),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ reason: "tenant_not_empty" });
    expect((await list(account, { limit: "1000" })).count).toBe(120);
  });

  test("D42c resumed: an ID that another memory has", async () => {
    const [account, other] = [
      await spec.service.createAccount(),
      await spec.service.createAccount(),
    ];
    const [mine, its, fresh] = lines(3) as [Line, Line, Line];
    await imported(account, [mine]);
    await imported(other, [its]);
    const changed = { ...mine, topic: "Other" };
    for (const [line, detail] of [
      [changed, "line 2: `id` is that of a memory with other content"],
      [{ ...mine, tenant_id: "t" }, "line 2: `id` is that of a memory with other content"],
      [its, "line 2: `id` is that of a memory of another account"],
    ] as const) {
      const answer = await importing(account, [line, fresh]);
      expectFailure(answer, 409, "memory_exists", "id");
      expect(answer.body.detail).toBe(detail);
    }
    const partial = await importing(account, [mine, fresh, its]);
    expect(partial).toMatchObject({
      status: 409,
      body: { reason: "memory_exists", imported_count: 1, skipped_count: 1 },
    });
    expect(partial.body.detail).toMatch(/^line 4: /);
  });

  test("D42c resumed: a tenant that holds something else", async () => {
    const account = await spec.service.createAccount();
    await remember(account, "Already here", { tenant_id: "full" });
    const ofFull = lines(2, { tenant_id: "full" });
    const answer = await importing(account, [...lines(2), ...ofFull]);
    expect(answer).toMatchObject({
      status: 409,
      body: { reason: "tenant_not_empty", imported_count: 2, skipped_count: 0 },
    });
    expect(answer.body.detail).toMatch(/^line 4: the tenant `full` /);
    expect((await list(account, { tenant_id: "full" })).count).toBe(1);
    // Nothing of it was left out before.
    const all = lines(3);
    await imported(account, [
      ...ofFull.slice(0, 0),
      ...all.map((line) => ({ ...line, tenant_id: "t" })),
    ]);
    const others = [...all.slice(1), ...lines(1)].map((line) => ({ ...line, tenant_id: "t" }));
    const again = await importing(account, others);
    expect(again.body).toMatchObject({ reason: "tenant_not_empty", skipped_count: 2 });
  });
});

describe("the quota", () => {
  test("D42c quota, D29: the first ones, and how many", async () => {
    const account = await spec.service.createAccount({ writesLimit: 130 });
    const all = lines(150);
    const answer = await importing(account, all);
    expect(answer).toMatchObject({
      status: 429,
      body: {
        reason: "write_quota_exceeded",
        status: "imported",
        company_id: account.companyId,
        imported_count: 130,
        skipped_count: 0,
      },
    });
    expect(answer.body.detail).toMatch(/^line 132: /);
    expectRetryAfter(answer);
    expect(await plan(account)).toMatchObject({ writes_used: 130, writes_remaining: 0 });
    expect(unimported((await exported(spec, account)).text)).toBe(
      textOf([FORMAT, ...all.slice(0, 130)]),
    );
    // What is there takes no quota.
    expect(await imported(account, all.slice(0, 130))).toEqual({ imported: 0, skipped: 130 });
    expect((await importing(account, all)).body).toMatchObject({
      reason: "write_quota_exceeded",
      imported_count: 0,
      skipped_count: 130,
    });
    await spec.service.updateAccount(account.companyId, { writesLimit: 1_000 });
    expect(await imported(account, all)).toEqual({ imported: 20, skipped: 130 });
  });
});

describe("a line that is refused", () => {
  const content = { mode: "content", original_message: "Fact" };

  test.each<[string, string, Line]>([
    [
      "D42c checks, D4: an id of another version",
      "id",
      { id: "0190a000-0000-4000-8000-000000000001" },
    ],
    [
      "D42c checks, D12d: a span that is longer than its text",
      "provenance.span",
      { provenance: { ...content, span: { start: 0, end: 9_000 } } },
    ],
    [
      "D42c checks, D12d: an empty span",
      "provenance.span",
      { provenance: { ...content, span: { start: 4, end: 4 } } },
    ],
  ])("%s", async (_, field, more) => {
    const account = await spec.service.createAccount();
    const at = hourAgo();
    const line = lineOf(newId(at), at, { decision: "Fact", ...more });
    const good = lineOf(newId(at), at);
    expectRefused(await importing(account, [line, good]), 2, field);
    const behind = await importing(account, [good, line]);
    expect(behind).toMatchObject({
      status: 422,
      body: { reason: "invalid_field", imported_count: 1, skipped_count: 0 },
    });
    expect(behind.body.detail).toMatch(/^line 3: /);
    expect(behind.body.detail).toContain(`\`${field}\``);
    expect(await listIds(account)).toEqual([good.id]);
  });

  test("D42c checks, D18, D20: a replacement that does not come before it", async () => {
    const account = await spec.service.createAccount();
    const head = lineOf(newId(hourAgo()), hourAgo());
    const start = "2024-01-01T00:00:00.000000Z";
    const old = replaced(head, start, String(head.valid_from));
    expectRefused(await importing(account, [old, head]), 2, "superseded_by");
    expectRefused(await importing(account, [old]), 2, "superseded_by");
    const elsewhere = { ...old, tenant_id: "other" };
    const partial = await importing(account, [head, elsewhere]);
    expect(partial.body.detail).toMatch(/^line 3: `superseded_by` /);
    expect(partial.body).toMatchObject({ imported_count: 1 });
    expect(await imported(account, [head, old])).toEqual({ imported: 1, skipped: 1 });
  });

  test("D42c checks, D18a: an end past the start of what follows its replacement", async () => {
    const account = await spec.service.createAccount();
    const at = (month: number) => `2024-0${month}-01T00:00:00.000000Z`;
    const head = lineOf(newId(at(2)), at(2));
    const second = replaced(head, at(4), at(2));
    const first = replaced(second, at(1), at(4));
    const answer = await importing(account, [head, second, first]);
    expect(answer.body.detail).toMatch(/^line 4: `valid_to` /);
    const [created, superseded] = first.history as [Line, Line];
    const detail = { from: at(4), to: at(2), by: head.id };
    const trimmed = { ...superseded, event: "trimmed", detail };
    const whole = { ...first, valid_to: at(2), history: [created, superseded, trimmed] };
    // Not before it either.
    const early = "2024-01-15T00:00:00.000000Z";
    const earlier = { ...trimmed, detail: { ...detail, to: early } };
    const short = { ...whole, valid_to: early, history: [created, superseded, earlier] };
    expect((await importing(account, [head, second, short])).body).toMatchObject({
      field: "valid_to",
    });
    expect(await imported(account, [head, second, whole])).toEqual({ imported: 1, skipped: 2 });
    // The same where its replacement came with an import before.
    await eraseAll(account);
    await imported(account, [head, second]);
    expect((await importing(account, [head, second, first])).status).toBe(422);
    expect(await imported(account, [head, second, whole])).toEqual({ imported: 1, skipped: 2 });
  });

  test("D42c checks: the format, which comes first and once", async () => {
    const account = await spec.service.createAccount();
    const [line] = lines(1);
    const refused = async (text: string, number: number, field: string) =>
      expectRefused(await importing(account, text), number, field);
    await refused("", 1, "format");
    await refused(textOf([line]), 1, "format");
    await refused(textOf([{ format: "other", version: 1 }]), 1, "format");
    await refused(textOf([{ format: "agent-memory", version: 2 }]), 1, "version");
    await refused(textOf([{ format: "agent-memory" }]), 1, "version");
    await refused(textOf([FORMAT, FORMAT]), 2, "format");
    await refused(textOf([FORMAT, {}]), 2, "id");
    await refused(textOf([FORMAT, { error: { detail: "It broke off." } }]), 2, "error");
  });

  test("D42c checks: events whose memory does not come next", async () => {
    const account = await spec.service.createAccount();
    const [one, other] = lines(2) as [Line, Line];
    const events = { memory_id: one.id, events: one.history };
    const rest = { ...one, history: [] };
    expectRefused(await importing(account, [events, other]), 3, "id");
    expectRefused(await importing(account, [events]), 3, "id");
    expectRefused(await importing(account, [events, { ...events, memory_id: other.id }]), 3, "id");
    expectRefused(await importing(account, [{ ...events, memory_id: null }]), 2, "memory_id");
    expect(await imported(account, [events, rest])).toEqual({ imported: 1, skipped: 0 });
    expect(await imported(account, [one])).toEqual({ imported: 0, skipped: 1 });
  });

  test.each(["{", "[]"])("D42c checks: a line that is %j", async (bad) => {
    const account = await spec.service.createAccount();
    const [line] = lines(1);
    const answer = await importing(account, textOf([FORMAT, line, bad, "x"]));
    expect(answer).toMatchObject({
      status: 400,
      body: { reason: "malformed_body", imported_count: 1 },
    });
    expect(answer.body.detail).toMatch(/^line 3: /);
  });

  test("D42c checks, D13: a message that cannot be read, which is no defect of the service", async () => {
    const { key } = await spec.service.createAccount();
    // A format of broken UTF-8.
    const unreadable = encodeEnvelope(0, Uint8Array.of(0x0a, 0x04, 0x0a, 0x02, 0xc3, 0x28));
    const response = await fetch(
      `${spec.service.url}/agentmemory.v1.MemoryService/ImportMemories`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/connect+proto" },
        body: unreadable,
      },
    );
    expect(await response.text()).toMatch(/"invalid_argument".*the message cannot be read/s);
    const told = spec.logged.filter((line) => line.includes("ImportMemories"));
    expect(told.filter((line) => line.includes("a call failed"))).toEqual([]);
  });
});

describe("how much an import may be", () => {
  test("D42c bounds: a line, to the byte, and the whole however long", async () => {
    const account = await spec.service.createAccount();
    const [line] = lines(1) as [Line];
    const [created] = line.history as [Line];
    const withDetail = (text: string) => ({
      ...line,
      history: [{ ...created, detail: { source: text } }],
    });
    const space = MAX_IMPORT_LINE_BYTES - JSON.stringify(withDetail("")).length;
    const many = lines(3, { topic: "y".repeat(200) });
    const whole = [withDetail("x".repeat(space)), ...many];
    const answer = await importing(account, [...whole, withDetail("x".repeat(space + 1))]);
    expect(answer).toMatchObject({
      status: 413,
      body: { reason: "body_too_large", imported_count: 4 },
    });
    expect(answer.body.detail).toMatch(/^line 6: /);
    expect(Buffer.byteLength(textOf(whole))).toBeGreaterThan(MAX_IMPORT_LINE_BYTES);
    expect(await imported(account, whole)).toEqual({ imported: 0, skipped: 4 });
  });

  test.each<[string, number, () => Line]>([
    [
      "D42c bounds: the history of one memory",
      Math.ceil(MAX_IMPORTED_HISTORY_BYTES / 1_000_000),
      () => ({ text: "x".repeat(1_000_000) }),
    ],
    [
      "D42c bounds: the values in the history of one memory",
      Math.ceil(MAX_IMPORTED_HISTORY_VALUES / 20_000),
      () => ({ list: Array.from({ length: 20_000 }, () => ({})) }),
    ],
  ])("%s", async (_, count, detail) => {
    const account = await spec.service.createAccount();
    const [line] = lines(1) as [Line];
    const [created] = line.history as [Line];
    const events = { memory_id: line.id, events: [{ ...created, detail: detail() }] };
    const answer = await importing(account, Array(count).fill(events));
    expectRefused(answer, count + 1, "events");
  });

  test("D42c bounds, D37 outstanding: so many at once, and exports with them", async () => {
    const [account, other] = [
      await spec.service.createAccount(),
      await spec.service.createAccount(),
    ];
    const running = Array.from({ length: MAX_TRANSFERS }, (_, index) => {
      const { send, importing } = slowly(account);
      const tenant_id = `t${index}`;
      send(textOf([FORMAT, ...lines(101, { tenant_id })]));
      return { send, importing, tenant_id };
    });
    for (const { tenant_id } of running) {
      await eventually(async () => (await list(account, { tenant_id, limit: "1000" })).count).toBe(
        100,
      );
    }
    expectFailure(await importing(account, []), 429, "too_many_in_flight");
    expectFailure(await account.rest("GET", "/agent/export"), 429, "too_many_in_flight");
    await imported(other, []);
    for (const { send, importing } of running) {
      send(null);
      expect((await importing).status).toBe(200);
    }
    await imported(account, []);
  });

  test("D42a: each import costs a write, and one more for each 32 KiB of its history", async () => {
    const account = await spec.service.createAccount({ writesLimit: 8 });
    const detail = { source: "x".repeat(HISTORY_BYTES_A_WRITE) };
    const event = { event: "created", at: hourAgo(), actor: ACTOR, detail };
    const long = lines(2).map(
      (line): Line => ({
        ...line,
        history: [{ ...event, at: line.created_at }],
      }),
    );
    expect(await imported(account, [...long, ...lines(1)])).toEqual({ imported: 3, skipped: 0 });
    expect((await plan(account)).writes_used).toBe(5);
    const more = long.map((line) => ({
      ...line,
      tenant_id: "t",
      id: newId(String(line.created_at)),
    }));
    const answer = await importing(account, more);
    expect(answer).toMatchObject({ status: 429, body: { imported_count: 1 } });
    expect((await plan(account)).writes_used).toBe(7);
  });

  test("D42a: it says who imported it and when, once for each import, and knows nothing sooner", async () => {
    const account = await spec.service.createAccount();
    const created = hourAgo();
    const line = lineOf(newId(created), created, { decision: "Ada lives in Paris" });
    await imported(account, [line]);
    expect(await memory(account, String(line.id))).toMatchObject({ created_at: created });
    const says = async ({ rest, apiKeyId }: TestAccount, times: number) => {
      const { history } = (await rest("GET", `/memories/${line.id}/audit`)).body;
      expect(history).toHaveLength(1 + times);
      const last = { event: "imported", actor: apiKeyId, detail: {} };
      expect(history.at(-1)).toMatchObject(last);
      const ago = spec.service.clock.now() - BigInt(Date.parse(history.at(-1).at)) * 1_000n;
      expect(ago).toBeLessThan(MINUTE);
    };
    await says(account, 1);
    // Moved on, it has both; and what is there is known by either.
    const { text } = await exported(spec, account);
    await eraseAll(account);
    const to = await spec.service.createAccount();
    expect(await imported(to, text)).toEqual({ imported: 1, skipped: 0 });
    await says(to, 2);
    expect(await imported(to, [line])).toEqual({ imported: 0, skipped: 1 });
    await eraseAll(to);
    expect(await imported(account, [line])).toEqual({ imported: 1, skipped: 0 });
    const before = iso(spec.service.clock.now() - 61n * MINUTE);
    expect(idsOf((await list(account, { known_at: before })).memories)).toEqual([]);
    expect(await listIds(account, { known_at: iso(spec.service.clock.now() - MINUTE) })).toEqual([
      line.id,
    ]);
  });
});
