/** Content mode: one string, stored as given. */
import { beforeAll, expect, test } from "vitest";
import type { RestAnswer } from "../../support/rest-client.ts";
import { audit, list, memoryOf, NOT_RUN, remember, UUID_V7, write } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

let answer: RestAnswer;
let companyId: string;
beforeAll(async () => {
  const caller = await spec.service.createAccount();
  companyId = caller.companyId;
  answer = await write(caller, { content: "Ada lives in Paris", tenant_id: "acme" });
});

test("D5, 4.1 content response status, 4.1 content response memory_id, 4.1 content response company_id, 4.1 content response tenant_id, 4.1 content response auto_supersede: content mode answers exactly the fields of its table", () => {
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "saved",
    memory_id: expect.stringMatching(UUID_V7),
    company_id: companyId,
    tenant_id: "acme",
    auto_supersede: NOT_RUN,
    usage: null,
  });
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
