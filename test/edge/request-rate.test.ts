/** What a request costs beyond the token that admits it. */

import type { NodeResponse } from "@agent-memory/transcoding/node-http";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  ListMemoriesResponseSchema,
  StreamQueryMemoriesResponseSchema,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { rowsOf } from "../../src/edge/gate.ts";
import { createRequestRate, LIGHT_BODY_BYTES, LIGHT_ROWS } from "../../src/edge/rate-limit.ts";
import type { KnownCaller } from "../../src/service/context.ts";

/** A request whose charges are kept. */
function counted() {
  const charged: number[] = [];
  const charge = (_: KnownCaller, tokens: number) => void charged.push(tokens);
  const response = { headersSent: false, setHeader() {} } as unknown as NodeResponse;
  return { charged, rate: createRequestRate({ admit() {}, charge }, {} as KnownCaller, response) };
}

test("rows are charged by what all messages of an answer hold together", () => {
  const { charged, rate } = counted();
  for (let message = 0; message < 4; message++) rate.rows(LIGHT_ROWS / 2 + 1);
  // 126, 252, 378 and 504 rows.
  expect(charged).toEqual([1, 1]);
  rate.rows(2 * LIGHT_ROWS);
  expect(charged).toEqual([1, 1, 2]);
});

test("a body is charged by its length so far, once", () => {
  const { charged, rate } = counted();
  for (const parts of [0.5, 1, 1.5, 3, 3]) rate.body(parts * LIGHT_BODY_BYTES);
  expect(charged).toEqual([1, 1]);
});

test("the rows of a message are the entries of its lists, or of those of its only arm", () => {
  const memories = Array.from({ length: 3 }, () => ({}));
  expect(rowsOf(ListMemoriesResponseSchema, create(ListMemoriesResponseSchema, { memories }))).toBe(
    3,
  );
  const event = { case: "memories", value: { memories } } as const;
  const streamed = create(StreamQueryMemoriesResponseSchema, { event });
  expect(rowsOf(StreamQueryMemoriesResponseSchema, streamed)).toBe(3);
});
