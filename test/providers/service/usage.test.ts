/** What a response says of the calls of models that it took. */
import { expect, test } from "vitest";
import { CallService } from "../../../gen/agentmemory/dashboard/v1/call_service_pb.ts";
import { accountClient } from "../../support/dashboard-client.ts";
import { forThisFile } from "../../support/for-this-file.ts";
import { embedExamples } from "../../support/models.ts";
import { startTestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor, talkativeModel } from "./vendors.ts";

const model = await forThisFile(startFakeVendor("openai"));
model.chat = talkativeModel;
const service = await forThisFile(
  startTestService({ config: { models: choiceOf("openai", model) } }),
);
await embedExamples(service);
const account = await service.createAccount();

async function usageOf(path: string, body: object): Promise<object> {
  const answer = await account.rest("POST", path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.usage;
}

/** As the fake counts: 110 and 25 tokens for each chat, 8 for each vector. */
function chats(count: number, vectors: number): object {
  const calls = count + Math.min(1, vectors);
  return { calls, input_tokens: 110 * count + 8 * vectors, output_tokens: 25 * count };
}

test("D27a usage: a response has the tokens of its request's calls", async () => {
  const memories = "/agent/memories";
  for (const content of ["Alice lives in Oslo", "Alice lives in Bergen"]) {
    // D5: exactly the fields of content mode.
    expect(await usageOf(memories, { content, auto_supersede: true })).toBeUndefined();
  }
  const said = { messages: [{ role: "user", content: "Alice lives in Oslo again." }] };
  expect(await usageOf(memories, { ...said, auto_supersede: true })).toEqual(chats(2, 1));
  const many = { memories: [{ content: "Bob has a dog" }, { content: "Bob has a cat" }] };
  expect(await usageOf(`${memories}:batch`, many)).toEqual(chats(0, 2));
  expect(await usageOf("/agent/search", { question: "Where?" })).toEqual(chats(0, 1));
  expect(await usageOf("/agent/query", { question: "Who is it?" })).toEqual(chats(1, 1));
});

test("D27a usage: the last event of a stream has it", async () => {
  const answer = await fetch(new URL("/agent/query", service.url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      accept: "text/event-stream",
    },
    body: JSON.stringify({ question: "Where is Alice?" }),
  });
  const [last = ""] = (await answer.text()).trimEnd().split("\n").slice(-1);
  expect(JSON.parse(last.replace(/^data: /, "")).usage).toEqual(chats(1, 1));
});

test("D27a usage: the account's log has it by call, and no other account's", async () => {
  const other = await service.createAccount();
  await other.rest("POST", "/agent/search", { body: { question: "Where is Alice?" } });
  const log = await accountClient(CallService, service, other);
  await expect
    .poll(async () => (await log.getUsage({ days: 2 })).byRpc)
    .toMatchObject([{ rpc: "SearchMemories", modelCalls: 1, inputTokens: 8, outputTokens: 0 }]);
});
