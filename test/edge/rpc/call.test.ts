import { create, type DescMethod } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { expect, test } from "vitest";
import {
  CreateMemoriesRequestSchema,
  CreateMemoriesResponseSchema,
  MemoryService,
} from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { readIdempotency } from "../../../src/edge/rpc/handlers.ts";

test("D33: equal requests of two operations have two fingerprints", () => {
  const request = create(CreateMemoriesRequestSchema, { content: "Ada lives in Paris" });
  const form = { schema: CreateMemoriesResponseSchema, write: () => ({}) };
  const fingerprintOf = (method: DescMethod) => {
    const requestHeader = new Headers({ "idempotency-key": "mine" });
    const call = { requestHeader, service: MemoryService, method } as unknown as HandlerContext;
    return readIdempotency(call, CreateMemoriesRequestSchema, request, form)?.fingerprint;
  };
  const { createMemories, batchCreateMemories } = MemoryService.method;
  expect(fingerprintOf(createMemories)).toEqual(fingerprintOf(createMemories));
  expect(fingerprintOf(createMemories)).not.toEqual(fingerprintOf(batchCreateMemories));
});
