/** What messages say over gRPC that JSON says otherwise (D2, D5). Errors stand in test/grpc. */
import { Code, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, test } from "vitest";
import { MemoryService } from "../../../gen/agentmemory/v1/memory_service_pb.ts";
import { remember } from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

function clientOf({ key }: { readonly key: string }) {
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${key}`);
    return next(request);
  };
  const transport = createGrpcTransport({
    baseUrl: spec.service.url,
    interceptors: [authenticate],
  });
  return createClient(MemoryService, transport);
}

test("D2: over gRPC an unset field is unset", async () => {
  const caller = await spec.service.createAccount();
  await remember(caller);
  const { memories } = await clientOf(caller).listMemories({});
  const [memory] = memories;
  expect([memory?.tenantId, memory?.validTo, memory?.supersededBy]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("D5: over gRPC the two responses are the arms of one `oneof`", async () => {
  const client = clientOf(await spec.service.createAccount());
  const content = await client.createMemories({ content: "Ada" });
  expect(content.result).toMatchObject({ case: "content", value: { status: "saved" } });
  const messages = await client.createMemories({ messages: [{ role: "user", content: "Hi!" }] });
  expect(messages.result).toMatchObject({ case: "messages", value: { status: "extracted" } });
});

test.each([
  ["a text with NUL", { content: "a\0b" }],
  ["a time before the year 1", { content: "Ada", validFrom: { seconds: -(2n ** 62n), nanos: 0 } }],
  [
    "a time with less than no nanoseconds",
    { content: "Ada", validFrom: { seconds: 0n, nanos: -1 } },
  ],
])("D8: over gRPC what JSON cannot say is refused too: %s", async (_, request) => {
  const client = clientOf(await spec.service.createAccount());
  await expect(client.createMemories(request)).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});
