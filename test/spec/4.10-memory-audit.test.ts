import { sql } from "kysely";
import { expect, test } from "vitest";
import { MAX_AUDIT_PAGE_EVENTS } from "../../src/domain/limits.ts";
import {
  audit,
  expectInvalid,
  expectOk,
  iso,
  memoryOf,
  pluck,
  remember,
  rememberMany,
  supersede,
  TIMESTAMP,
  unique,
  write,
} from "./calls.ts";
import { useSpec } from "./spec.ts";

const spec = useSpec();

test("1.1, 4.10 response, D32, D2: of content mode, exactly these fields", async () => {
  const account = await spec.service.createAccount();
  const id = await remember(account, " Ada \n", { source: "crm" });
  const { created_at } = await memoryOf(account, id);
  expect(await audit(account, id)).toEqual({
    memory_id: id,
    company_id: account.companyId,
    tenant_id: null,
    provenance: {
      mode: "content",
      type: "crm",
      channel: "crm",
      captured_at: created_at,
      session_id: null,
      original_message: " Ada \n",
      message_index: null,
    },
    extraction: null,
    embedding: { provider: "local", model: expect.any(String), dimensions: 768 },
    history: [
      { event: "created", at: created_at, actor: account.apiKeyId, detail: expect.any(Object) },
    ],
    next_page_token: null,
  });
});

test("4.10 response, D32, D11, 4.1 request session_id: of messages mode, with the message and the extraction", async () => {
  const account = await spec.service.createAccount();
  const opening = unique("Hello");
  spec.script.extractions.set(opening, () => [
    { decision: "Ada works at Acme", messageIndex: 0 },
    { decision: "Ada lives in Paris", messageIndex: 1 },
  ]);
  const { body } = await write(account, {
    messages: [
      { role: "user", content: opening },
      { role: "user", content: "I live in Paris" },
    ],
    tenant_id: "acme",
    session_id: "session-1",
  });
  const [first, second] = body.memory_ids;
  expect(await audit(account, second)).toEqual({
    memory_id: second,
    company_id: account.companyId,
    tenant_id: "acme",
    provenance: {
      mode: "messages",
      type: "agent_session",
      channel: "agent_session",
      captured_at: expect.stringMatching(TIMESTAMP),
      session_id: "session-1",
      original_message: "I live in Paris",
      message_index: 1,
    },
    extraction: body.extraction,
    embedding: { provider: "local", model: expect.any(String), dimensions: 768 },
    history: [expect.objectContaining({ event: "created", actor: account.apiKeyId })],
    next_page_token: null,
  });
  expect((await audit(account, first)).provenance).toMatchObject({
    original_message: opening,
    message_index: 0,
  });
});

test("D32, 6 event kinds: history is in order and only grows", async () => {
  const account = await spec.service.createAccount();
  const old = await remember(account, unique("Ada lives in Rome"));
  const fact = unique("Ada lives in Paris");
  spec.script.classifications.set(fact, () => ({ supersededIndex: 0 }));
  const fresh = await remember(account, fact, { auto_supersede: true });
  const before = await audit(account, fresh);
  expect(pluck("event", before.history)).toEqual(["created", "classified"]);
  expect(pluck("actor", before.history)).toEqual([account.apiKeyId, "classifier"]);
  expect((await audit(account, old)).history).toMatchObject([
    { event: "created", actor: account.apiKeyId },
    { event: "superseded", actor: "classifier", detail: { superseded_by: fresh } },
  ]);

  const newest = await remember(account, "Ada lives in Oslo");
  expectOk(await supersede(account, fresh, { superseded_by: newest }));
  const after = await audit(account, fresh);
  expect(after.history.slice(0, 2)).toEqual(before.history);
  expect(pluck("event", after.history)).toEqual(["created", "classified", "superseded"]);
  const times = pluck("at", after.history);
  expect(times.toSorted()).toEqual(times);
  expect(after.provenance).toEqual(before.provenance);
  for (const { detail } of after.history) expect(detail).toBeTypeOf("object");
});

test("D32: the actor is the ID of the key that acted, never the key", async () => {
  const account = await spec.service.createAccount();
  const other = await spec.service.createKey(account.companyId);
  const [id = ""] = await rememberMany(account, 1);
  expectOk(await supersede(other, id, { valid_to: iso(spec.service.clock.now()) }));
  const record = await audit(account, id);
  expect(pluck("actor", record.history)).toEqual([account.apiKeyId, other.apiKeyId]);
  expect(JSON.stringify(record)).not.toContain("svc_");
});

test("D37 audit: a page ends where the details of its events would pass 4 MiB", async () => {
  const account = await spec.service.createAccount();
  const [id = ""] = await rememberMany(account, 1);
  await sql`
    insert into audit_events (company_id, memory_id, sequence, event, at, actor, detail)
    select company_id, memory_id, number, 'restored', at, actor,
      jsonb_build_object('text', repeat('x', 1024 * 1024))
    from audit_events, generate_series(2, 7) as number
    where company_id = ${account.companyId} and memory_id = ${id}`.execute(spec.service.context.db);
  const pages = [await audit(account, id)];
  for (let page = pages[0]; page?.next_page_token; pages.push(page)) {
    page = await audit(account, id, { page_token: page.next_page_token });
  }
  expect(pages.map(({ history }) => history.length)).toEqual([4, 3]);
});

test("D37 audit: a page has at most 1,000 events, and its token is good for its memory alone", async () => {
  const account = await spec.service.createAccount();
  const [id = "", other = ""] = await rememberMany(account, 2);
  await sql`
    insert into audit_events (company_id, memory_id, sequence, event, at, actor, detail)
    select company_id, memory_id, number, 'restored', at, actor, jsonb_build_object('number', number)
    from audit_events, generate_series(2, ${MAX_AUDIT_PAGE_EVENTS + 1}::int) as number
    where company_id = ${account.companyId} and memory_id = ${id}`.execute(spec.service.context.db);
  const first = await audit(account, id);
  expect(first.history).toHaveLength(MAX_AUDIT_PAGE_EVENTS);
  expect(first.history[0].event).toBe("created");
  const page = { page_token: first.next_page_token };
  const second = await audit(account, id, page);
  expect(second.history).toMatchObject([{ detail: { number: MAX_AUDIT_PAGE_EVENTS + 1 } }]);
  expect(second.next_page_token).toBeNull();
  for (const [of, page_token] of [
    [other, first.next_page_token],
    [id, "x"],
    [id, Buffer.from('["0","x"]').toString("base64url")],
  ]) {
    const answer = await account.rest("GET", `/memories/${of}/audit`, { query: { page_token } });
    expectInvalid(answer, "page_token");
  }
});
