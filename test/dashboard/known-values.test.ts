/** What the filters of the dashboard suggest, and how a chain came to its ends. */
import { Code, type ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import { ChainService } from "../../gen/agentmemory/dashboard/v1/chain_service_pb.ts";
import { KnownValueService } from "../../gen/agentmemory/dashboard/v1/known_value_service_pb.ts";
import { clientOf, PAGE_HEADERS, signIn } from "../support/dashboard-client.ts";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

async function clientsOf(service: TestService, account: TestAccount) {
  const headers = { ...PAGE_HEADERS, cookie: await signIn(service, account) };
  return {
    chain: clientOf(ChainService, service, headers),
    known: clientOf(KnownValueService, service, headers),
  };
}

function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "ok",
    ({ code }: ConnectError) => code,
  );
}

serviceTest("each field suggests what memories have", async ({ sharedService: service }) => {
  const account = await service.createAccount();
  const { known } = await clientsOf(service, account);
  const about = { topic: "Travel", source: "support", session_id: "call-1" };
  await account.rest("POST", "/agent/memories", { body: { content: "Aisle seats", ...about } });
  await account.rest("POST", "/agent/memories", {
    body: { content: "Closes at 18:00", tenant_id: "acme", topic: "Office" },
  });
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
  const { chain } = await clientsOf(service, account);
  const write = async (content: string, more: object = {}) =>
    (await account.rest("POST", "/agent/memories", { body: { content, ...more } })).body
      .memory_id as string;
  const blue = await write("Alice's favourite colour is blue");
  const green = await write("Alice's favourite colour is green", { auto_supersede: true });
  const office = await write("The office closes at 18:00");
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
