/** How many calls of models there may be at once, and how long a request waits for its own. */
import { afterEach, expect, onTestFinished, test } from "vitest";
import { forThisFile } from "../../support/for-this-file.ts";
import { embedExamples } from "../../support/models.ts";
import { startTestService } from "../../support/service.ts";
import { choiceOf, startFakeVendor, talkativeModel } from "./vendors.ts";

const model = await forThisFile(startFakeVendor("openai"));
const models = choiceOf("openai", model);
const hasty = await forThisFile(
  startTestService({ config: { models, modelRequestTimeoutMs: 1_500 } }),
);
afterEach(() => {
  model.reset();
  model.chat = talkativeModel;
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

test("the classifier decides on many facts of a write, however few calls there may be at once", async () => {
  const few = { ...models, limits: { ...models.limits, maxInFlight: 2 } };
  const service = await startTestService({ config: { models: few } });
  onTestFinished(() => service.close());
  const { rest } = await service.createAccount();
  await embedExamples(service);
  const changes = [
    ["Alice lives in Oslo.", "Alice lives in Bergen."],
    ["Bob works at Equinor.", "Bob works at Vela."],
    ["Carol drives a Fiat.", "Carol drives a Volvo."],
    ["Dan plays chess.", "Dan plays chess no longer."],
    ["My favourite colour is green.", "My favourite colour is blue."],
  ];
  const write = (contents: readonly unknown[], auto_supersede: boolean) =>
    rest("POST", "/agent/memories", {
      body: { messages: contents.map((content) => ({ role: "user", content })), auto_supersede },
    });
  await write(
    changes.map(([before]) => before),
    false,
  );
  const { body } = await write(
    changes.map(([, after]) => after),
    true,
  );
  expect(body.auto_supersede).toMatchObject(changes.map(() => ({ skipped_reason: null })));
});
