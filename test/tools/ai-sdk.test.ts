/** The tools in the Vercel AI SDK's own loop, with the model that it brings for tests. */

import { memoryTools } from "agent-memory/ai-sdk";
import { type AgentMemoryClient, createClient } from "agent-memory/client";
import { TOOLS } from "agent-memory/internal";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { beforeEach, expect, test } from "vitest";
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

const NO_TOKENS = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** A model that calls these tools, one in each step, and then says that it is done. */
function modelThatCalls(...calls: readonly (readonly [toolName: string, args: object])[]) {
  const answers = calls.map(([toolName, args], index) => ({
    content: [
      {
        type: "tool-call" as const,
        toolCallId: `call-${index}`,
        toolName,
        input: JSON.stringify(args),
      },
    ],
    finishReason: { unified: "tool-calls" as const, raw: undefined },
    usage: NO_TOKENS,
    warnings: [],
  }));
  const done = {
    content: [{ type: "text" as const, text: "Done." }],
    finishReason: { unified: "stop" as const, raw: undefined },
    usage: NO_TOKENS,
    warnings: [],
  };
  return new MockLanguageModelV4({ doGenerate: [...answers, done] });
}

async function play(model: MockLanguageModelV4, tools: ReturnType<typeof memoryTools>) {
  const { steps, text } = await generateText({
    model,
    tools,
    prompt: "Remember me.",
    stopWhen: isStepCount(10),
  });
  expect(text).toBe("Done.");
  return steps.flatMap(({ content }) =>
    content.flatMap((part): unknown[] =>
      part.type === "tool-result" ? [part.output] : part.type === "tool-error" ? [part.error] : [],
    ),
  );
}

test("a model remembers and finds", async () => {
  const model = modelThatCalls(
    ["remember", { content: "Alice lives in Berlin", valid_from: "2024-03-01T00:00:00Z" }],
    ["search", { question: "Where does Alice live?" }],
    ["ask", { question: "Where does Alice live?" }],
  );
  const [written, found, answered] = await play(model, memoryTools(client));
  expect(written).toMatchObject({ id: expect.any(String), ended: [] });
  expect(found).toMatchObject({ memories: [{ fact: "Alice lives in Berlin" }] });
  expect(answered).toMatchObject({ citations: [{ fact: "Alice lives in Berlin" }] });
});

test("the model is told of every tool as everywhere else", async () => {
  const model = modelThatCalls();
  await play(model, memoryTools(client));
  const [{ tools = [] } = {}] = model.doGenerateCalls;
  const told = tools.map((tool) => (tool.type === "function" ? tool : null));
  expect(told).toMatchObject(
    TOOLS.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  );
});

test("what is wrong with an argument is told the model, which goes on", async () => {
  const model = modelThatCalls(["search", { question: " " }], ["timeline", { memory_id: "none" }]);
  const errors = await play(model, memoryTools(client));
  expect(errors.map(String)).toEqual([
    expect.stringContaining("`question` must not be empty"),
    expect.stringContaining("`memory_id`"),
  ]);
});

test("a tenant that the program sets is neither shown to the model nor changed by it", async () => {
  const content = "Alice lives in Berlin";
  const model = modelThatCalls(
    ["remember", { content, tenant_id: "another" }],
    ["search", { question: "Alice?", tenant_id: "another" }],
  );
  const tools = memoryTools(client, { tenantId: "customer-42", only: ["remember", "search"] });
  const [, found] = await play(model, tools);
  expect(found).toMatchObject({ memories: [{ tenant_id: "customer-42" }] });
  const [{ tools: told = [] } = {}] = model.doGenerateCalls;
  expect(told.map(({ name }) => name)).toEqual(["remember", "search"]);
  expect(JSON.stringify(told)).not.toContain("tenant_id");
});
