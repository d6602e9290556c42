/** What connections cost others, and which of them make room (nobody needs a key to open one). */
import { once } from "node:events";
import type { NodeHandler } from "@agent-memory/transcoding/node-http";
import { describe, expect, test } from "vitest";
import {
  heldHandler,
  http1,
  http2,
  http2Session,
  listen,
  loopbackCertificate,
  type RawConnection,
  rawConnection,
} from "../listener-fixture.ts";

const echo: NodeHandler = (_request, response) => void response.end("served");

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const ANOTHER = "127.0.0.2";

/** A connection that the server has answered on, so that it counts from here on. */
async function opened(port: number, text: string, from?: string): Promise<RawConnection> {
  const connection = rawConnection(port, text, from);
  await once(connection.socket, "data");
  return connection;
}

/** Whether the connection still answers. */
async function answers({ socket }: RawConnection): Promise<boolean> {
  if (socket.destroyed) return false;
  socket.write(GET);
  const [event] = await Promise.race([
    once(socket, "data").then(() => ["data"]),
    once(socket, "close").then(() => ["close"]),
  ]);
  return event === "data";
}

describe("past a limit the connection that was idle longest makes room", () => {
  test.each([
    ["of its address", { maxConnectionsPerAddress: 3 }],
    ["of all", { maxConnections: 3 }],
  ])("%s", async (_, limits) => {
    const { port } = await listen({ handler: echo, limits });
    const quiet = await opened(port, PREFACE);
    const [older, newer] = [await opened(port, GET), await opened(port, GET)];
    await opened(port, GET);
    await quiet.received;
    // A request makes it the newest again.
    expect(await answers(older)).toBe(true);
    await opened(port, GET);
    await newer.received;
    expect(await answers(older)).toBe(true);
  });

  test("and no other address pays for one that opens many", async () => {
    const { port } = await listen({ handler: echo, limits: { maxConnectionsPerAddress: 2 } });
    const other = await opened(port, GET, ANOTHER);
    for (let i = 0; i < 10; i++) await opened(port, PREFACE);
    expect(await answers(other)).toBe(true);
    await opened(port, GET, ANOTHER);
  });

  test("a caller gets in, however many connections another address holds that say nothing", async () => {
    const limits = { maxConnections: 50, maxConnectionsPerAddress: 40 };
    const { port } = await listen({ handler: echo, limits });
    for (let i = 0; i < 100; i++) await opened(port, PREFACE, i % 2 === 0 ? ANOTHER : "127.0.0.3");
    expect(await http1({ port })).toMatchObject({ status: 200 });
    expect(await http2(http2Session(port))).toMatchObject({ status: 200 });
  });

  test.each(["HTTP/1.1", "HTTP/2", "HTTP/1.1 over TLS", "HTTP/2 over TLS"])(
    "but not one with a request in flight, by %s: where all have one, the newest is refused",
    async (protocol) => {
      const tls = protocol.endsWith("TLS") ? await loopbackCertificate() : null;
      const { handler, arrived, release } = heldHandler();
      const { port } = await listen({ handler, tls, limits: { maxConnections: 1 } });
      const ca = tls?.cert;
      const answer = protocol.startsWith("HTTP/2")
        ? http2(http2Session(port, { ca }))
        : http1({ port, ca });
      await arrived;
      expect(await rawConnection(port, GET).received).toBe("");
      release();
      expect(await answer).toMatchObject({ body: "finished" });
    },
  );
});
