/** What an account is told of the tokens that models took for it. */
import { expect, onTestFinished, test } from "vitest";
import { CallService } from "../../gen/agentmemory/dashboard/v1/call_service_pb.ts";
import { choiceOf, startFakeVendor, talkativeModel } from "../providers/service/vendors.ts";
import { clientOf, PAGE_HEADERS, signIn } from "../support/dashboard-client.ts";
import { startTestService, type TestAccount, type TestService } from "../support/service.ts";

/** By RPC: calls of models, those that are not counted, tokens read and written. */
async function tokensOf(service: TestService, account: TestAccount) {
  const headers = { ...PAGE_HEADERS, cookie: await signIn(service, account) };
  const { byRpc } = await clientOf(CallService, service, headers).getUsage({ days: 2 });
  return Object.fromEntries(
    byRpc
      .filter(({ modelCalls }) => modelCalls > 0)
      .map(({ rpc, modelCalls, uncountedCalls, inputTokens, outputTokens }) => [
        rpc,
        [modelCalls, uncountedCalls, Number(inputTokens), Number(outputTokens)],
      ]),
  );
}

const says = (content: string) => ({ messages: [{ role: "user", content }] });
const QUESTION = { question: "Where does Alice live?" };

async function expectOk(answer: Promise<{ readonly status: number }>): Promise<void> {
  expect((await answer).status).toBe(200);
}

test("tokens are counted by the calls that models were called for, of the own account alone", async () => {
  const chat = await startFakeVendor("gemini");
  const embeddings = await startFakeVendor("openai");
  const { openai } = choiceOf("openai", embeddings);
  const models = choiceOf("gemini", chat, {
    openai,
    embeddings: { provider: "openai", model: "text-embedding-3-small", dimensions: 768 },
  });
  chat.chat = talkativeModel;
  const service = await startTestService({ config: { models } });
  onTestFinished(async () => {
    for (const each of [service, chat, embeddings]) await each.close();
  });
  const [account, other] = [await service.createAccount(), await service.createAccount()];
  await service.clock.hold(async () => {
    const moved = { ...says("Alice lives in Oslo"), auto_supersede: true };
    await expectOk(account.rest("POST", "/agent/memories", { body: says("Alice lives in Rome") }));
    await expectOk(account.rest("POST", "/agent/memories", { body: moved }));
    await expectOk(account.rest("POST", "/agent/query", { body: QUESTION }));
    const headers = { accept: "text/event-stream" };
    await expectOk(account.rest("POST", "/agent/query", { body: QUESTION, headers }));
    await expectOk(other.rest("POST", "/agent/search", { body: QUESTION }));
  });
  // A call has ended a moment after its answer is read.
  await expect
    .poll(() => tokensOf(service, account))
    .toEqual({
      // Two extractions, one classification, and a vector for each fact.
      CreateMemories: [5, 0, 2 * 120 + 120 + 2 * 8, 2 * 35 + 35],
      // A vector and an answer.
      QueryMemories: [2, 0, 8 + 120, 35],
      StreamQueryMemories: [2, 0, 8 + 120, 35],
    });
  await expect.poll(() => tokensOf(service, other)).toEqual({ SearchMemories: [1, 0, 8, 0] });
});
