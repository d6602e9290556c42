/** Memory inside agents of other frameworks, each against the framework's own package. */
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import {
  Agent,
  MemorySession,
  type Model,
  type ModelRequest,
  Runner,
  Usage,
} from "@openai/agents-core";
import { memoryMiddleware } from "agent-memory/ai-sdk";
import { type AgentMemoryClient, createClient } from "agent-memory/client";
import { MemoryStore } from "agent-memory/langgraph";
import { type TurnOptions, withMemory } from "agent-memory/openai-agents";
import { streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { beforeEach, describe, expect, test } from "vitest";
import { list, remember } from "../spec/calls.ts";
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

/** What a framework's agent does with a text of its user; the prompt that its model got, as text. */
type Agent_ = (text: string, options: TurnOptions) => Promise<string>;

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const finishReason = { unified: "stop" as const, raw: undefined };

const AGENTS: Record<string, Agent_> = {
  "the AI SDK, streamText": async (text, options) => {
    const chunks = [
      { type: "text-start" as const, id: "1" },
      { type: "text-delta" as const, id: "1", delta: "Noted." },
      { type: "text-end" as const, id: "1" },
      { type: "finish" as const, finishReason, usage },
    ];
    const model = new MockLanguageModelV4({
      doStream: [{ stream: simulateReadableStream({ chunks }) }],
    });
    const middleware = memoryMiddleware(client, options);
    const said = streamText({ model: wrapLanguageModel({ model, middleware }), prompt: text });
    expect(await said.text).toBe("Noted.");
    return JSON.stringify(model.doStreamCalls[0]?.prompt);
  },
  "the OpenAI Agents SDK": async (text, options) => {
    const requests: ModelRequest[] = [];
    const model: Model = {
      async getResponse(request) {
        requests.push(request);
        const content = [{ type: "output_text" as const, text: "Noted." }];
        const output = [{ type: "message", role: "assistant", status: "completed", content }];
        return { usage: new Usage(), output: output as never, responseId: "one" };
      },
      getStreamedResponse: () => {
        throw new Error("nothing streams here");
      },
    };
    const session = new MemorySession();
    const runner = new Runner({ tracingDisabled: true });
    const agent = new Agent({ name: "helper", model });
    const { finalOutput } = await runner.run(agent, text, withMemory(client, session, options));
    expect(finalOutput).toBe("Noted.");
    // What was recalled is no part of the conversation.
    expect((await session.getItems()).map((item) => "role" in item && item.role)).toEqual([
      "user",
      "assistant",
    ]);
    return JSON.stringify(requests[0]?.input);
  },
};

describe.each(Object.entries(AGENTS))("%s", (_, tell) => {
  test("what was said in one conversation is known in the next, without a tool", async () => {
    const options = { tenantId: "customer-42", sessionId: "chat-7" };
    const first = await tell("I am allergic to peanuts.", options);
    expect(first).not.toContain("[mem-");
    const { memories } = await list(account, { tenant_id: "customer-42" });
    expect(memories).toMatchObject([{ source: "agent", tenant_id: "customer-42" }]);
    const question = "What am I allergic to?";
    const next = await tell(question, options);
    expect(next).toMatch(/peanuts.*What am I allergic to\?/);
    // What is recalled is never recorded as what the user said.
    expect((await list(account, { tenant_id: "customer-42" })).memories).toHaveLength(1);
  });

  test("each half is switched off by itself, and a failure stops no turn", async () => {
    await tell("I am allergic to peanuts.", { record: false });
    expect((await list(account)).memories).toEqual([]);
    await tell("I am allergic to peanuts.", {});
    expect(await tell("What am I allergic to?", { recall: false })).not.toContain("peanuts");
    const errors: unknown[] = [];
    const tenantId = "\u0000";
    await tell("I live in Rome.", { tenantId, onError: (error) => errors.push(error) });
    expect(errors.map(String)).toEqual([
      expect.stringContaining("tenant_id"),
      expect.stringContaining("tenant_id"),
    ]);
  });
});

describe("the store of LangGraph", () => {
  test("answers as the framework's own store does", async () => {
    const stores = [new InMemoryStore(), new MemoryStore(client, { tenantId: "t" })];
    const [own, ours] = await Promise.all(
      stores.map(async (store) => {
        const shown = ({ value, key, namespace }: Awaited<ReturnType<typeof store.search>>[0]) => ({
          value,
          key,
          namespace,
        });
        const said: unknown[] = [];
        const search = async (...args: Parameters<typeof store.search>) =>
          said.push(
            (await store.search(...args)).map(shown).sort((a, b) => (a.key < b.key ? -1 : 1)),
          );
        await store.put(["users", "ada"], "home", { text: "Ada lives in Rome" });
        await store.put(["users", "ada"], "age", { years: 36, tags: ["a", { b: null }] });
        await store.put(["users", "bob"], "home", { text: "Bob lives in Oslo" });
        await store.put(["users"], "all", { count: 2 });
        await store.put(["docs", "ada"], "one", { title: "Notes", text: "On engines" });
        await store.put(["users", "ada"], "home", { text: "Ada lives in London" });
        said.push(shown((await store.get(["users", "ada"], "home")) as never));
        said.push(await store.get(["users", "ada"], "none"), await store.get(["users"], "home"));
        await search(["users", "ada"]);
        await search(["users"]);
        await search(["users"], { filter: { count: 2 } });
        await search(["users", "ada"], { filter: { years: { $gte: 36, $lt: 37 } } });
        await search(["users"], { filter: { years: { $ne: 36 } } });
        said.push((await store.search(["users"], { limit: 2, offset: 1 })).length);
        said.push(await store.listNamespaces());
        said.push(await store.listNamespaces({ prefix: ["users"], limit: 1, offset: 1 }));
        said.push(await store.listNamespaces({ suffix: ["ada"] }));
        said.push(await store.listNamespaces({ prefix: ["*", "bob"] }));
        said.push(await store.listNamespaces({ maxDepth: 1 }));
        await store.delete(["users", "ada"], "age");
        await store.delete(["users", "ada"], "none");
        said.push(await store.get(["users", "ada"], "age"));
        return said;
      }),
    );
    expect(ours).toEqual(own);
  });

  test("finds by meaning, and what a value was stays readable", async () => {
    const store = new MemoryStore(client);
    await store.put(["ada"], "home", { text: "Ada lives in Rome" });
    await store.put(["ada"], "food", { text: "Ada likes olives" });
    const [before] = (await list(account, { topic: "General" })).memories.slice(-1);
    await store.put(["ada"], "home", { text: "Ada lives in London" });
    const [best] = await store.search(["ada"], { query: "Where does Ada live?" });
    expect(best).toMatchObject({ key: "home", value: { text: "Ada lives in London" } });
    expect(best?.score).toBeGreaterThan(0.3);
    expect(best?.updatedAt.getTime()).toBeGreaterThan(best?.createdAt.getTime() ?? 0);
    const timeline = await client.memories.getMemoryTimeline({ memoryId: before.id });
    expect(timeline.timeline.map(({ decision }) => decision)).toEqual([
      "Ada lives in Rome",
      "Ada lives in London",
    ]);
  });

  test("of writes to a key at the same time one stays, and a deletion ends them all", async () => {
    const store = new MemoryStore(client);
    const values = Array.from({ length: 6 }, (_, index) => ({ text: `Ada has ${index} cats` }));
    await Promise.all(values.map((value) => store.put(["ada"], "cats", value)));
    const current = (await list(account)).memories;
    expect(current).toHaveLength(1);
    const item = await store.get(["ada"], "cats");
    expect(item?.value).toEqual({ text: current[0].decision });
    // As a writer leaves them that was cut off.
    const { source, metadata, decision: content } = current[0];
    await remember(account, content, { source, metadata });
    await store.delete(["ada"], "cats");
    expect(await store.get(["ada"], "cats")).toBeNull();
  });

  test("a namespace that no memory has room for is refused", async () => {
    const store = new MemoryStore(client);
    const deep = Array.from({ length: 13 }, (_, index) => `l${index}`);
    await expect(store.put(deep, "key", { text: "A" })).rejects.toThrow("1 to 12 labels");
  });
});
