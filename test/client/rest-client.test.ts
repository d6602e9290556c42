/** The client of the REST paths: what it sends, what it sends again, and what it answers. */

import { createRestClient } from "agent-memory/client/rest";
import { type FetchClientOptions, PLATFORM } from "agent-memory/internal";
import { beforeEach, expect, test } from "vitest";
import { forThisFile } from "../support/for-this-file.ts";
import { startTestService, type TestAccount } from "../support/service.ts";
import { createWaitingClock } from "./fixture.ts";

/** The service refills by the clock that the client waits on. */
const clock = createWaitingClock();
let account: TestAccount;
const service = await forThisFile(
  startTestService({
    config: { rateLimit: true },
    monotonicMs: clock.monotonicMs,
  }),
);
beforeEach(async () => {
  account = await service.createAccount({ rate: 1, burst: 1_000 });
  clock.waitsMs.length = 0;
});

/** A client whose waits pass at once, and the requests that it sends. It loses the first answers. */
function clientOf({ losing = 0, ...options }: { losing?: number } & Partial<FetchClientOptions>) {
  const sent: Request[] = [];
  const fetchAndLose = async (request: Request) => {
    sent.push(request.clone());
    const answer = await fetch(request);
    if (sent.length > losing) return answer;
    await answer.arrayBuffer();
    throw new TypeError("the connection was lost");
  };
  const client = createRestClient(
    { url: service.url, apiKey: account.key, fetch: fetchAndLose as typeof fetch, ...options },
    {
      ...PLATFORM,
      monotonicMs: clock.monotonicMs,
      random: () => 0.5,
      sleep: async (durationMs) => clock.advance(durationMs),
    },
  );
  const keys = () => sent.map(({ headers }) => headers.get("idempotency-key"));
  return { client, sent, keys };
}

test("a write whose answer is lost is sent again with its key, and stored once", async () => {
  const { client, keys } = clientOf({ losing: 2 });
  const { data } = await client.POST("/agent/memories", { body: { content: "Ada lives in Rome" } });
  expect(data?.status).toBe("saved");
  expect(keys()).toHaveLength(3);
  expect(new Set(keys()).size).toBe(1);
  expect((await client.GET("/plan/status")).data?.writes_used).toBe(1);
});

test("a key of the caller's own is kept", async () => {
  const { client, keys } = clientOf({});
  const params = { header: { "Idempotency-Key": "mine" } };
  await client.POST("/agent/memories", { params, body: { content: "Ada lives in Rome" } });
  expect(keys()).toEqual(["mine"]);
});

test("a question is sent again, an erasure is not", async () => {
  const question = clientOf({ losing: 1 });
  await question.client.POST("/agent/query", { body: { question: "Where?" } });
  expect(question.sent).toHaveLength(2);
  const erasure = clientOf({ losing: 1 });
  await expect(erasure.client.DELETE("/agent/memories")).rejects.toThrow("lost");
  expect(erasure.sent).toHaveLength(1);
});

test("what was refused for its rate waits as long as the service asks for", async () => {
  account = await service.createAccount({ rate: 1, burst: 1 });
  const { client, sent } = clientOf({});
  await client.GET("/plan/status");
  expect((await client.GET("/plan/status")).response.status).toBe(200);
  expect(sent).toHaveLength(3);
  expect(clock.waitsMs).toEqual([expect.toSatisfy((ms: number) => ms >= 1_000)]);
});

test("an error of the service is told in its words, and not sent again", async () => {
  const { client, sent } = clientOf({});
  const { error } = await client.POST("/agent/memories", { body: { content: " " } });
  expect(error).toMatchObject({ reason: "invalid_field", field: "content" });
  expect(sent).toHaveLength(1);
});

test("a call ends with its deadline", async () => {
  const never = (request: Request) =>
    new Promise<Response>((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  const { client } = clientOf({ timeoutMs: 5, fetch: never as typeof fetch });
  await expect(client.GET("/plan/status")).rejects.toMatchObject({ name: "TimeoutError" });
});
