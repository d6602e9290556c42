/** What the rows of an answer cost beyond the token that admits a call. */
import { create } from "@bufbuild/protobuf";
import {
  createContextValues,
  type StreamResponse,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { expect, test } from "vitest";
import {
  ListMemoriesResponseSchema,
  MemoryService,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { LIGHT_ROWS } from "../../src/edge/rate-limit.ts";
import { chargeForRows, RequestCost, setCost } from "../../src/edge/request-cost.ts";
import type { KnownCaller } from "../../src/service/context.ts";

/** A cost that keeps what it charges. */
function counted() {
  const charged: number[] = [];
  const charge = (_: KnownCaller, tokens: number) => void (tokens > 0 && charged.push(tokens));
  const limiter = { admit: () => {}, charge };
  const values = createContextValues();
  setCost(values, new RequestCost(limiter, {} as KnownCaller, () => {}));
  return { charged, values };
}

const { listMemories } = MemoryService.method;
const page = (rows: number) =>
  create(ListMemoriesResponseSchema, { memories: Array.from({ length: rows }, () => ({})) });

test("rows are charged by what all messages of an answer hold together", async () => {
  const { charged, values } = counted();
  async function* messages() {
    for (let n = 0; n < 4; n++) yield page(LIGHT_ROWS / 2 + 1);
  }
  const streamed = { stream: true, method: listMemories, message: messages() };
  const request = { contextValues: values, method: listMemories, header: new Headers() };
  const response = await chargeForRows(async () => streamed as unknown as StreamResponse)(
    request as unknown as UnaryRequest,
  );
  const perMessage: number[] = [];
  for await (const _ of response.message as AsyncIterable<unknown>) perMessage.push(charged.length);
  // 126, 252, 378 and 504 rows.
  expect(perMessage).toEqual([0, 1, 1, 2]);
});

test("rows of one message are charged once", async () => {
  const { charged, values } = counted();
  const response = { stream: false, method: listMemories, message: page(2 * LIGHT_ROWS + 1) };
  const request = { contextValues: values, method: listMemories, header: new Headers() };
  await chargeForRows(async () => response as unknown as UnaryResponse)(
    request as unknown as UnaryRequest,
  );
  expect(charged).toEqual([2]);
});
