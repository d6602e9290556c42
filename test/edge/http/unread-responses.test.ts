/** Responses that their readers do not take, by readers that really do not read. */
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeHandler, NodeResponse } from "@agent-memory/transcoding/node-http";
import { describe, expect, onTestFinished, test } from "vitest";
import { watchUnread } from "../../../src/edge/http/connections.ts";
import { HOST, http1, http2, http2Session, listen } from "../listener-fixture.ts";

const UNREAD_MS = 200;
const PIECE = Buffer.alloc(64 * 1024, "x");
/** More than the system holds of a connection that is not read. */
const PIECES = 256;

async function sendMuch(response: NodeResponse): Promise<void> {
  // Rejects when the response is broken off.
  await pipeline(Readable.from(new Array(PIECES).fill(PIECE)), response).catch(() => {});
}

/** A server that cuts off what is not read, and the responses that it gave so far. */
async function serve(handler: NodeHandler, unreadMs = UNREAD_MS) {
  const responses: NodeResponse[] = [];
  const { port } = await listen({
    handler: (request, response) => {
      responses.push(response);
      watchUnread(response, unreadMs);
      return handler(request, response);
    },
  });
  return { port, responses };
}

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** A connection that reads nothing, with what it sends. */
function silentReader(port: number, text: string) {
  const socket = connect(port, HOST);
  socket.on("error", () => {});
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

describe("a response that its reader does not take", () => {
  test("D37 unread: is cut off over HTTP/1.1", async () => {
    const { port, responses } = await serve((_, response) => sendMuch(response));
    silentReader(port, GET);
    await expect.poll(() => responses[0]?.destroyed, { timeout: 60_000 }).toBe(true);
    expect(responses[0]?.writableFinished).toBe(false);
  });

  test("D37 unread: is cut off over HTTP/2, and the connection goes on", async () => {
    const { port } = await serve((request, response) => {
      if (request.url === "/much") return sendMuch(response);
      response.end("short");
    });
    const session = connectHttp2(`http://${HOST}:${port}`, { settings: { initialWindowSize: 0 } });
    session.on("error", () => {});
    onTestFinished(() => session.destroy());
    const streams = ["/much", "/short"].map((path) => session.request({ ":path": path }));
    const codes = streams.map(
      (stream) =>
        new Promise((resolve) =>
          stream.on("error", () => {}).on("close", () => resolve(stream.rstCode)),
        ),
    );
    expect(await Promise.all(codes)).not.toContain(0);
    session.settings({ initialWindowSize: 65_535 });
    expect((await http2(session, { ":path": "/short" })).body).toBe("short");
  });

  test("is not cut off while it is taken slowly", async () => {
    // The system passes on in some megabytes at once that there is room again.
    const { port } = await serve((_, response) => sendMuch(response), 10 * UNREAD_MS);
    const socket = silentReader(port, GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    let received = 0;
    for (;;) {
      const chunk: Buffer | null = socket.read();
      received += chunk?.length ?? 0;
      if (socket.readableEnded || socket.destroyed) break;
      await sleep(20);
    }
    expect(received).toBeGreaterThan(PIECES * PIECE.length);
  });

  test.each([1, 2])("is not cut off while nothing is there to send (HTTP/%i)", async (version) => {
    const { port } = await serve(async (_, response) => {
      await sleep(3 * UNREAD_MS);
      response.write("first, ");
      await sleep(3 * UNREAD_MS);
      response.end("second");
    });
    const answer = version === 1 ? http1({ port }) : http2(http2Session(port));
    expect((await answer).body).toBe("first, second");
  });

  test("is not cut off while it waits for the one before it on the connection", async () => {
    const { port } = await serve(async (request, response) => {
      if (request.url === "/slow") await sleep(3 * UNREAD_MS);
      response.end(PIECE);
    });
    const socket = silentReader(
      port,
      `${GET.replace("/", "/slow")}${GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")}`,
    );
    let received = 0;
    for await (const chunk of socket) received += chunk.length;
    expect(received).toBeGreaterThan(2 * PIECE.length);
  });
});
