/** What the filters of the dashboard suggest, and how a chain came to its ends. */
import { Code, type ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import { ChainService } from "../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import { KnownValueService } from "../../gen/agentmemory/dashboard/v1/known_value_service_pb.ts";
import { remember } from "../spec/calls.ts";
import { accountClient } from "../support/dashboard-client.ts";
import { serviceTest } from "../support/shared-service.ts";

function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "ok",
    ({ code }: ConnectError) => code,
  );
}

serviceTest("each field suggests what memories have", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const known = await accountClient(KnownValueService, service, account);
  const about = { topic: "Travel", source: "support", session_id: "call-1" };
  await remember(account, "Aisle seats", about);
  await remember(account, "Closes at 18:00", { tenant_id: "acme", topic: "Office" });
  const values = async (field: string, more: object = {}) =>
    (await known.listKnownValues({ field, ...more })).values;
  expect(await values("topic")).toEqual(["Travel"]);
  expect(await values("topic", { tenantId: "acme", prefix: "o" })).toEqual(["Office"]);
  expect(await values("source")).toEqual(["support"]);
  expect(await values("session_id")).toEqual(["call-1"]);
  for (const wrong of [
    { field: "decision" },
    { field: "topic", prefix: "x".repeat(257) },
    { field: "topic", tenantId: "" },
  ]) {
    expect(await codeOf(known.listKnownValues(wrong))).toBe(Code.InvalidArgument);
  }
});

serviceTest("an end tells who ended it, and why", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const chain = await accountClient(ChainService, service, account);
  const blue = await remember(account, "Alice's favourite colour is blue");
  const more = { auto_supersede: true };
  const green = await remember(account, "Alice's favourite colour is green", more);
  const office = await remember(account, "The office closes at 18:00");
  await account.rest("POST", `/memories/${office}/supersede`, {
    body: { valid_to: new Date().toISOString() },
  });
  const { ends } = await chain.listEnds({ memoryIds: [blue, green, office] });
  expect(new Map(ends.map((end) => [end.memoryId, end]))).toEqual(
    new Map([
      [blue, expect.objectContaining({ actor: "classifier", confidence: expect.any(Number) })],
      [office, expect.objectContaining({ actor: account.apiKeyId })],
    ]),
  );
  const [byHand] = ends.filter(({ memoryId }) => memoryId === office);
  expect([byHand?.confidence, byHand?.reason]).toEqual([undefined, undefined]);
  for (const memoryIds of [[], ["no"], Array.from({ length: 101 }, () => blue)]) {
    expect(await codeOf(chain.listEnds({ memoryIds }))).toBe(Code.InvalidArgument);
  }
});
