/** Content mode: one string, stored as given. */
import { beforeAll, expect, test } from "vitest";
import type { RestAnswer } from "../../support/rest-client.ts";
import {
  audit,
  list,
  listIds,
  memoryOf,
  NOT_RUN,
  pluck,
  remember,
  says,
  UUID_V7,
  unique,
  write,
} from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

let answer: RestAnswer;
let companyId: string;
beforeAll(async () => {
  const caller = await spec.service.createAccount();
  companyId = caller.companyId;
  answer = await write(caller, { content: "Ada lives in Paris", tenant_id: "acme" });
});

test("D5: content mode answers exactly the fields of its table", () => {
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "saved",
    memory_id: expect.any(String),
    company_id: companyId,
    tenant_id: "acme",
    auto_supersede: NOT_RUN,
    usage: null,
  });
});

test.each([
  ["4.1 content response status: `saved`", "status", () => "saved"],
  ["4.1 content response memory_id: one UUID", "memory_id", () => expect.stringMatching(UUID_V7)],
  ["4.1 content response company_id: the owner", "company_id", () => companyId],
  ["4.1 content response tenant_id: the tenant that was written to", "tenant_id", () => "acme"],
  ["4.1 content response auto_supersede: one object", "auto_supersede", () => NOT_RUN],
])("%s", (_, field, expected) => {
  expect(answer.body[field]).toEqual(expected());
});

test("4.1 content response tenant_id: null for the default tenant", async () => {
  const caller = await spec.service.createAccount();
  const { body } = await write(caller, { content: "Ada lives in Paris" });
  expect(body).toHaveProperty("tenant_id", null);
});

test("1.2, 4.1 request content: exactly one memory, without extraction", async () => {
  const caller = await spec.service.createAccount();
  const content = "I live in Paris. I work at Acme. Hello there!";
  const id = await remember(caller, content);
  expect((await list(caller)).memories).toEqual([
    expect.objectContaining({ id, decision: content, summary: content }),
  ]);
  expect((await audit(caller, id)).extraction).toBeNull();
});

test("4.1 request messages: a conversation's facts are each a memory", async () => {
  const caller = await spec.service.createAccount();
  const opening = unique("Two facts");
  spec.script.extractions.set(opening, () => [{ decision: "One" }, { decision: "Two" }]);
  const { body } = await write(caller, {
    messages: [says(opening), { role: "assistant", content: "Noted" }],
  });
  const { memories } = await list(caller);
  expect(pluck("decision", memories)).toEqual(["Two", "One"]);
  expect(body.memory_ids).toEqual((await listIds(caller)).toReversed());
});

test.each([
  "Ada lives in Paris",
  "  two leading blanks, and a line break\nbehind which there is\ttext \n",
  "Grüße aus Köln 🦊 — 東京",
  'quotes " and \\ and {"json": [1]}',
  "'; drop table memories; --",
  "\u00a0not only blank\u3000",
])("D10: content %j is kept exactly, white space included", async (content) => {
  const caller = await spec.service.createAccount();
  const memory = await memoryOf(caller, await remember(caller, content));
  expect(memory).toMatchObject({
    summary: content,
    decision: content,
    source_citation: { original_message: content },
  });
});
