/** How many calls of models there may be at once, and how long a request waits for its own. */
import { afterEach, expect, test, vi } from "vitest";
import { forThisFile } from "../../support/for-this-file.ts";
import { embedExamples } from "../../support/models.ts";
import { startTestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor, talkativeModel } from "./vendors.ts";

const model = await forThisFile(startFakeVendor("openai"));
const models = choiceOf("openai", model);
const narrow = await forThisFile(
  startTestService({
    config: { models: { ...models, limits: { timeoutMs: 20_000, maxInFlight: 1 } } },
  }),
);
const hasty = await forThisFile(
  startTestService({ config: { models, modelRequestTimeoutMs: 1_500 } }),
);
afterEach(() => {
  model.reset();
  model.chat = talkativeModel;
});

test("past the calls that may be in flight or wait: 503 with a wait, while those go on", async () => {
  const { key, rest } = await narrow.createAccount();
  const leaving = new AbortController();
  let asked = 0;
  // Each its own question: those who ask the same wait for one call.
  const ask = () =>
    fetch(new URL("/agent/query", narrow.url), {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ question: `Where do the ${++asked} friends of Alice live?` }),
      signal: leaving.signal,
    });
  model.always("stalling");
  const running = ask();
  await model.nextRequest();

  // One of these waits for its turn; the others are refused.
  const refused: Response[] = [];
  const allRefused = Promise.withResolvers<void>();
  const further = Array.from({ length: 4 }, async () => {
    refused.push(await ask());
    if (refused.length === 3) allRefused.resolve();
  });
  await allRefused.promise;
  for (const answer of refused) {
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ detail: expect.any(String), reason: "overloaded" });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(model.requests).toHaveLength(1);

  model.reset();
  leaving.abort();
  await Promise.allSettled([running, ...further]);
  // The service learns a moment later than they do that its callers left.
  await vi.waitFor(
    async () => {
      const after = await rest("POST", "/agent/query", { body: { question: "Who is Alice?" } });
      expect(after.status).toBe(200);
    },
    { timeout: 20_000 },
  );
});

test("a request whose models take too long together: 503, although each call had time left", async () => {
  const { rest } = await hasty.createAccount();
  model.always("stalling");
  const refused = await rest("POST", "/agent/memories", { body: { content: "Alice has a dog" } });
  expect(refused.status).toBe(503);
  expect(refused.body).toEqual({
    detail: "the models took too long to answer",
    reason: "model_unavailable",
  });
  expect(refused.headers.get("retry-after")).not.toBeNull();
});

test("a classifier that takes too long for many facts leaves the write standing (D25)", async () => {
  const { rest } = await hasty.createAccount();
  // To load it may take longer than this service waits.
  await import("../../../src/providers/chat/belief.ts");
  await embedExamples(hasty);
  await rest("POST", "/agent/memories", { body: { content: "Alice lives in Oslo." } });
  model.reset();
  // The facts and their vectors come in time.
  model.next(null, null);
  model.always("stalling");
  const written = await rest("POST", "/agent/memories", {
    body: {
      messages: [
        { role: "user", content: "Alice lives in Bergen." },
        { role: "user", content: "Alice lives in Tromsø." },
      ],
      auto_supersede: true,
    },
  });
  expect(written.status).toBe(200);
  expect(written.body.saved_count).toBe(2);
  const reasons = written.body.auto_supersede.map(
    ({ skipped_reason }: { skipped_reason: string }) => skipped_reason,
  );
  expect(reasons).toEqual(["classifier_unavailable", "classifier_unavailable"]);
});
