/** The two modes: the facts of a conversation, and one string, stored as given. */
import { expect, test } from "vitest";
import {
  ask,
  audit,
  expectOk,
  idsOf,
  list,
  listIds,
  memoryOf,
  NOT_RUN,
  plan,
  remember,
  says,
  UUID_V7,
  unique,
  write,
} from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

test("D5, 4.1 request messages, 4.1 messages response status, 4.1 messages response company_id, 4.1 messages response tenant_id, 4.1 messages response extracted_count, 4.1 messages response saved_count, 4.1 messages response memory_ids, 4.1 messages response extraction, 4.1 messages response auto_supersede: messages mode answers exactly the fields of its table, and `extracted` and `rejected`", async () => {
  const caller = await spec.service.createAccount();
  const opening = unique("Fields of messages mode");
  spec.script.extractions.set(opening, () => [{ decision: "One" }, { decision: "Two" }]);
  const answer = await write(caller, { messages: [says(opening)], tenant_id: "acme" });
  expect(answer.status).toBe(200);
  const [first, second] = answer.body.memory_ids;
  expect(answer.body).toEqual({
    status: "extracted",
    company_id: caller.companyId,
    tenant_id: "acme",
    extracted_count: 2,
    saved_count: 2,
    memory_ids: [first, second],
    extracted: ["One", "Two"],
    extraction: { provider: "local", model: expect.any(String), byo_llm: false },
    auto_supersede: [
      { memory_id: first, ...NOT_RUN },
      { memory_id: second, ...NOT_RUN },
    ],
    rejected: [],
    retractions: [],
    usage: null,
  });
});

test("D27a: what was not believed is told, with its message and the reason, and to a repeat too", async () => {
  const account = await spec.service.createAccount();
  const opening = unique("Some of it is not so");
  spec.script.extractions.set(opening, () => [{ decision: "One" }]);
  spec.script.rejections.set(opening, [
    { fact: "Somebody else's words", isRetraction: false, messageIndex: 1, reason: "quote" },
    { fact: null, isRetraction: false, messageIndex: null, reason: "unreadable" },
  ]);
  const send = () =>
    write(account, { messages: [says(opening), says("More")] }, { "idempotency-key": "one" });
  const first = await send();
  expect(first.body).toMatchObject({
    extracted: ["One"],
    saved_count: 1,
    rejected: [
      { fact: "Somebody else's words", message_index: 1, reason: "quote" },
      { fact: null, message_index: null, reason: "unreadable" },
    ],
  });
  expect((await send()).body).toEqual(first.body);
});

test("4.1 rule 1, 1.3: every ID of `memory_ids` can be queried at once", async () => {
  const caller = await spec.service.createAccount();
  const { body } = await write(caller, {
    messages: [says("My name is Ada. I live in Paris and I work at Acme as a pilot.")],
  });
  expect(body.memory_ids.length).toBeGreaterThan(0);
  expect((await listIds(caller)).toSorted()).toEqual(body.memory_ids.toSorted());
  const { memories } = await ask(caller, "Where does Ada live?");
  expect(idsOf(memories).toSorted()).toEqual(body.memory_ids.toSorted());
  for (const id of body.memory_ids) expect(await memoryOf(caller, id)).toMatchObject({ id });
});

test("4.1 rule 2: casual content is skipped, and zero facts are a success", async () => {
  const caller = await spec.service.createAccount();
  const { status, body } = await write(caller, {
    messages: [says("Hi there!"), { role: "assistant", content: "Hello! How are you?" }],
  });
  const nothing = { extracted_count: 0, saved_count: 0, memory_ids: [], extracted: [] };
  const told = { auto_supersede: [], rejected: [], retractions: [] };
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { status: "extracted", ...nothing, ...told },
  });
  expect((await plan(caller)).writes_used).toBe(0);
});

test.each(["user", "assistant", "system", "tool"])(
  "D6: the role `%s` is accepted",
  async (role) => {
    const caller = await spec.service.createAccount();
    expectOk(await write(caller, { messages: [{ role, content: "Good morning" }] }));
  },
);

test("D5, 4.1 content response status, 4.1 content response memory_id, 4.1 content response company_id, 4.1 content response tenant_id, 4.1 content response auto_supersede: content mode answers exactly the fields of its table", async () => {
  const caller = await spec.service.createAccount();
  const answer = await write(caller, { content: "Ada lives in Paris", tenant_id: "acme" });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: "saved",
    memory_id: expect.stringMatching(UUID_V7),
    company_id: caller.companyId,
    tenant_id: "acme",
    auto_supersede: NOT_RUN,
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
  "  two leading blanks, and a line break\nbehind which there is\ttext \n",
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
