/** Streams of RPCs that nobody reads. */
import { connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { createServiceImplSpec } from "@connectrpc/connect";
import { encodeEnvelope } from "@connectrpc/connect/protocol";
import { expect, onTestFinished, test } from "vitest";
import {
  MemoryService,
  StreamQueryMemoriesRequestSchema,
} from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { serveHttp1, serveHttp2 } from "../../packages/transcoding/test/http-fixture.ts";
import { rpcPaths } from "../../src/edge/rpc-handler.ts";
import { dispatch } from "./dispatcher-fixture.ts";

const MESSAGES = 1_000;
const TEXT = "x".repeat(64 * 1024);

/** Reads nothing; each returns how to leave. */
const READERS = {
  "HTTP/1.1": (port: number, path: string, headers: object, body: Uint8Array) => {
    const socket = connectSocket(port, "localhost");
    const head = Object.entries({ host: "x", "content-length": body.length, ...headers });
    const lines = head.map(([name, value]) => `${name}: ${value}`);
    socket.on("error", () => {});
    socket.write([`POST ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
    socket.write(body);
    return () => socket.destroy();
  },
  "HTTP/2": (port: number, path: string, headers: object, body: Uint8Array) => {
    const session = connect(`http://localhost:${port}`, { settings: { initialWindowSize: 0 } });
    session.on("error", () => {});
    const stream = session.request({ ":method": "POST", ":path": path, ...headers });
    stream.on("error", () => {}).end(body);
    return () => session.destroy();
  },
};

test.each([
  ["HTTP/2", "application/grpc", { te: "trailers" }],
  ["HTTP/2", "application/connect+proto", { "connect-protocol-version": "1" }],
  ["HTTP/1.1", "application/grpc-web+proto", {}],
  ["HTTP/1.1", "application/connect+proto", { "connect-protocol-version": "1" }],
] as const)(
  "over %s, %s: what nobody reads is not made, and ends with its client",
  async (version, type, headers) => {
    let made = 0;
    const ended = Promise.withResolvers<void>();
    const paths = rpcPaths({
      routes: (add) =>
        add(
          createServiceImplSpec<typeof MemoryService>(MemoryService, {
            async *streamQueryMemories() {
              try {
                while (made < MESSAGES) {
                  made++;
                  yield { event: { case: "text", value: { text: TEXT } } };
                }
              } finally {
                ended.resolve();
              }
            },
          }),
        ),
      readMaxBytes: 1_000,
      readMaxValues: 10,
      report: (error) => {
        throw error;
      },
    });
    const handler = dispatch({ paths });
    const server = await (version === "HTTP/2" ? serveHttp2(handler) : serveHttp1(handler));
    onTestFinished(() => server.close());
    const path = `/${MemoryService.typeName}/StreamQueryMemories`;
    const asked = create(StreamQueryMemoriesRequestSchema);
    const body = encodeEnvelope(0, toBinary(StreamQueryMemoriesRequestSchema, asked));
    const leave = READERS[version](server.port, path, { "content-type": type, ...headers }, body);
    onTestFinished(() => void leave());
    await expect.poll(() => made).toBeGreaterThan(0);
    let before = 0;
    while (made > before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(made).toBeLessThan(MESSAGES / 2);
    leave();
    await ended.promise;
  },
);
