/** The tools in LangChain and in an agent of LangGraph, with the model that they bring for tests. */
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { type AgentMemoryClient, createClient } from "agent-memory/client";
import { TOOLS } from "agent-memory/internal";
import { memoryTools } from "agent-memory/langchain";
import { beforeEach, expect, test } from "vitest";
import { holdEmbedder } from "../support/models.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

let service: TestService;
let account: TestAccount;
let client: AgentMemoryClient;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
});
beforeEach(async () => {
  account = await service.createAccount();
  client = createClient({ url: service.url, apiKey: account.key });
});

type Call = Parameters<ReturnType<typeof fakeModel>["respondWithTools"]>[0][number];

/** An agent whose model calls these tools, one after the other; what they gave, as text. */
async function play(tools: ReturnType<typeof memoryTools>, calls: readonly Call[]) {
  const llm = fakeModel();
  for (const call of calls) llm.respondWithTools([call]);
  llm.respond(new AIMessage("Done."));
  const agent = createReactAgent({ llm, tools });
  const { messages }: { messages: BaseMessage[] } = await agent.invoke({
    messages: [{ role: "user", content: "Remember me." }],
  });
  expect(messages.at(-1)?.content).toBe("Done.");
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
}

test("an agent remembers a conversation and asks", async () => {
  const messages = [{ role: "user", content: "I am allergic to peanuts." }];
  const said = await play(memoryTools(client), [
    { name: "remember_conversation", args: { messages, session_id: "chat-7" } },
    { name: "ask", args: { question: "What is the user allergic to?" } },
    { name: "profile", args: { max_tokens: 100 } },
    { name: "context", args: { question: "What is the user allergic to?", max_tokens: 60 } },
  ]);
  const [written, answered, profile, context] = said.map((text) => JSON.parse(text));
  expect(written).toMatchObject({ facts: [expect.stringContaining("peanuts")], rejected: [] });
  expect(answered.answer).toContain("[mem-1]");
  expect(profile).toEqual({ text: expect.stringContaining("peanuts") });
  expect(context.relevant).toMatch(/\[mem-1\] .*peanuts/);
});

test("tools have the names, words and schemas that they have everywhere else", () => {
  expect(memoryTools(client)).toMatchObject(
    TOOLS.map(({ name, description, inputSchema: schema }) => ({ name, description, schema })),
  );
});

test("what is wrong with an argument is told the agent, which goes on", async () => {
  const memory_id = "019a2f6e-4c1b-7d30-9a51-6f0e8b2c4d17";
  const [malformed, unknown] = await play(memoryTools(client), [
    // LangChain itself holds arguments against the schema.
    { name: "timeline", args: { memory_id: "none" } },
    { name: "timeline", args: { memory_id } },
  ]);
  expect(malformed).toContain("memory_id");
  expect(unknown).toContain("`memory_id` is not the ID of a memory");
});

test("a call that is called off is called off in the service", async () => {
  const held = holdEmbedder(service);
  const left = new AbortController();
  const sent = Promise.withResolvers<AbortSignal | null | undefined>();
  const watched = createClient({
    url: service.url,
    apiKey: account.key,
    fetch: (input, init) => {
      sent.resolve(init?.signal);
      return fetch(input, init);
    },
  });
  const [search] = memoryTools(watched, { only: ["search"] });
  const failed = expect(
    search?.invoke({ question: "Where?" }, { signal: left.signal }),
  ).rejects.toThrow();
  await held.entered;
  left.abort();
  expect((await sent.promise)?.aborted).toBe(true);
  await failed;
  await held.abandoned;
});

test("D29: what was stored before the quota ended is told the agent", async () => {
  await service.updateAccount(account.companyId, { writesLimit: 1 });
  const messages = ["I live in Rome.", "I am allergic to peanuts."].map((content) => {
    return { role: "user", content };
  });
  const [told] = await play(memoryTools(client), [
    { name: "remember_conversation", args: { messages } },
  ]);
  expect(told).toMatch(/quota .*; stored: \{"facts":\[".*"\],"ids":\["[0-9a-f-]{36}"\]/);
});
