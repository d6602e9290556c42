/** How many exports and imports may go on at once, of all accounts together. */
import { createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, onTestFinished, test } from "vitest";
import { MemoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { serveHttp2 } from "../../packages/transcoding/test/http-fixture.ts";
import { contextValuesOf } from "../../src/edge/origin.ts";
import { callerKey } from "../../src/edge/rpc/call.ts";
import { createRpcHandler } from "../../src/edge/rpc-handler.ts";
import { limitTransfers } from "../../src/edge/transfers.ts";

const asAccount: Interceptor = (next) => (request) => {
  const companyId = request.header.get("x-account");
  request.contextValues.set(callerKey, { companyId } as never);
  return next(request);
};

test("who comes when there are as many as may be waits until one has ended", async () => {
  const begun: string[] = [];
  const handler = createRpcHandler({
    routes: (router) =>
      router.service(MemoryService, {
        async *exportMemories(_, { requestHeader, signal }) {
          begun.push(requestHeader.get("x-account") ?? "");
          yield { line: { case: "format", value: {} } };
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      }),
    interceptors: [asAccount, limitTransfers(2)],
    contextValues: contextValuesOf(false),
    readMaxBytes: 1_000,
    readMaxValues: 10,
    explain: (error) => error,
    fallback: (_, response) => void response.end(),
  });
  const server = await serveHttp2(handler);
  onTestFinished(() => server.close());
  const baseUrl = `http://localhost:${server.port}`;
  const client = createClient(MemoryService, createGrpcTransport({ baseUrl }));
  const exporting = (account: string) => {
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const options = { headers: { "x-account": account }, signal: leave.signal };
    const lines = client.exportMemories({}, options)[Symbol.asyncIterator]();
    return { first: lines.next(), leave: () => leave.abort() };
  };
  const [a, b] = [exporting("a"), exporting("b")];
  await Promise.all([a.first, b.first]);
  const c = exporting("c");
  c.first.catch(() => {});
  const other = client.listMemories({}, { headers: { "x-account": "c" } });
  await expect(other).rejects.toThrow("not implemented");
  expect(begun.toSorted()).toEqual(["a", "b"]);
  b.leave();
  expect((await c.first).done).toBe(false);
  expect(begun.at(-1)).toBe("c");
});
